import { useComputed } from '@preact/signals';
import { visible } from '#shared/visible.ts';
import { secondsLeft } from '../deciders/inquiry/left.ts';
import type { InquiryEntry } from '../live/entry.ts';
import { askerName, isWrittenElsewhere, openInquiryId } from '../live/inquiries.ts';
import { me } from '../live/session.ts';
import { dismiss, takeBack } from '../live/store.ts';
import { timeLeft } from '../inquiry/view/countdown.ts';
import { Title, titleLang } from '../inquiry/view/Title.tsx';
import { now } from '../ui/clock.ts';
import { Mark } from '../ui/Mark.tsx';
import { SourceIcon } from '../ui/post/SourceIcon.tsx';
import { Quiet } from '../ui/Button.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { queuedWords } from './queuedWords.ts';
import { goingOn, inboxWords } from './words.ts';

/** A call's name keeps both its ends in two lines of a phone. */
const ROW_MAX = 64;

/** One waiting inquiry in the list; a tap opens it, no answer ever leaves from here. */
export function Entry({ entry }: { entry: InquiryEntry }) {
  const { inquiry, draft } = entry;
  const answering = draft !== undefined && isWrittenElsewhere(draft, now.value);
  return (
    <a class="entry" href={`/i/${inquiry.id}`} aria-current={openInquiryId.value === inquiry.id ? 'true' : undefined}>
      <Mark name={answering ? 'dots' : 'comma'} />
      <p class="entry-from">
        <b dir="auto">
          <UntrustedText text={inquiry.source.name} />
        </b>{' '}
        {inquiry.context?.cwd && <UntrustedText text={lastPart(inquiry.context.cwd)} />}
      </p>
      <p class="entry-ask" dir="auto" lang={titleLang(inquiry)}>
        <Title inquiry={inquiry} max={ROW_MAX} />
      </p>
      <p class="entry-by">
        <State entry={entry} />
      </p>
      <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
    </a>
  );
}

/** Who is answering, who decides and when, or until when it waits; `goesOn` where the sentence has begun. */
export function State({ entry, goesOn = false }: { entry: InquiryEntry; goesOn?: boolean }) {
  const { inquiry, draft, proposal } = entry;
  if (inquiry.askerGoneAt !== undefined) return <b>{inboxWords().gone(visible(askerName(inquiry)))}</b>;
  if (draft !== undefined && isWrittenElsewhere(draft, now.value)) return <Answering entry={entry} goesOn={goesOn} />;
  const left = proposal && secondsLeft(proposal, now.value);
  if (proposal && left !== undefined) return <b>{inboxWords().decides(visible(proposal.decider.name), left)}</b>;
  return <Until entry={entry} goesOn={goesOn} />;
}

/** An answer that waits for a line: what was written, and the way to take it back. */
export function QueuedEntry({ entry }: { entry: InquiryEntry }) {
  const words = inboxWords();
  const { inquiry } = entry;
  return (
    <div class="entry entry--queued">
      <Mark name="comma" />
      <p class="entry-from">
        <b dir="auto">
          <UntrustedText text={inquiry.source.name} />
        </b>{' '}
        <a href={`/i/${inquiry.id}`}>
          <Title inquiry={inquiry} max={ROW_MAX} />
        </a>
      </p>
      <p class="entry-ask own" dir="auto">
        “{visible(queuedWords(entry) || words.decline)}”
      </p>
      <div class="entry-by">
        {entry.queuedAt && words.written(Date.parse(entry.queuedAt), now.value)}{' '}
        <Quiet onPress={() => void takeBack(inquiry.id)}>{words.undo}</Quiet>
      </div>
      <SourceIcon sourceId={inquiry.source.id} name={inquiry.source.name} />
    </div>
  );
}

function Answering({ entry: { draft }, goesOn }: { entry: InquiryEntry; goesOn: boolean }) {
  const words = inboxWords();
  if (!draft) return null;
  const you = draft.handle === me.value?.person.handle;
  const yours = goesOn ? goingOn(words.youAnswering) : words.youAnswering;
  return (
    <>
      <b>{you ? yours : words.answering(visible(draft.handle))}</b>
      {words.on(visible(draft.device.name))}
    </>
  );
}

function Until({ entry: { inquiry, own }, goesOn }: { entry: InquiryEntry; goesOn: boolean }) {
  const words = inboxWords();
  // Only the words change each second at most, so only they are drawn again.
  const state = useComputed(() => timeLeft(inquiry, now.value).state);
  const text = useComputed(() => {
    const { by, up, left } = inboxWords();
    const said =
      state.value === 'hours'
        ? by(Date.parse(inquiry.deadlineAt), now.value)
        : state.value === 'up'
          ? up
          : left(timeLeft(inquiry, now.value).leftMs);
    return goesOn ? goingOn(said) : said;
  });
  if (state.value !== 'hours') return <b class={state.value === 'minutes' ? undefined : 'own'}>{text}</b>;
  return (
    <>
      {text}
      {own ? words.withDraft : inquiry.suggested ? words.withSuggestion : ''}
    </>
  );
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
