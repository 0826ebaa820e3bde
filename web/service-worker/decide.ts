import type { AnswerReply } from '#shared/answer.ts';
import type { PushMessage } from '#shared/push.ts';
import {
  askCard,
  changedCard,
  digestCard,
  lostCard,
  missedCard,
  noticeCard,
  overCard,
  signedOutCard,
  testCard,
  unsentCard,
} from './cards.ts';
import type { Card, Operation, WorkerEvent, World } from './world.ts';

/** Longer than the 3 s after which Firefox looks whether a push left something visible; for Chromium anything above 0 will do. */
export const OVER_MS = 4_000;
/** Long enough to read who was faster. */
const LOST_MS = 8_000;
/** How wrong this device's clock may be before a deadline it says has passed is believed to have. */
const CLOCK_MS = 10 * 60_000;
/** A card younger than this may stand for something that the page has not heard of yet. */
const NEWS_MS = 5_000;
const TEST_MS = 60_000;

type Push<Kind extends PushMessage['t']> = Extract<PushMessage, { t: Kind }>;

/**
 * What the worker does about one event. Every push ends in something shown, or in a close where a visible page or
 * another card of ours makes it free: each engine punishes a push that shows nothing. Pure.
 */
export function decide(event: WorkerEvent, world: World): Operation[] {
  switch (event.type) {
    case 'push':
      return [...leftovers(world), ...received(event.message, world)];
    case 'click':
      return [...leftovers(world), ...clicked(event)];
    case 'closed':
      return event.card.kind === 'ask' && !world.settled.has(event.card.tag) ? [mark(event.card.tag, 'dismissed')] : [];
    case 'replied':
      return replied(event, world);
    case 'rested':
      return close(world.cards.filter((card) => card.tag === event.tag && isOver(card, world)));
    case 'sync':
      return synced(event, world);
    case 'left':
      // The page itself forgets the rest, and may be signed in again before this is done.
      return [...close(world.cards), { do: 'badge', count: 0 }, { do: 'forget', what: 'notes' }];
    case 'shut':
      return [{ do: 'show', card: unsentCard(event.path, event.lang, world) }];
  }
}

function received(message: PushMessage | undefined, world: World): Operation[] {
  switch (message?.t) {
    case 'ask':
      return asked(message, world);
    case 'withdraw':
      return withdrawn(message.id, overCard(message, world), message.badge, world);
    case 'digest':
      return arrived(digestCard(message, world), message.badge, world, []);
    case 'notice':
      return arrived(noticeCard(message, world), message.badge, world, [shownHere(message.id)]);
    case 'test':
      return [...show(testCard(message, world), world), shownHere(message.id)];
    case 'signed_out':
      return signedOut(world);
    case undefined:
    default:
      // Also for a kind that a newer hub knows.
      return show(changedCard(world), world);
  }
}

function asked(message: Push<'ask'>, world: World): Operation[] {
  const past = world.now - Date.parse(message.deadlineAt) > CLOCK_MS;
  if (world.settled.has(message.id) || past)
    return withdrawn(message.id, missedCard(message, world), message.badge, world);
  return arrived(askCard(message, world), message.badge, world, [mark(message.id, 'shown')]);
}

// A visible page shows it itself, once it has heard of it.
function arrived(card: Card, badge: number, world: World, reports: Operation[]): Operation[] {
  const count: Operation = { do: 'badge', count: badge };
  if (world.visible && world.engine !== 'webkit') return [{ do: 'wake' }, count];
  return [...show(card, world), count, ...reports];
}

function withdrawn(id: string, note: Card, badge: number, world: World): Operation[] {
  const after = { ...world, badge, settled: new Set(world.settled).add(id) };
  const remembered: Operation[] = [
    { do: 'remember', ids: [id] },
    { do: 'badge', count: badge },
  ];
  const digests = badge === 0 ? close(world.cards.filter(({ kind }) => kind === 'digest')) : [];
  const free = world.visible || world.cards.some((card) => card.tag !== id && !isOver(card, after));
  if (world.engine === 'webkit') return [...show(note, world), ...digests, ...remembered];
  if (free) return [...close(world.cards.filter(({ tag }) => tag === id)), ...digests, ...remembered];
  return [...show(note, world), ...digests, ...remembered, { do: 'closeLater', tag: id, ms: OVER_MS }];
}

function signedOut(world: World): Operation[] {
  const card = signedOutCard(world);
  const end: Operation[] = [
    { do: 'badge', count: 0 },
    { do: 'forget', what: 'everything' },
  ];
  if (world.visible && world.engine !== 'webkit') return [...close(world.cards), ...end];
  return [...close(world.cards), { do: 'show', card }, { do: 'closeLater', tag: card.tag, ms: OVER_MS }, ...end];
}

function clicked({ card, action, reply, answerId }: Extract<WorkerEvent, { type: 'click' }>): Operation[] {
  const closed: Operation = { do: 'close', tags: [card.tag] };
  const { lang, tag: inquiryId } = card;
  const button = card.actions.find((one) => one.action === action);
  const body =
    // An inline reply on Linux comes with no action at all.
    reply && card.reply ? { response: reply, digest: card.reply.digest } : button?.body;
  if (card.kind === 'ask' && body)
    return [closed, { do: 'answer', pressed: { inquiryId, lang, body: { ...body, answerId, via: 'notification' } } }];
  const opened = card.kind === 'ask' ? [mark(inquiryId, 'opened')] : [];
  return [closed, { do: 'open', path: card.path }, ...opened];
}

function replied({ pressed, status, body }: Extract<WorkerEvent, { type: 'replied' }>, world: World): Operation[] {
  const { inquiryId, lang } = pressed;
  const remember: Operation = { do: 'remember', ids: [inquiryId] };
  // The hub replies in JSON; anything else is a network that wants a sign-in, or a proxy.
  const later = body === undefined || status === 0 || status === 429 || status >= 500;
  // Others have to approve it too (APR4).
  if (status === 202 && !later) return [];
  if (status === 200 && !later) return [remember, { do: 'badge', count: Math.max(0, world.badge - 1) }];
  if (status === 409 && isReply(body)) {
    const card = lostCard(inquiryId, lang, body.resolution, world);
    return [remember, ...show(card, world), { do: 'closeLater', tag: card.tag, ms: LOST_MS }];
  }
  return [...(later ? [{ do: 'queue', pressed } as const] : []), { do: 'open', path: `/i/${inquiryId}`, unsent: lang }];
}

function synced(event: Extract<WorkerEvent, { type: 'sync' }>, world: World): Operation[] {
  const over = { ...world, settled: new Set([...world.settled, ...event.settled]) };
  const open = new Set([...event.open, ...event.notices]);
  const stale = world.cards.filter((card) => {
    const age = world.now - card.shownAt;
    if (card.kind === 'digest' || card.kind === 'changed') return true;
    if (card.kind === 'test') return age > TEST_MS;
    if (card.kind === 'over') return isLeftover(card, over);
    return over.settled.has(card.tag) || (!open.has(card.tag) && age > NEWS_MS);
  });
  return [...close(stale), { do: 'remember', ids: event.settled }, { do: 'badge', count: event.open.length }];
}

// WebKit does not replace a card of the same tag, and refuses to close one in its first 30 s.
function show(card: Card, { engine, cards }: World): Operation[] {
  const before = engine === 'webkit' ? close(cards.filter(({ tag }) => tag === card.tag)) : [];
  return [...before, { do: 'show', card }];
}

function close(cards: readonly Card[]): Operation[] {
  return cards.length === 0 ? [] : [{ do: 'close', tags: [...new Set(cards.map(({ tag }) => tag))] }];
}

// What an engine did not let go earlier, or a worker did not live to close.
function leftovers(world: World): Operation[] {
  return close(world.cards.filter((card) => isLeftover(card, world)));
}

function isLeftover(card: Card, world: World): boolean {
  return isOver(card, world) && card.kind !== 'digest' && world.now - card.shownAt >= OVER_MS;
}

function isOver({ kind, tag }: Card, world: World): boolean {
  return kind === 'over' || world.settled.has(tag) || (kind === 'digest' && world.badge === 0);
}

function mark(inquiryId: string, kind: 'shown' | 'opened' | 'dismissed'): Operation {
  return { do: 'report', path: `/v1/inquiries/${inquiryId}/marks`, body: { kind } };
}

function shownHere(id: string): Operation {
  return { do: 'report', path: '/v1/devices/me/shown', body: { id } };
}

function isReply(value: unknown): value is AnswerReply {
  return typeof value === 'object' && value !== null && 'resolution' in value;
}
