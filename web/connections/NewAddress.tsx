import { useEffect, useRef, useState } from 'preact/hooks';
import type { Connection, NewConnectionReply } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { CopyLine } from '../connect/CopyLine.tsx';
import { words } from './words.ts';

type NewAddressProps = { path: string; onClose: () => void; onMade: (url: string) => void };

/** Asks once more, then gives a connection another address. */
export function NewAddress({ path, onClose, onMade }: NewAddressProps) {
  const t = say(words);
  const [problem, setProblem] = useState<Problem | undefined>();
  const renew = async () => {
    const reply = await call<Pick<NewConnectionReply, 'url'>>('POST', `${path}/address`, {});
    setProblem(reply.problem);
    if (!reply.ok) return;
    onClose();
    onMade(reply.ok.url);
  };
  return (
    <Dialog title={t.newAddressTitle} onClose={onClose}>
      <p class="dim">{t.newAddressSay}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={onClose}>
          {t.keepAddress}
        </Button>
        <Button onPress={() => void renew()}>{t.newAddress}</Button>
      </div>
    </Dialog>
  );
}

/** An address just made, which is shown only now, with the secret that came with it and what to do with both. */
export function GivenAddress({ connection, shown }: { connection: Connection; shown: Shown }) {
  const t = say(words);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 tabIndex={-1} ref={heading}>
        {t.keep}
      </h2>
      <p class="say">{t.paste[connection.kind](visible(connection.baseUrl ?? '', true))}</p>
      <CopyLine text={shown.url} label={t.copyAddress} />
      {shown.secret !== undefined && (
        <>
          <p class="say day">{t.secret}</p>
          <CopyLine text={shown.secret} label={t.copySecret} />
        </>
      )}
    </>
  );
}

/** An address that was just made: the connection it leads to, and the secret that came with it. */
export type Shown = { id: string; url: string; secret?: string };
