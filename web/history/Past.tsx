import type { By, LateAnswer } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { Mark, type MarkName } from '../ui/Mark.tsx';
import { clockTime } from '../ui/times.ts';
import { Theirs } from '../ui/Theirs.tsx';
import { visible } from '../ui/theirs.ts';
import { historyWords } from './words.ts';

/** One settled inquiry: what was asked, what came of it, who, on what and when. */
export function Past({ inquiry }: { inquiry: Inquiry }) {
  const { resolution, late } = inquiry;
  if (!resolution) return null;
  const mine = isMine(resolution.by);
  const mark: MarkName = { answered: 'stop', declined: 'stop', expired: 'query', withdrawn: 'dash' }[
    resolution.outcome
  ] as MarkName;
  return (
    <li>
      <Mark name={mark} class={mine ? 'mine' : ''} />
      <div>
        <h3>
          <Theirs text={inquiry.title} />
        </h3>
        <p>
          <Outcome inquiry={inquiry} mine={mine} />
        </p>
        {(late ?? []).map((one) => (
          <Late key={one.at} late={one} />
        ))}
      </div>
      <time dateTime={resolution.at}>{clockTime(Date.parse(resolution.at), language.value)}</time>
    </li>
  );
}

function Outcome({ inquiry: { resolution, source, openedAt, deadlineAt }, mine }: { inquiry: Inquiry; mine: boolean }) {
  const words = historyWords();
  if (!resolution) return null;
  const { by, text, message } = resolution;
  const quote = (said: string) => <span class={mine ? 'mine' : undefined}>“{visible(said)}”</span>;
  switch (resolution.outcome) {
    case 'expired':
      return (
        <>
          {words.expired(Date.parse(deadlineAt), now.value)}
          {resolution.answer && `. ${words.proposal}`}
        </>
      );
    case 'withdrawn':
      return (
        <>
          {words.withdrawn(visible(source.name), Date.parse(resolution.at) - Date.parse(openedAt))}{' '}
          {message && quote(message)}
        </>
      );
    case 'declined':
      return (
        <>
          {message && quote(message)}{' '}
          {by.kind === 'person' ? words.declined(nameOf(by), visible(by.device.name)) : nameOf(by)}
        </>
      );
    case 'answered':
      return (
        <>
          {quote(text)}{' '}
          {by.kind === 'person' ? words.on(nameOf(by), visible(by.device.name)) : words.byRule(visible(by.label))}
        </>
      );
  }
}

function Late({ late: { by, text } }: { late: LateAnswer }) {
  const words = historyWords();
  return (
    <p>
      <span class={isMine(by) ? 'mine' : undefined}>“{visible(text)}”</span>{' '}
      {by.kind === 'person' ? words.late(nameOf(by), visible(by.device.name)) : visible(by.label)}
    </p>
  );
}

function isMine(by: By): boolean {
  return by.kind === 'person' && by.handle === me.value?.person.handle;
}

function nameOf(by: By): string {
  if (by.kind !== 'person') return visible(by.label);
  return isMine(by) ? historyWords().you : visible(by.handle);
}
