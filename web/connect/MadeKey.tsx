import { useEffect, useRef } from 'preact/hooks';
import type { NewSourceReply } from '#shared/wire.ts';
import { say } from '../ui/language.ts';
import { CopyLine } from './CopyLine.tsx';
import { words } from './words.ts';

/** A key just made, which is shown only now. */
export function MadeKey({ made }: { made: NewSourceReply }) {
  const t = say(words);
  const heading = useRef<HTMLHeadingElement>(null);
  // On a phone it appears below the button that made it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 tabIndex={-1} ref={heading}>
        {t.keep}
      </h2>
      <CopyLine text={made.key} label={t.copyKey} />
      {made.source.webhookUrl !== undefined && (
        <>
          <p class="say day">{t.secret}</p>
          <CopyLine text={made.webhookSecret} label={t.copySecret} />
        </>
      )}
    </>
  );
}
