import { batch, effect } from '@preact/signals';
import type { AnswerBody, AnswerContent, AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { serverNow } from '../ui/clock.ts';
import { call, isPassing, isRevoked } from './api.ts';
import { readAccessRequests } from './enrolments.ts';
import {
  held,
  isMissed,
  kept,
  known,
  notTaken,
  openLetter,
  receipts,
  unseen,
  waiting,
  withEntry,
  words,
} from './letters.ts';
import { connect, connection, dispatch, lostAt, readFate, tell, wake } from './line.ts';
import { readNotices } from './notices.ts';
import { leavesIn, onLeaving, outlivesPage, pageLeaves } from './outgoing/leaving.ts';
import { openOutbox, type Outcome, type Queued } from './outgoing/outbox.ts';
import { withoutSecrets } from './outgoing/secrets.ts';
import { isUndone, noteUndone } from './outgoing/undone.ts';
import { endSession, me, readMe } from './session.ts';
import { forgetOlderSettled, keepStored, recall, recallAll } from './stored.ts';
import { lastWins } from './outgoing/throttle.ts';

export { connection, held, lostAt };

const outbox = openOutbox({
  send,
  keep: (answerId, queued) => keepStored(`answer:${answerId}`, queued),
  changed: (queue, underWay) => (waiting.value = { queue, underWay: new Set(underWay) }),
  decided,
  isUndone,
  isLeaving: () => pageLeaves,
});
// The hub drops what comes within half a second; what it has not heard, for want of a line, is told again.
const drafts = lastWins<AnswerContent>(
  600,
  async (inquiryId, answer) => (await tell('draft', { inquiryId, answer })) !== undefined,
);
const wordsToKeep = lastWins<AnswerContent>(300, (inquiryId, answer) => keepStored(`words:${inquiryId}`, answer));
const marked = new Set<string>();
// A reply to one of these is news: the person was told that it waits, or had closed the page.
const waited = new Set<string>();
const SPARE_MS = 300;

/** Goes on from what an earlier visit kept and stays live until the returned function is called. */
export async function goLive(token: string): Promise<() => void> {
  words.value = new Map(await recallAll<AnswerContent>('words:'));
  await restoreAnswers();
  dispatch({ type: 'restored', inquiries: (await recall<Inquiry[]>('open')) ?? [] });
  void forgetOlderSettled();
  const hangUp = connect(token, () => {
    void outbox.flush();
    void readMe();
    void readNotices();
    void readAccessRequests();
    for (const inquiryId of words.value.keys()) void bring(inquiryId);
  });
  const stopLeaving = onLeaving(() => void outbox.release());
  // Somebody was first: the hub says who, and keeps what came second.
  const stopLosing = effect(() => {
    for (const { inquiryId, leavesAt } of waiting.value.queue)
      if (leavesAt !== undefined && known.value.fates.has(inquiryId)) queueMicrotask(() => release(inquiryId));
  });
  return () => {
    stopLeaving();
    stopLosing();
    hangUp();
    outbox.forget();
    wordsToKeep.dropAll();
    drafts.dropAll();
    marked.clear();
    waited.clear();
    batch(() => {
      kept.value = words.value = new Map();
      receipts.value = new Map();
      unseen.value = notTaken.value = new Set();
    });
  };
}

/**
 * Answers, over the live line or HTTP. `queued`: there is no line; the answer is kept and leaves by itself. `held`: it
 * leaves in `holdMs`, or when the page is hidden or closed, unless it is undone. What came of it stands in `held` as
 * well, however late (RES2).
 */
export async function answer(
  inquiryId: string,
  body: Omit<AnswerBody, 'answerId' | 'digest'>,
  holdMs = 0,
): Promise<AnswerReply | 'queued' | 'held' | { problem: Problem }> {
  const inquiry = find(inquiryId);
  drafts.drop(inquiryId);
  receipts.value = withEntry(receipts.value, inquiryId, undefined);
  const answerId =
    crypto.randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
  const holds = holdMs > 0 && connection.value !== 'offline';
  if (holds) setTimeout(() => release(answerId), holdMs);
  const outcome = await outbox.add({
    inquiryId,
    answerId,
    at: new Date().toISOString(),
    body: { ...body, answerId, ...(inquiry ? { digest: inquiry.digest } : {}) },
    ...(holds ? { leavesAt: new Date(Date.now() + holdMs).toISOString() } : {}),
  });
  if (outcome === 'queued' || outcome === 'held') return outcome;
  return 'reply' in outcome ? outcome.reply : outcome;
}

/** Sends now what waits, instead of at the next sign of the hub. */
export function sendNow(): void {
  wake();
  void outbox.flush();
}

/** Sends now what is held back: all of it, or what has this answer's or inquiry's id. */
export function release(id?: string): void {
  void outbox.release(id);
}

/** Takes back an answer that waits for a line or is held back; it is never sent, though the page be closed now. */
export async function takeBack(inquiryId: string): Promise<void> {
  noteUndone(waiting.value.queue.filter((one) => one.inquiryId === inquiryId).map(({ answerId }) => answerId));
  await outbox.takeBack(inquiryId);
}

/** Moves the deadline later by `seconds`, as far as `latestAt` allows. */
export async function extend(
  inquiryId: string,
  seconds: number,
): Promise<{ deadlineAt: string } | { problem: Problem }> {
  const told = await tell('extend', { inquiryId, seconds });
  if (told) return told;
  const reply = await call<{ deadlineAt: string }>('POST', `/v1/inquiries/${inquiryId}/extend`, { seconds });
  return reply.problem ? { problem: reply.problem } : { deadlineAt: reply.ok.deadlineAt };
}

/** Hides the inquiry on this device; it stays open. */
export async function dismiss(inquiryId: string): Promise<{ problem: Problem } | undefined> {
  const reply = await call('POST', `/v1/inquiries/${inquiryId}/dismiss`, {});
  if (reply.problem) return { problem: reply.problem };
  dispatch({ type: 'dismissed', inquiryId });
  return undefined;
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

/** Tells the hub, once, that the letter was opened here. */
export function opened(inquiryId: string): void {
  mark('opened', inquiryId);
}

/** Keeps the words typed into a letter, until it is discarded (WDR3); undefined forgets them. */
export function keep(inquiryId: string, mine: AnswerContent | undefined): void {
  words.value = withEntry(words.value, inquiryId, mine);
  if (mine) return wordsToKeep.give(inquiryId, withoutSecrets(find(inquiryId), mine));
  wordsToKeep.drop(inquiryId);
  void keepStored(`words:${inquiryId}`, undefined);
}

/** Takes a resolved letter off the desk, its words with it. */
export function discard(inquiryId: string): void {
  batch(() => {
    keep(inquiryId, undefined);
    kept.value = withEntry(kept.value, inquiryId, undefined);
    receipts.value = withEntry(receipts.value, inquiryId, undefined);
    unseen.value = new Set([...unseen.value].filter((id) => id !== inquiryId));
  });
}

/** Says which letter is open, and takes those away that nobody would miss any more. */
export function lookAt(inquiryId: string | undefined): void {
  batch(() => {
    openLetter.value = inquiryId;
    unseen.value = new Set([...unseen.value].filter((id) => id !== inquiryId));
    for (const id of kept.value.keys()) if (!isMissed(id)) discard(id);
  });
}

/** Sends what the service worker has put into the outbox: a button pressed on a notification while there was no line. */
export async function takeOver(): Promise<void> {
  await restoreAnswers();
  await outbox.flush();
}

// What another page of this device holds back is that page's, until its time is over: it may be undone there.
async function restoreAnswers(): Promise<void> {
  const mine = new Set(waiting.value.queue.map(({ answerId }) => answerId));
  const left = (await recallAll<Queued>('answer:')).map(([, queued]) => queued);
  const undone = left.filter(({ answerId }) => isUndone(answerId));
  for (const { answerId } of undone) void keepStored(`answer:${answerId}`, undefined);
  const others = left.filter((one) => !undone.includes(one) && !mine.has(one.answerId));
  const waits = Math.max(0, ...others.map(leavesIn));
  if (waits > 0) setTimeout(() => void takeOver(), waits + SPARE_MS);
  const due = others.filter((one) => leavesIn(one) === 0);
  for (const { answerId } of due) waited.add(answerId);
  outbox.restore(due.map(({ leavesAt: _over, ...queued }) => queued));
}

/** Fetches an inquiry that is not on the desk (an old link, the history); false when the hub has none for this person. */
export async function bring(inquiryId: string): Promise<boolean> {
  if (find(inquiryId)) return true;
  const inquiry = await readFate(inquiryId);
  if (inquiry) kept.value = withEntry(kept.value, inquiryId, inquiry);
  return inquiry !== undefined;
}

/** What the hub said to the answer that was given here last. */
export function receiptOf(inquiryId: string): AnswerReply | undefined {
  const receipt = receipts.value.get(inquiryId);
  return receipt && 'reply' in receipt ? receipt.reply : undefined;
}

function find(inquiryId: string): Inquiry | undefined {
  return known.value.open.get(inquiryId)?.inquiry ?? kept.value.get(inquiryId);
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

async function deliver({ inquiryId, body }: Queued): Promise<Outcome | 'unsent'> {
  // A page that goes has no time to wait for the line.
  const keepalive = pageLeaves && outlivesPage(body);
  const told = keepalive ? undefined : await tell('answer', { inquiryId, ...body });
  const outcome = told && ('problem' in told ? told : { reply: told });
  if (outcome) return orUnsent(outcome);
  const reply = await call<AnswerReply>('POST', `/v1/inquiries/${inquiryId}/answer`, body, { keepalive });
  if (!reply.problem) return { reply: reply.ok };
  // 409 is not an error here: it is the reply of an answer that came second.
  return isReply(reply.problem) ? { reply: reply.problem } : orUnsent({ problem: reply.problem });
}

// A passing problem is no outcome: the answer waits and is sent again.
function orUnsent(outcome: Outcome): Outcome | 'unsent' {
  if ('reply' in outcome || !isPassing(outcome.problem)) {
    if ('problem' in outcome && isRevoked(outcome.problem)) void endSession(true);
    return outcome;
  }
  return 'unsent';
}

function isReply(value: object): value is AnswerReply {
  return 'won' in value && 'resolution' in value;
}

function decided({ inquiryId, answerId }: Queued, outcome: Outcome): void {
  // That an answer arrived at once the person has seen happen.
  const news = !('reply' in outcome && outcome.reply.won) || waited.has(answerId);
  waited.delete(answerId);
  batch(() => {
    receipts.value = withEntry(receipts.value, inquiryId, outcome);
    if (openLetter.value !== inquiryId && news) unseen.value = new Set(unseen.value).add(inquiryId);
    if ('problem' in outcome) return;
    const { resolution, version } = outcome.reply as AnswerReply & { version?: number };
    dispatch({ type: 'resolved', inquiryId, resolution, version });
    if (outcome.reply.won) keep(inquiryId, undefined);
  });
  void bring(inquiryId);
}
