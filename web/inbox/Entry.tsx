import { type ComponentChild, Fragment } from 'preact';
import { visible } from '#shared/visible.ts';
import { secondsLeft } from '../deciders/inquiry/left.ts';
import type { InquiryEntry } from '../live/entry.ts';
import { askerName, isWrittenElsewhere, openInquiryId } from '../live/inquiries.ts';
import { me } from '../live/session.ts';
import { dismiss } from '../live/acts.ts';
import { HandsLine } from '../hands/lazy.ts';
import { isUnset, type TimeLeft, timeLeft } from '../inquiry/view/countdown.ts';
import { Called, Title, titleLang } from '../inquiry/view/Title.tsx';
import { now, useOfNow } from '../ui/clock.ts';
import { language } from '../ui/language.ts';
import { moment } from '../ui/times.ts';
import { Mark } from '../ui/Mark.tsx';
import { SourceIcon } from '../ui/post/SourceIcon.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Kind, KindAloud } from './Kind.tsx';
import { PlainRow } from './PlainRow.tsx';
import { readStakes } from './stakes.ts';
import { goingOn, inboxWords } from './words.ts';

/** A call's name keeps both its ends in two lines of a phone. */
export const ROW_MAX = 64;

/** One waiting inquiry in the list; a tap opens it, no answer ever leaves from here. */
export function Entry({ entry }: { entry: InquiryEntry }) {
  return (
    <Boundary of={entry} otherwise={<PlainRow inquiry={entry.inquiry} />}>
      <Drawn entry={entry} />
    </Boundary>
  );
}

function Drawn({ entry }: { entry: InquiryEntry }) {
  const { inquiry } = entry;
  const { parts } = useStanding(entry, true);
  return (
    <a class="entry" href={`/i/${inquiry.id}`} aria-current={openInquiryId.value === inquiry.id ? 'true' : undefined}>
      <Kind inquiry={inquiry} />
      <p class="entry-from">
        <b dir="auto">
          <UntrustedText text={inquiry.source.name} />
        </b>{' '}
        {inquiry.context?.cwd && <UntrustedText text={lastPart(inquiry.context.cwd)} />}
      </p>
      <p class="entry-ask" dir="auto" lang={titleLang(inquiry)}>
        <KindAloud inquiry={inquiry} />
        <Title inquiry={inquiry} max={ROW_MAX} />
      </p>
      <p class="entry-by">
        <Called inquiry={inquiry} />
        <Parts parts={parts} />
      </p>
      <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
    </a>
  );
}

/** What is said of an inquiry in a line, with a dot between two of it. */
export function Parts({ parts }: { parts: ComponentChild[] }) {
  return (
    <>
      {parts.map((part, at) => (
        <Fragment key={at}>
          {at > 0 && ' · '}
          {typeof part === 'string' && at > 0 ? goingOn(part) : part}
        </Fragment>
      ))}
    </>
  );
}

/**
 * Where a waiting inquiry stands: what is at stake, who is answering or decides, what is prepared for it; with `until`
 * also until when it waits, which `due` says as short as it can be said. Only its words are made anew each second.
 */
export function useStanding(entry: InquiryEntry, until: boolean): { parts: ComponentChild[]; due: string } {
  const words = inboxWords();
  const { inquiry, draft, proposal, own } = entry;
  const opened = Date.parse(inquiry.openedAt);
  const deadline = Date.parse(inquiry.deadlineAt);
  const unset = isUnset(inquiry);
  const inputs = [entry, language.value];
  const state = useOfNow((at) => timeLeft(inquiry, at).state, inputs);
  const left = useOfNow((at) => sayLeft(timeLeft(inquiry, at)), inputs);
  const due = useOfNow((at) => (unset ? '' : moment(deadline, at, language.value)), inputs);
  const answering = useOfNow((at) => draft !== undefined && isWrittenElsewhere(draft, at), inputs);
  const seconds = useOfNow((at) => proposal && secondsLeft(proposal, at), inputs);
  const urgent = inquiry.urgency === 'high';
  const pressing = [urgent && words.stakes.urgent, left].filter(Boolean).join(words.comma);
  const doing =
    inquiry.askerGoneAt !== undefined ? (
      <b>{words.gone(visible(askerName(inquiry)))}</b>
    ) : answering ? (
      <Answering entry={entry} />
    ) : (
      proposal && seconds !== undefined && <b>{words.decides(visible(proposal.decider.name), seconds)}</b>
    );
  const hands = inquiry.approved && <HandsLine inquiry={inquiry} />;
  const hours = until && state === 'hours' && !doing && !hands;
  const parts = [
    pressing && <b class="now">{pressing}</b>,
    ...readStakes(inquiry).map((stake) => stake !== 'urgent' && <b>{words.stakes[stake]}</b>),
    doing,
    hands,
    hours && (unset ? words.asked(opened, now.peek()) : words.by(deadline, now.peek())),
    own ? words.draft : inquiry.suggested && words.suggested,
  ];
  return { parts: parts.filter(Boolean), due };
}

function Answering({ entry: { draft } }: { entry: InquiryEntry }) {
  const words = inboxWords();
  if (!draft) return null;
  const you = draft.handle === me.value?.person.handle;
  return (
    <>
      <Mark name="dots" />
      <b>{you ? words.youAnswering : words.answering(visible(draft.handle))}</b>
      {words.on(visible(draft.device.name))}
    </>
  );
}

// Nothing while there are hours.
function sayLeft({ state, leftMs }: TimeLeft): string {
  const { up, left } = inboxWords();
  return state === 'hours' ? '' : state === 'up' ? up : left(leftMs);
}

function lastPart(path: string): string {
  return (
    path
      .replace(/[/\\]+$/, '')
      .split(/[/\\]/)
      .at(-1) ?? path
  );
}

/** What a swipe to the left uncovers: only a press on it hides the question here, and it says what the agent gets. */
export function Hide({ inquiryId }: { inquiryId: string }) {
  const words = inboxWords();
  return (
    <button type="button" tabIndex={-1} onClick={() => void dismiss(inquiryId)}>
      {words.dismiss}
      <small>{words.dismissMore}</small>
    </button>
  );
}
