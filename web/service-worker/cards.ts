import type { Resolution } from '#shared/answer.ts';
import type { PushMessage } from '#shared/push.ts';
import type { Card, World } from './world.ts';
import { words } from './words.ts';

type Message<Kind extends PushMessage['t']> = Extract<PushMessage, { t: Kind }>;

/** The question, with as many of its buttons as the engine draws (PRV1: the hub sends none where something is hidden). */
export function askCard(message: Message<'ask'>, world: World): Card {
  const actions = message.actions.slice(0, world.maxActions);
  const writes = message.reply && world.engine === 'chromium' && actions.length < world.maxActions;
  return {
    ...plain(message, world, 'ask', message.id, `/i/${message.id}`),
    // WebKit must be shown something even while the page shows the question itself; what is not urgent makes no sound.
    silent: world.visible || message.urgency === 'low',
    actions,
    ...(writes ? { reply: message.reply } : {}),
  };
}

/** What stands silently where the question stood, for the engines that insist on something. */
export function overCard(message: { id: string; title: string; body: string; lang: Card['lang'] }, world: World): Card {
  const path = message.id.startsWith('inq_') ? `/i/${message.id}` : '/';
  return { ...plain(message, world, 'over', message.id, path), silent: true };
}

/** The same for a question that came after its end: not one word of it (WDR2). */
export function missedCard({ id, lang }: Message<'ask'>, world: World): Card {
  return overCard({ id, lang, title: words[lang].over, body: '' }, world);
}

/** Who was faster, for an answer that was pressed too late (RES2). */
export function lostCard(inquiryId: string, lang: Card['lang'], resolution: Resolution, world: World): Card {
  const t = words[lang];
  const { outcome, by, text } = resolution;
  const title = { answered: t.answered(clipped(text)), declined: t.declined, expired: t.expired, withdrawn: t.over };
  const who = by.kind === 'person' ? t.by(clipped(by.handle), clipped(by.device.name)) : '';
  return overCard({ id: inquiryId, lang, title: title[outcome], body: who }, world);
}

export function digestCard(message: Message<'digest'>, world: World): Card {
  return plain(message, world, 'digest', 'digest', '/');
}

export function noticeCard(message: Message<'notice'>, world: World): Card {
  return {
    ...plain(message, world, 'notice', message.id, message.id.startsWith('yol_') ? '/yolo' : '/'),
    silent: world.visible || message.urgency === 'low',
  };
}

export function testCard(message: Message<'test'>, world: World): Card {
  return plain(message, world, 'test', 'test', '/devices');
}

/** For a push that cannot be read: no engine forgives one that shows nothing. */
export function changedCard(world: World): Card {
  const { changed, changedSay } = words[world.lang];
  return plain({ title: changed, body: changedSay, lang: world.lang }, world, 'changed', 'changed', '/');
}

export function unsentCard(path: string, lang: Card['lang'], world: World): Card {
  return plain({ title: words[lang].unsent, body: words[lang].unsentSay, lang }, world, 'changed', 'unsent', path);
}

export function signedOutCard(world: World): Card {
  const { signedOut, signedOutSay } = words[world.lang];
  return overCard({ id: 'signed_out', title: signedOut, body: signedOutSay, lang: world.lang }, world);
}

/** The card of a notification that the system shows, also of one that Apple's system drew from a declarative push. */
export function toCard(shown: { tag: string; title: string; body: string; data: unknown; timestamp?: number }): Card {
  const data = (shown.data ?? {}) as Partial<Card> & { t?: string };
  if (data.kind) return data as Card;
  const { tag, title, body, timestamp = 0 } = shown;
  const card = { tag, title, body, lang: data.lang ?? 'en', silent: false, actions: [], shownAt: timestamp };
  return data.t === 'ask' ? { ...card, kind: 'ask', path: `/i/${tag}` } : { ...card, kind: 'changed', path: '/' };
}

function plain(
  { title, body, lang }: { title: string; body: string; lang: Card['lang'] },
  { now }: World,
  kind: Card['kind'],
  tag: string,
  path: string,
): Card {
  return { tag, kind, title, body, lang, silent: false, path, shownAt: now, actions: [] };
}

// What others wrote, on one line and without characters that turn the direction of writing.
function clipped(text: string): string {
  const line = text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const letters = [...line];
  return letters.length > 80 ? `${letters.slice(0, 79).join('')}…` : line;
}
