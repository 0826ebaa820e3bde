import { computed, effect, signal } from '@preact/signals';
import type { AnswerBody, AnswerContent, AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Draft } from '#shared/live.ts';
import type { Problem } from '#shared/problem.ts';
import { nothingKnown, type LiveState } from './apply.ts';
import type { InquiryEntry } from './entry.ts';
import type { Queued } from './outgoing/outbox.ts';
import { serverNow } from '../ui/clock.ts';
import { me } from './session.ts';

/** What the hub has told. */
export const known = signal<LiveState>(nothingKnown);
/** Answers without a reply, and those of them that are on their way now. */
export const waiting = signal<{ queue: readonly Queued[]; underWay: ReadonlySet<string> }>({
  queue: [],
  underWay: new Set(),
});

/** What this page adds to it, by inquiry. */
export const saved = signal<ReadonlyMap<string, Inquiry>>(new Map());
export const words = signal<ReadonlyMap<string, AnswerContent>>(new Map());
export const receipts = signal<ReadonlyMap<string, { reply: AnswerReply } | { problem: Problem }>>(new Map());
/** Decided while another inquiry was open. */
export const unseen = signal<ReadonlySet<string>>(new Set());
/** Answered, but the platform that asked had another answer. */
export const notTaken = signal<ReadonlySet<string>>(new Set());
/** The inquiry that is open now. */
export const openInquiryId = signal<string | undefined>(undefined);
/** Whether what is typed now could be words for the inquiry that is open: then no letter acts anywhere on the page. */
export const takesWords = signal(false);

// Goes up when something that was set apart may be back.
const back = signal(0);
const LOOK_AGAIN_MS = 60_000;
let looking: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  clearTimeout(looking);
  const now = serverNow();
  const left = [...known.value.later.keys()].flatMap((id) => readLater(id) ?? []).map((at) => Date.parse(at) - now);
  if (left.length > 0) looking = setTimeout(() => back.value++, Math.min(...left, LOOK_AGAIN_MS));
});

/** Until when (ISO 8601) this person set it apart, while that is not over. */
export function readLater(inquiryId: string): string | undefined {
  const at = known.value.later.get(inquiryId)?.at;
  return at !== undefined && back.value >= 0 && Date.parse(at) > serverNow() ? at : undefined;
}

/** Everything on the page, the most pressing first. */
export const entries = computed<InquiryEntry[]>(() => {
  const inquiries = new Map([
    ...saved.value,
    ...[...known.value.open].map(([id, open]) => [id, open.inquiry] as const),
  ]);
  return [...inquiries.values()].map(toEntry).toSorted((a, b) => order(a.inquiry, b.inquiry));
});

/** Whether there is anything of YOLO to show. */
export const yoloShown = () => (known.value.yolo.running ?? known.value.yolo.ended) !== undefined;

/** Who of a draft counts as writing still: a pause longer than this is an end. */
const STILL_WRITING_MS = 60_000;

/** True while somebody writes an answer on another device than this. */
export function isWrittenElsewhere(draft: Draft, now: number): boolean {
  return draft.device.id !== me.value?.device.id && now - Date.parse(draft.at) <= STILL_WRITING_MS;
}

/** True for what still waits for an answer of this person on this device. */
export function isOpenHere({ resolution, inquiry, laterAt, sending }: InquiryEntry): boolean {
  return !resolution && !inquiry.dismissed && !isCut(inquiry) && !laterAt && sending !== 'held' && sending !== 'queued';
}

/** True while the line is lost in which it was asked: it is closed, so that nobody answers into the void; it may come back. */
export function isCut({ relayed, askerGoneAt }: Inquiry): boolean {
  return relayed === true && askerGoneAt !== undefined;
}

/** The answer that was given last, of one question or of several together, and until when (ISO 8601) it is spoken of. */
export type Given = { inquiryIds: readonly string[]; body: Omit<AnswerBody, 'answerId' | 'digest'>; until: string };
export const given = signal<Given | undefined>(undefined);

/** True when somebody would miss this inquiry: it is open or spoken of, or it holds words or news of this person. */
export function isMissed(inquiryId: string): boolean {
  return (
    openInquiryId.value === inquiryId ||
    given.value?.inquiryIds.includes(inquiryId) === true ||
    words.value.has(inquiryId) ||
    unseen.value.has(inquiryId) ||
    waiting.value.queue.some((queued) => queued.inquiryId === inquiryId)
  );
}

/** The same map with one entry set, or removed when the value is undefined. */
export function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
}

/** What asks, as people know it: the agent, else its source. */
export function askerName({ context, source }: Inquiry): string {
  return context?.agent ?? source.name;
}

function toEntry(inquiry: Inquiry): InquiryEntry {
  const { id } = inquiry;
  const draft = known.value.drafts.get(id);
  const proposal = known.value.proposals.get(id)?.proposal;
  const resolution = known.value.resolutions.get(id) ?? inquiry.resolution;
  const own = words.value.get(id);
  const laterAt = resolution ? undefined : readLater(id);
  const queued = waiting.value.queue.findLast(({ inquiryId }) => inquiryId === id);
  const receipt = receipts.value.get(id);
  return {
    inquiry,
    ...(draft && !resolution ? { draft } : {}),
    ...(proposal && !resolution ? { proposal } : {}),
    ...(resolution ? { resolution } : {}),
    ...(laterAt ? { laterAt } : {}),
    ...(own ? { own } : {}),
    ...(queued
      ? { sending: waiting.value.underWay.has(queued.answerId) ? 'sent' : 'queued', queuedAt: queued.at }
      : {}),
    ...(queued?.leavesAt === undefined ? {} : { sending: 'held', leavesAt: queued.leavesAt }),
    ...(receipt && 'reply' in receipt ? { receipt: receipt.reply } : {}),
    ...(receipt && 'problem' in receipt ? { refused: receipt.problem } : {}),
  };
}

function order(a: Inquiry, b: Inquiry): number {
  if (isUrgent(a) !== isUrgent(b)) return isUrgent(a) ? -1 : 1;
  return a.deadlineAt === b.deadlineAt ? (a.id < b.id ? -1 : 1) : a.deadlineAt < b.deadlineAt ? -1 : 1;
}

function isUrgent({ urgency }: Inquiry): boolean {
  return urgency === 'high';
}

/** The exact JSON text of a call's arguments, as the hub holds it. */
export function readArgsText(inquiry: Inquiry, at: number): string {
  return inquiry.argsText?.[at] ?? JSON.stringify(inquiry.actions?.[at]?.args ?? null);
}
