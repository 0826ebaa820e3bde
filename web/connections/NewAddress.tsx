import { useState } from 'preact/hooks';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
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
