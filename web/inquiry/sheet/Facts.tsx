import type { Inquiry } from '#shared/inquiry.ts';
import { useReach } from './useReach.ts';
import { later } from '../../app/later.tsx';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { clockTime, dayName } from '../../ui/times.ts';
import { Theirs } from '../../ui/Theirs.tsx';
import { dialogWords } from '../words.ts';

const Before = later(() => import('./Before.tsx').then(({ Before: ready }) => ready));

/** What is known about an inquiry: in the margin of a desktop, in the drawer of a phone. */
export function Facts({ inquiry }: { inquiry: Inquiry }) {
  const { facts } = dialogWords();
  const reach = useReach(inquiry);
  const { agent, cwd, runId, threadId, links } = inquiry.context ?? {};
  const opened = Date.parse(inquiry.openedAt);
  const lines = [
    [facts.agent, agent],
    [facts.folder, cwd],
    [facts.run, runId],
    [facts.thread, threadId],
  ] as const;
  return (
    <dl class="facts">
      <Fact name={facts.asked}>
        {facts.dayAndTime(dayName(opened, now.value, language.value), clockTime(opened, language.value))}
      </Fact>
      {lines.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              <Theirs text={text} />
            </Fact>
          ),
      )}
      {links && links.length > 0 && (
        <Fact name={facts.links}>
          {links.map(({ label, url }) => (
            <span key={url}>
              <a class="link" href={url} target="_blank" rel="noopener noreferrer">
                <Theirs text={label} />
              </a>{' '}
              <span class="host">{URL.canParse(url) ? new URL(url).host : ''}</span>
              <br />
            </span>
          ))}
        </Fact>
      )}
      <Fact name={facts.told}>{facts.reach(reach.told, reach.shown)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The margin of a letter: what is known about it, and what was decided before. */
export function Margin({ inquiry }: { inquiry: Inquiry }) {
  const words = dialogWords();
  return (
    <aside class="margin" aria-label={words.about}>
      <Facts inquiry={inquiry} />
      <Before inquiry={inquiry} />
    </aside>
  );
}
