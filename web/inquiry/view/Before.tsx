import { useEffect } from 'preact/hooks';
import type { Earlier } from '#shared/history.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { contexts, readContextOf } from '../../live/context.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { Mark, type MarkName } from '../../ui/Mark.tsx';
import { dayTime, moment } from '../../ui/times.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { visible } from '#shared/visible.ts';
import { viewWords } from './words.ts';

const SHOWN = 120;

/** What was decided before, read when the inquiry is opened; on a phone it stands where it moves nothing. */
export function Before({ inquiry }: { inquiry: Inquiry }) {
  useEffect(() => void readContextOf(inquiry.id), [inquiry.id]);
  if (!contexts.value.has(inquiry.id)) return null;
  return (
    <div class="before">
      <Postscript inquiry={inquiry} />
      <EarlierInRun inquiry={inquiry} />
    </div>
  );
}

/** What was asked before in this run, newest first, and what came of it. */
function EarlierInRun({ inquiry }: { inquiry: Inquiry }) {
  const words = viewWords().before;
  const run = contexts.value.get(inquiry.id)?.run ?? [];
  if (run.length === 0) return null;
  const name = inquiry.context?.runId === undefined ? words.thread : words.run;
  return (
    <section class="earlier" aria-label={name}>
      <p class="earlier-name">{name}</p>
      <ul>
        {run.map((one) => (
          <li key={one.id}>
            <Mark name={markOf(one)} />
            <a href={`/i/${one.id}`}>
              <UntrustedText text={one.title} />
              <small>
                <Outcome {...one} />
              </small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How this person decided the very same call of this source, and when; never where it cannot be taken back. */
function Postscript({ inquiry }: { inquiry: Inquiry }) {
  const words = viewWords().before;
  const last = contexts.value.get(inquiry.id)?.last;
  const settled = last?.resolution;
  if (!last || settled?.by.kind !== 'person') return null;
  const what = settled.outcome === 'declined' ? 'declined' : (last.decided ?? 'decided');
  return (
    <p class="ps">
      <b>{words.ps}</b>
      {words.same(visible(inquiry.source.name))}
      <a class="own" href={`/i/${last.id}`}>
        {words.last(what, dayTime(Date.parse(settled.at), now.value, language.value))}
      </a>
    </p>
  );
}

function Outcome({ resolution }: Earlier) {
  const words = viewWords().before;
  if (!resolution) return <>{words.waits}</>;
  const { outcome, at, text, message, by } = resolution;
  const said = {
    answered: `“${cut(text)}”`,
    declined: message ? `${words.declinedMark} “${cut(message)}”` : words.declinedMark,
    expired: words.expired,
    withdrawn: message ? `${words.withdrawn} “${cut(message)}”` : words.withdrawn,
  }[outcome];
  return (
    <>
      {visible(said)} {by.kind === 'policy' && `${words.byRule(visible(by.label))} `}
      <time dateTime={at}>{moment(Date.parse(at), now.value, language.value)}</time>
    </>
  );
}

function markOf({ resolution }: Earlier): MarkName {
  if (!resolution) return 'comma';
  return ({ answered: 'stop', declined: 'stop', expired: 'query', withdrawn: 'dash' } as const)[resolution.outcome];
}

function cut(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1).trimEnd()}…` : line;
}
