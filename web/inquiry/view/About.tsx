import { Fragment } from 'preact';
import type { Inquiry } from '#shared/inquiry.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { clockTime, dayName } from '../../ui/times.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { visible } from '#shared/visible.ts';
import { Before } from './Before.tsx';
import { useReach } from './useReach.ts';
import { viewWords } from './words.ts';

/** What is known about an inquiry, and what was decided before: in the margin of a desktop, in the dialog of a phone. */
export function About({ inquiry }: { inquiry: Inquiry }) {
  return (
    <>
      <Facts inquiry={inquiry} />
      <Before inquiry={inquiry} />
    </>
  );
}

/** Who asked, when, from where and through what, and how far it was told. */
export function Facts({ inquiry }: { inquiry: Inquiry }) {
  const { facts } = viewWords();
  const reach = useReach(inquiry);
  const { agent, cwd, runId, threadId, links } = inquiry.context ?? {};
  const opened = Date.parse(inquiry.openedAt);
  const lines = [
    [facts.agent, agent],
    [facts.folder, cwd?.split(/(?<=[/\\])/)],
    [facts.run, runId],
    [facts.thread, threadId],
  ] as const;
  return (
    <dl class="facts">
      <Fact name={facts.asked}>
        {inquiry.dialect && facts.through(visible(inquiry.dialect.label))}
        {facts.dayAndTime(dayName(opened, now.value, language.value), clockTime(opened))}
      </Fact>
      {lines.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              {[text].flat().map((part, at) => (
                <Fragment key={at}>
                  {at > 0 && <wbr />}
                  <UntrustedText text={part} />
                </Fragment>
              ))}
            </Fact>
          ),
      )}
      {links && links.length > 0 && (
        <Fact name={facts.links}>
          {links.map(({ label, url }) => (
            <span key={url}>
              <a class="link" href={url} target="_blank" rel="noopener noreferrer">
                <UntrustedText text={label} />
              </a>{' '}
              <span class="host">{URL.canParse(url) ? new URL(url).host : ''}</span>
              <br />
            </span>
          ))}
        </Fact>
      )}
      <Fact name={facts.told}>
        {inquiry.quiet && reach.told === 0 ? facts.quiet : facts.reach(reach.told, reach.shown)}
      </Fact>
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
