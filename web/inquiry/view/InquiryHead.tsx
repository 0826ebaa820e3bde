import type { ComponentChildren } from 'preact';
import type { Inquiry } from '#shared/inquiry.ts';
import { now, useTicking } from '../../ui/clock.ts';
import { Folded } from '../../ui/Folded.tsx';
import { SourceIcon } from '../../ui/post/SourceIcon.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { HandsLine } from '../../hands/lazy.ts';
import { inboxWords } from '../../inbox/words.ts';
import { isOpenHere } from '../../live/inquiries.ts';
import { entries } from '../../live/store.ts';
import { dialogWords } from '../words.ts';
import { isUnset, type TimeLeft, timeLeft } from './countdown.ts';

/** How long it takes is said of what is due soon. */
const SOON_MS = 12 * 3_600_000;
const WRITING_MS = 20_000;

type InquiryHeadProps = { inquiry: Inquiry; badge?: ComponentChildren };

/** Who asks and from where; with an outcome badge once it is settled. */
export function SettledHead({ inquiry, badge }: InquiryHeadProps) {
  return (
    <header class="inquiry-head">
      <From inquiry={inquiry} />
      <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
      {badge}
    </header>
  );
}

type OpenHeadProps = InquiryHeadProps & {
  progress?: { place: number; of: number } | undefined;
  /** When the person wrote here last, in ms; 0 for never. */
  writtenAt?: number;
  firstDeadline: string;
  /** A decision that counts soon is more pressing than the deadline. */
  deciding?: { say: string; share: number } | undefined;
};

/** Who asks, from where and until when, over the rule that burns down. */
export function OpenHead({ inquiry, progress, writtenAt = 0, firstDeadline, deciding }: OpenHeadProps) {
  useTicking();
  const left = timeLeft(inquiry, now.value);
  const writing = now.value - writtenAt < WRITING_MS;
  const last = left.state === 'last' || left.state === 'up';
  return (
    <>
      <header class={last ? 'inquiry-head is-last' : 'inquiry-head'}>
        <From inquiry={inquiry} />
        <p class="by">
          {deciding && <b>{deciding.say}</b>}
          {!deciding && (!progress || left.state !== 'hours') && (
            <span>
              <Until inquiry={inquiry} left={left} writing={writing} moved={inquiry.deadlineAt > firstDeadline} />
              {inquiry.approved && <HandsLine inquiry={inquiry} named />}
            </span>
          )}
          {progress && <Progress {...progress} />}
        </p>
        <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
      </header>
      <div class={last ? 'burn is-last' : 'burn'} aria-hidden="true">
        <i style={{ '--left': `${((deciding ?? left).share * 100).toFixed(1)}%` }} />
      </div>
      <TimeAloud left={left} />
    </>
  );
}

function From({ inquiry }: { inquiry: Inquiry }) {
  const { cwd, agent, subagent, runId } = inquiry.context ?? {};
  // An agent is often named like its source, and is not said twice.
  const named = agent === inquiry.source.name ? undefined : agent;
  const where = [named, subagent, cwd].filter(Boolean).join(', ') || runId;
  return (
    <>
      <Folded class="from">
        <UntrustedText text={inquiry.source.name} />
      </Folded>
      <Folded class="where">{where && <UntrustedText text={where} />}</Folded>
    </>
  );
}

function Until({
  inquiry,
  left,
  writing,
  moved,
}: {
  inquiry: Inquiry;
  left: TimeLeft;
  writing: boolean;
  moved: boolean;
}) {
  const { by } = dialogWords();
  const words = inboxWords();
  const at = Date.parse(inquiry.deadlineAt);
  if (left.state === 'up') {
    return (
      <>
        <b>{by.up}</b> {by.upMore}
      </>
    );
  }
  if (moved && writing) return <b>{by.entry}</b>;
  if (left.state === 'last') return <b class="now">{words.left(left.leftMs)}</b>;
  if (moved && left.state === 'hours') return <b>{by.moved(at, now.value)}</b>;
  if (left.state === 'minutes') {
    return (
      <>
        {words.by(at, now.value)}
        {words.comma}
        <b class="now">{words.left(left.leftMs)}</b>
      </>
    );
  }
  if (isUnset(inquiry)) return <>{words.asked(Date.parse(inquiry.openedAt), now.value)}</>;
  return (
    <>
      {words.by(at, now.value)}
      {left.leftMs < SOON_MS && by.in(left.leftMs)}
    </>
  );
}

function Progress({ place, of }: { place: number; of: number }) {
  const { by } = dialogWords();
  return (
    <span class="progress">
      <span>{by.step(place, of)}</span>
      <span class="steps" aria-hidden="true">
        {Array.from({ length: of }, (_, at) => (
          <i key={at} class={at + 1 < place ? 'is-done' : at + 1 === place ? 'is-here' : undefined} />
        ))}
      </span>
    </span>
  );
}

// Read aloud once when the last minute begins and once when time is up, not each second.
function TimeAloud({ left }: { left: TimeLeft }) {
  const { by } = dialogWords();
  const said = left.state === 'up' ? by.up : left.state === 'last' ? inboxWords().left(60_000) : '';
  return (
    <p class="sr" role="status">
      {said}
    </p>
  );
}

/** How many panels show their edges under this one: none, one or two, as an attribute. */
export function beneath(inquiryId: string): '1' | '2' | undefined {
  const others = entries.value.filter((one) => isOpenHere(one) && one.inquiry.id !== inquiryId).length;
  return others === 0 ? undefined : others === 1 ? '1' : '2';
}
