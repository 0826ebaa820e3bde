import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewSourceReply } from '#shared/wire.ts';
import { titleOf } from '../inquiry/Title.tsx';
import { held } from '../live/store.ts';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
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

/** Says that the first inquiry of a source is awaited, and then that it has come. */
export function FirstInquiry({ sourceId }: { sourceId: string }) {
  const t = say(words);
  const asked = held.value.find(({ inquiry }) => inquiry.source.id === sourceId)?.inquiry;
  const [heard, setHeard] = useState(asked);
  useEffect(() => {
    if (asked && !heard) setHeard(asked);
  }, [asked]);
  return (
    <p class="elsewhere elsewhere--page" role="status">
      <Mark name={heard ? 'stop' : 'dots'} />
      {heard ? (
        <span>
          <b>{t.asked}</b>{' '}
          <a class="link" href={`/i/${heard.id}`}>
            {titleOf(heard)}
          </a>
        </span>
      ) : (
        <span>
          <b>{t.listening}</b> {t.listeningSay}
        </span>
      )}
    </p>
  );
}
