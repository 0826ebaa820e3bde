import { batch, effect } from '@preact/signals';
import type { AnswerBody, AnswerContent, AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { serverNow, setAhead } from '../ui/clock.ts';
import { readAccessRequests } from './enrolments.ts';
import {
  type Given,
  given,
  entries,
  isMissed,
  saved,
  known,
  notTaken,
  openInquiryId,
  receipts,
  unseen,
  waiting,
  withEntry,
  words,
} from './inquiries.ts';
import { connect, connection, dispatch, lostAt, readOutcome, tell, wake } from './line.ts';
import { note } from './faults.ts';
import { readNotices } from './notices.ts';
import { deliver } from './outgoing/deliver.ts';
import { leavesIn, onLeaving, pageLeaves } from './outgoing/leaving.ts';
import { isWhole, openOutbox, type Outcome, type Queued } from './outgoing/outbox.ts';
import { withoutSecrets } from './outgoing/secrets.ts';
import { gone, undone } from './outgoing/undone.ts';
import { me, readMe } from './session.ts';
import { forgetOlderSettled, keepStored, keepWritten, recall, recallAll, recallOpen, recallWritten } from './stored.ts';
import { lastWins } from './outgoing/throttle.ts';

export { connection, entries, lostAt };

const outbox = openOutbox({
  send,
  keep: (answerId, queued) => keepStored(`answer:${answerId}`, queued),
  changed: (queue, underWay) => (waiting.value = { queue, underWay: new Set(underWay) }),
  decided,
  isUndone: undone.has,
  isLeaving: () => pageLeaves,
});
// The hub drops what comes within half a second; what it has not heard, for want of a line, is told again.
const drafts = lastWins<AnswerContent>(
  600,
  async (inquiryId, answer) => (await tell('draft', { inquiryId, answer })) !== undefined,
);
const marked = new Set<string>();
// A reply to one of these is news: the person was told that it waits, or had closed the page.
const waited = new Set<string>();
// As long as an answer that cannot be undone is spoken of.
const SPOKEN_OF_MS = 4000;
// What waits is drawn first, the parts of a long list too.
const DRAWN_MS = 250;
// Nobody waits for it, and a first visit fetches little.
const FORGET_MS = 10_000;
const forget = () => void import('./outgoing/forget.ts').then((ready) => ready.forgetOlderNotes()).catch(() => {});

/** Goes on from what an earlier visit kept and stays live until the returned function is called. */
export async function goLive(token: string): Promise<() => void> {
  words.value = await recallWritten();
  await restoreAnswers();
  setAhead(await recall('ahead'));
  dispatch({ type: 'restored', inquiries: await recallOpen() });
  void forgetOlderSettled();
  let later: ReturnType<typeof setTimeout> | undefined;
  const hangUp = connect(token, () => {
    void outbox.flush();
    later = setTimeout(() => {
      void readMe();
      void readNotices();
      void readAccessRequests();
      later = setTimeout(forget, FORGET_MS);
    }, DRAWN_MS);
    for (const inquiryId of words.value.keys()) void bring(inquiryId);
  });
  const stopLeaving = onLeaving(() => release());
  // Somebody was first: the hub says who, and keeps what came second.
  const stopLosing = effect(() => {
    for (const { inquiryId, leavesAt } of waiting.value.queue)
      if (leavesAt !== undefined && known.value.resolutions.has(inquiryId)) queueMicrotask(() => release(inquiryId));
  });
  return () => {
    stopLeaving();
    stopLosing();
    clearTimeout(later);
    hangUp();
    outbox.forget();
    drafts.dropAll();
    marked.clear();
    waited.clear();
    batch(() => {
      saved.value = words.value = new Map();
      receipts.value = new Map();
      unseen.value = notTaken.value = new Set();
      given.value = undefined;
    });
  };
}

/**
 * Answers, over the live line or HTTP. `queued`: there is no line; the answer is kept and leaves by itself. `held`: it
 * leaves at `leavesAt`, or when the page is hidden or closed, unless it is undone. What came of it stands in `entries` as
 * well, however late (RES2). What another answer held back is sent: one can be undone at a time.
 */
export async function answer(
  inquiryId: string,
  body: Omit<AnswerBody, 'answerId' | 'digest'>,
  leavesAt?: string,
): Promise<AnswerReply | 'queued' | 'held' | { problem: Problem } | { hand: Inquiry }> {
  const inquiry = find(inquiryId);
  drafts.drop(inquiryId);
  receipts.value = withEntry(receipts.value, inquiryId, undefined);
  const answerId =
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
  const holds = leavesAt !== undefined && connection.value !== 'offline';
  for (const one of waiting.value.queue)
    if (one.leavesAt !== undefined && one.leavesAt !== leavesAt) release(one.answerId);
  if (holds) releaseAt(answerId, leavesAt);
  if (connection.value !== 'offline' && !body.late) showGiven(inquiryId, body, leavesAt);
  const outcome = await outbox.add({
    inquiryId,
    answerId,
    at: new Date().toISOString(),
    body: { ...body, answerId, ...(inquiry ? { digest: inquiry.digest } : {}) },
    ...(holds ? { leavesAt } : {}),
  });
  if (outcome === 'queued' || outcome === 'held') return outcome;
  return 'reply' in outcome ? outcome.reply : outcome;
}

/** Says of an answer in the bar at the bottom what it was; those that leave at the same moment were given together. */
function showGiven(inquiryId: string, body: Given['body'], leavesAt: string | undefined): void {
  const until = leavesAt ?? new Date(Date.now() + SPOKEN_OF_MS).toISOString();
  const together = leavesAt !== undefined && given.peek()?.until === until ? (given.peek()?.inquiryIds ?? []) : [];
  const next = { inquiryIds: [...together, inquiryId], body, until };
  given.value = next;
  setTimeout(() => given.value === next && (given.value = undefined), Math.max(0, Date.parse(until) - Date.now()));
}

function releaseAt(answerId: string, leavesAt: string): void {
  setTimeout(() => release(answerId), Math.max(0, Date.parse(leavesAt) - Date.now()));
}

/** Sends now what waits, instead of at the next sign of the hub. */
export function sendNow(): void {
  wake();
  void outbox.flush();
}

/** Sends now what is held back: all of it, or what has this answer's or inquiry's id. */
export function release(id?: string): void {
  const leaving = waiting.value.queue.filter(
    (one) => one.leavesAt !== undefined && [undefined, one.answerId, one.inquiryId].includes(id),
  );
  gone.note(leaving);
  void outbox.release(id);
}

/**
 * Takes back an answer that waits for a line or is held back; it is never sent, though the page be closed now. Where this
 * browser cannot note that for its other pages, it says so.
 */
export async function takeBack(inquiryId: string): Promise<void> {
  if (!undone.note(waiting.value.queue.filter((one) => one.inquiryId === inquiryId))) note('undoneHere', true);
  await outbox.takeBack(inquiryId);
}

/** Tells the other devices that somebody is answering: at most twice a second, the last words win, no secrets. */
export function draft(inquiryId: string, words: AnswerContent): void {
  drafts.give(inquiryId, withoutSecrets(find(inquiryId), words));
  const writer = me.value;
  if (!writer) return;
  // What is written here is newer than anything told from elsewhere until now.
  const { device, person } = writer;
  const at = new Date(serverNow()).toISOString();
  dispatch({
    type: 'draft',
    draft: { inquiryId, device: { id: device.id, name: device.name }, handle: person.handle, at },
  });
}

/** Tells the hub, once, that this device showed the inquiry. */
export function shown(inquiryId: string): void {
  mark('shown', inquiryId);
}

/** Tells the hub, once, that the inquiry was opened here. */
export function opened(inquiryId: string): void {
  mark('opened', inquiryId);
}

/** Keeps the words typed into an inquiry, until it is discarded (WDR3); undefined forgets them. */
export function keep(inquiryId: string, own: AnswerContent | undefined): void {
  words.value = withEntry(words.value, inquiryId, own);
  keepWritten(inquiryId, own && withoutSecrets(find(inquiryId), own));
}

/** Takes a resolved inquiry off the page, its words with it. */
export function discard(inquiryId: string): void {
  batch(() => {
    keep(inquiryId, undefined);
    saved.value = withEntry(saved.value, inquiryId, undefined);
    receipts.value = withEntry(receipts.value, inquiryId, undefined);
    unseen.value = new Set([...unseen.value].filter((id) => id !== inquiryId));
  });
}

/** Says which inquiry is open, and takes those away that nobody would miss any more. */
export function lookAt(inquiryId: string | undefined): void {
  batch(() => {
    openInquiryId.value = inquiryId;
    unseen.value = new Set([...unseen.value].filter((id) => id !== inquiryId));
    for (const id of saved.value.keys()) if (!isMissed(id)) discard(id);
  });
}

/** Sends what the service worker has put into the outbox: a button pressed on a notification while there was no line. */
export async function takeOver(): Promise<void> {
  await restoreAnswers();
  await outbox.flush();
}

// What an earlier visit held back can still be undone for the time that is left.
async function restoreAnswers(): Promise<void> {
  const own = new Set(waiting.value.queue.map(({ answerId }) => answerId));
  const all = await recallAll<Queued>('answer:');
  const left = all.filter(isWhole).map(([, queued]) => queued);
  if (left.length < all.length)
    void import('./outgoing/damaged.ts').then(
      ({ giveBack }) => giveBack(all, left, keep),
      () => {},
    );
  for (const { answerId } of left) if (undone.has(answerId)) void keepStored(`answer:${answerId}`, undefined);
  const others = left.filter(({ answerId }) => !undone.has(answerId) && !own.has(answerId));
  const due = others.filter((one) => leavesIn(one) === 0 || gone.has(one.answerId));
  for (const { answerId } of due) waited.add(answerId);
  const later = others.filter((one) => !due.includes(one));
  outbox.restore([...due.map(({ leavesAt: _over, ...queued }) => queued), ...later]);
  for (const { answerId, inquiryId, body, leavesAt } of later) {
    if (leavesAt === undefined) continue;
    showGiven(inquiryId, body, leavesAt);
    releaseAt(answerId, leavesAt);
  }
}

/** Fetches an inquiry that is not on the page (an old link, the history); false when the hub has none for this person. */
export async function bring(inquiryId: string): Promise<boolean> {
  if (find(inquiryId)) return true;
  const inquiry = await readOutcome(inquiryId);
  if (inquiry) saved.value = withEntry(saved.value, inquiryId, inquiry);
  return inquiry !== undefined;
}

/** What the hub said to the answer that was given here last. */
export function findReceipt(inquiryId: string): AnswerReply | undefined {
  const receipt = receipts.value.get(inquiryId);
  return receipt && 'reply' in receipt ? receipt.reply : undefined;
}

function find(inquiryId: string): Inquiry | undefined {
  return known.value.open.get(inquiryId)?.inquiry ?? saved.value.get(inquiryId);
}

function mark(event: 'shown' | 'opened', inquiryId: string): void {
  const name = `${event} ${inquiryId}`;
  if (marked.has(name) || !known.value.open.has(inquiryId) || connection.value !== 'live') return;
  marked.add(name);
  void tell(event, { inquiryId }).then((reply) => reply === undefined && marked.delete(name));
}

async function send(queued: Queued): Promise<Outcome | 'unsent'> {
  const outcome = await deliver(queued);
  if (outcome === 'unsent') waited.add(queued.answerId);
  return outcome;
}

function decided({ inquiryId, answerId }: Queued, outcome: Outcome): void {
  // That an answer arrived at once the person has seen happen.
  const news = !('reply' in outcome && outcome.reply.won) || waited.has(answerId);
  waited.delete(answerId);
  // Counted, and others have to approve too.
  if ('hand' in outcome) {
    keep(inquiryId, undefined);
    return dispatch({ type: 'read', inquiry: outcome.hand });
  }
  batch(() => {
    receipts.value = withEntry(receipts.value, inquiryId, outcome);
    if (openInquiryId.value !== inquiryId && news) unseen.value = new Set(unseen.value).add(inquiryId);
    if ('problem' in outcome) return;
    const { resolution, version } = outcome.reply as AnswerReply & { version?: number };
    dispatch({ type: 'resolved', inquiryId, resolution, version });
    if (outcome.reply.won) keep(inquiryId, undefined);
  });
  void bring(inquiryId);
}
