import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { endedUnused } from '#shared/validity.ts';
import type { Earlier } from '#shared/history.ts';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { clockTime, dayName, dayTime, moment } from '../../ui/times.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { contexts, readContext } from '../../live/context.ts';
import { Mark, type MarkName } from '../../ui/Mark.tsx';
import { call } from '../../live/api.ts';
import { approversOf } from '../../hands/hands.ts';
import { handsWords } from '../../hands/words.ts';
import { countDecisions } from '../outcome/verbs.ts';
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
  const { agent, subagent, cwd, runId, threadId, links } = inquiry.context ?? {};
  const opened = Date.parse(inquiry.openedAt);
  const { validUntil } = inquiry.resolution ?? {};
  const until = validUntil === undefined ? undefined : Date.parse(validUntil);
  const lines = [
    [facts.agent, agent],
    [facts.subagent, subagent],
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
      <HandsFact inquiry={inquiry} />
      {until !== undefined && endedUnused(inquiry, now.value) && (
        <Fact name={facts.approval}>{facts.ended(moment(until, now.value, language.value))}</Fact>
      )}
      <Fact name={facts.told}>
        {inquiry.quiet && reach.told === 0 ? facts.quiet : facts.reach(reach.told, reach.shown)}
      </Fact>
    </dl>
  );
}

/** How many people have to approve; of a resolved inquiry, who did. */
function HandsFact({ inquiry }: { inquiry: Inquiry }) {
  const { facts } = viewWords();
  const { approvals, approved = [], resolution } = inquiry;
  if (!approvals) return null;
  if (!resolution) return <Fact name={facts.needs}>{facts.people(approvals.count)}</Fact>;
  const when = new Map(approved.map(({ by, at }) => [by.handle, at]));
  return (
    <Fact name={facts.approvedBy}>
      {approversOf(inquiry).map((handle) => (
        <div key={handle}>
          {visible(handle)}{' '}
          <time>{moment(Date.parse(when.get(handle) ?? resolution.at), now.value, language.value)}</time>
        </div>
      ))}
      {approversOf(inquiry).length < approvals.count && handsWords().count(approved.length, approvals.count)}
    </Fact>
  );
}

/** A name and what it says, one of a list. */
export function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const SHOWN = 120;

/** What was decided before, read when the inquiry is opened; on a phone it stands where it moves nothing. */
function Before({ inquiry }: { inquiry: Inquiry }) {
  useEffect(() => void readContext(inquiry.id), [inquiry.id]);
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
            <Mark name={pickMark(one)} />
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

function Outcome({ resolution, decisions }: Earlier) {
  const words = viewWords().before;
  if (!resolution) return <>{words.waits}</>;
  const { outcome, at, text, message, by } = resolution;
  const said = {
    answered: decisions ? sayDecisions(decisions) : `“${cut(text)}”`,
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

function sayDecisions(decisions: NonNullable<Earlier['decisions']>): string {
  const [{ message } = {}, ...more] = decisions;
  return `${countDecisions(decisions)}${message && more.length === 0 ? ` “${cut(message)}”` : ''}`;
}

function pickMark({ resolution }: Earlier): MarkName {
  if (!resolution) return 'comma';
  return ({ answered: 'stop', declined: 'stop', expired: 'query', withdrawn: 'dash' } as const)[resolution.outcome];
}

function cut(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1).trimEnd()}…` : line;
}

const FIRST_MS = 1500;
const AGAIN_MS = 20_000;

/** Which devices were told and showed it, read again while somebody looks: no live event tells of each. */
function useReach({ id, reach, resolution }: Inquiry): Inquiry['reach'] {
  const latest = useSignal(reach);
  useEffect(() => {
    if (resolution) return undefined;
    const read = async () => {
      if (document.visibilityState !== 'visible') return;
      const { ok } = await call<Inquiry>('GET', `/v1/inquiries/${id}`);
      if (ok) latest.value = ok.reach;
    };
    const first = setTimeout(() => void read(), FIRST_MS);
    const again = setInterval(() => void read(), AGAIN_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [id, resolution]);
  return latest.value;
}
