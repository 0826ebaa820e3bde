import { useEffect, useState } from 'preact/hooks';
import type { NewSourceReply } from '#shared/wire.ts';
import { held } from '../live/store.ts';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { visible } from '#shared/visible.ts';
import { CopyLine } from './CopyLine.tsx';
import { curlLine, fetchExample, mcpLine } from './examples.ts';
import { words } from './words.ts';

/** What to do with a key, step by step; with a key just made, the lines are ready to paste. */
export function KeySteps({ made }: { made: NewSourceReply | undefined }) {
  const t = say(words);
  const key = made?.key ?? '$BECKON_KEY';
  let step = 0;
  const numbered = (title: string) => (
    <h2>
      <span class="num">{++step}</span>
      {title}
    </h2>
  );
  return (
    <ol class="steplist">
      {made && (
        <li>
          {numbered(t.keep)}
          <CopyLine text={made.key} label={t.copyKey} />
          {made.source.webhookUrl !== undefined && (
            <>
              <p class="say">{t.secret}</p>
              <CopyLine text={made.webhookSecret} label={t.copySecret} />
            </>
          )}
        </li>
      )}
      <li>
        {numbered(t.askYourself)}
        <p class="say">{t.askSay}</p>
        <CopyLine text={curlLine(location.origin, key, t.prompt)} label={t.copyCurl} />
        {made && <FirstInquiry sourceId={made.source.id} />}
      </li>
      <li>
        {numbered(t.fromAgent)}
        <p class="say">{t.agentSay}</p>
        <CopyLine text={mcpLine(location.origin, key)} label={t.copyMcp} />
      </li>
      <li>
        {numbered(t.fromCode)}
        <CopyLine text={fetchExample(location.origin)} label={t.copyCode} />
        <p class="say">
          <a class="link" href="/docs" target="_blank" rel="noreferrer">
            {t.docs}
          </a>
        </p>
      </li>
    </ol>
  );
}

function FirstInquiry({ sourceId }: { sourceId: string }) {
  const t = say(words);
  const asked = held.value.find(({ inquiry, fate }) => inquiry.source.id === sourceId && !fate)?.inquiry;
  const [heard, setHeard] = useState(asked);
  useEffect(() => {
    if (asked) setHeard(asked);
  }, [asked]);
  return (
    <p class="elsewhere elsewhere--page" role="status">
      <Mark name={heard ? 'comma' : 'dots'} />
      {heard ? (
        <span>
          <b>{t.asked}</b>{' '}
          <a class="link" href={`/i/${heard.id}`}>
            {visible(heard.title)}
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
