import { useEffect, useRef } from 'preact/hooks';
import type { Connection } from '#shared/connections/connection.ts';
import { visible } from '#shared/visible.ts';
import { CopyLine } from '../connect/CopyLine.tsx';
import { say } from '../ui/language.ts';
import { words } from './words.ts';

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
