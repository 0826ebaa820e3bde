import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AnswerBody, AnswerContent } from '#shared/answer.ts';
import type { Problem } from '#shared/problem.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { saysYes } from '#shared/says-yes.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { answer, connection, draft, entries as waiting, keep, takeBack } from '../../live/store.ts';
import { serverNow } from '../../ui/clock.ts';
import { preferencesFor } from '../../live/preferences.ts';
import { focusFault } from '../view/keys.ts';
import { noteDecision } from '../view/presses.ts';
import { timeLeft } from '../view/countdown.ts';
import { toContent, toDraft } from './content.ts';
import { type ReplyFault, replyFaults } from './faults.ts';
import { firstReply, isCautious, type Reply, replyFrom } from './state.ts';

/** An answer while it is being made, and all that can be done with it. */
export type Answering = {
  reply: Reply;
  /** When the person last wrote something here (ms), 0 before. */
  writtenAt: number;
  /** The person tried to send: faults are shown from then on. */
  tried: boolean;
  faults: ReplyFault[];
  busy: boolean;
  problem: Problem | undefined;
  change: (update: (reply: Reply) => Reply) => void;
  /** Back to what the asker suggested. */
  restart: () => void;
  /** Takes over words from another of this person's devices. */
  takeOver: (reply: Reply) => void;
  /** Sends the reply, or shows what keeps it from being sent; false in that case. All but a plain approval can be undone. */
  send: (with_?: (reply: Reply) => Reply) => boolean;
  /** How often an answer was undone here: what was drawn for it is drawn anew. */
  undone: number;
  decline: (message: string) => void;
  sendLate: () => Promise<boolean>;
  showFaults: (shown: boolean) => void;
};

/** What was last sent from this page, by inquiry: to say by how much somebody was faster, and what was written. */
export const sentHere = new Map<string, { at: number; reply: Reply; declined?: true }>();

// What had been written before an answer that is held back, by inquiry.
const undoTo = new Map<string, AnswerContent | undefined>();

/** Takes back an answer that is held back; what was written before it stands again. */
export function undo(inquiryId: string): void {
  // What is on its way is decided by the hub.
  if (waiting.peek().find(({ inquiry }) => inquiry.id === inquiryId)?.sending !== 'held') return;
  void takeBack(inquiryId);
  sentHere.delete(inquiryId);
  // After a reload the words that were sent are all there is.
  if (undoTo.has(inquiryId)) keep(inquiryId, undoTo.get(inquiryId));
}

/** Holds the answer of one inquiry; words are kept and told to other devices as they are written. */
export function useReply(entry: InquiryEntry): Answering {
  const { inquiry } = entry;
  const reply = useSignal<Reply>(useMemo(() => begin(entry), []));
  const writtenAt = useSignal(0);
  const tried = useSignal(false);
  const post = usePost(entry);
  const faults = useMemo(() => replyFaults(inquiry, reply.value), [inquiry, reply.value]);

  const undone = useUndone(entry, () => (reply.value = begin(entry)));

  const change = (update: (before: Reply) => Reply) => {
    reply.value = { ...update(reply.value), own: true };
    writtenAt.value = serverNow();
    post.problem.value = undefined;
    keep(inquiry.id, toSaved(entry, reply.value));
    draft(inquiry.id, toDraft(inquiry, reply.value));
  };
  const leave = (sent: Reply, body: Body, declined?: true) => {
    const before = reply.peek();
    const leavesAt = undoUntil(inquiry, body);
    if (leavesAt !== undefined) undoTo.set(inquiry.id, before.own ? toSaved(entry, before) : undefined);
    reply.value = sent;
    noteDecision(inquiry);
    sentHere.set(inquiry.id, { at: serverNow(), reply: sent, ...(declined ? { declined } : {}) });
    keep(inquiry.id, toSaved(entry, sent));
    void post.send(body, leavesAt);
  };

  return {
    reply: reply.value,
    writtenAt: writtenAt.value,
    tried: tried.value,
    faults,
    busy: post.busy.value,
    problem: post.problem.value,
    change,
    restart() {
      reply.value = firstReply(inquiry);
      keep(inquiry.id, undefined);
    },
    takeOver: (theirs) => change(() => theirs),
    undone,
    send(update = (before) => before) {
      const sent = update(reply.value);
      if (replyFaults(inquiry, sent).length > 0) {
        tried.value = true;
        focusFault();
        return false;
      }
      const body = toContent(inquiry, sent);
      if (wantsPasskey(inquiry, body)) void post.sign(body).then((signed) => signed && leave(sent, signed));
      else leave(sent, body);
      return true;
    },
    decline(message) {
      const said = message.trim() === '' ? {} : { message: message.trim() };
      leave({ ...reply.value, text: message }, { outcome: 'declined', ...said }, true);
    },
    async sendLate() {
      const body = await post.sign({ ...toContent(inquiry, reply.value), late: true });
      const sent = body !== undefined && (await post.send(body));
      if (sent) keep(inquiry.id, undefined);
      return sent;
    },
    showFaults: (shown) => {
      tried.value = shown;
      if (shown) focusFault();
    },
  };
}

/** Whether only what a passkey signed is taken of it. */
function wantsPasskey({ assurance }: Inquiry, content: AnswerContent): boolean {
  return assurance === 'passkey' && saysYes({ outcome: 'answered', content });
}

type Body = Omit<AnswerBody, 'answerId' | 'digest'>;

// True when the hub has it or will get it; why not stands in `problem`.
function usePost(entry: InquiryEntry) {
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(entry.refused);
  useEffect(() => {
    if (entry.refused) problem.value = entry.refused;
  }, [entry.refused]);
  const send = async (body: Body, leavesAt?: string) => {
    if (busy.value) return false;
    busy.value = true;
    const outcome = await answer(entry.inquiry.id, body, leavesAt);
    busy.value = false;
    if (outcome === 'queued' || outcome === 'held') return true;
    if ('hand' in outcome) {
      sentHere.delete(entry.inquiry.id);
      return true;
    }
    if ('problem' in outcome) {
      problem.value = outcome.problem;
      return false;
    }
    if (outcome.won) keep(entry.inquiry.id, undefined);
    return true;
  };
  /** The same with what a passkey signed of it, where that is wanted; undefined where it did not come about. */
  const sign = async (body: Body): Promise<Body | undefined> => {
    if (!wantsPasskey(entry.inquiry, body)) return body;
    if (busy.value) return undefined;
    busy.value = true;
    problem.value = undefined;
    const { proof, problem: refused } = await import('../../passkeys/signing.ts')
      .then((signing) => signing.sign(entry.inquiry, body))
      .catch(() => ({ proof: undefined, problem: undefined }));
    busy.value = false;
    problem.value = refused;
    return proof && { ...body, ...proof };
  };
  return { busy, problem, send, sign };
}

// Words of a decline stand in `text`, which only some kinds of inquiry use for their answer.
function toSaved({ inquiry }: InquiryEntry, reply: Reply) {
  return { ...toDraft(inquiry, reply), ...(reply.text === '' ? {} : { text: reply.text }) };
}

// Once an answer that was held back is undone, what was chosen is chosen no more.
function useUndone(entry: InquiryEntry, onUndone: () => void): number {
  const times = useSignal(0);
  const { inquiry, sending, receipt, resolution } = entry;
  const wasHeld = useRef(false);
  useEffect(() => {
    if (wasHeld.current && !sending && !receipt && !resolution && !sentHere.has(inquiry.id)) {
      onUndone();
      times.value++;
    }
    wasHeld.current = sending === 'held';
  }, [sending]);
  return times.value;
}

function begin(entry: InquiryEntry): Reply {
  const sent = sentHere.get(entry.inquiry.id)?.reply;
  if (entry.own) return { ...replyFrom(entry.inquiry, entry.own, true), own: true };
  return sent ?? firstReply(entry.inquiry);
}

// With less time left, what is held back could come too late.
const NO_UNDO_MS = 15_000;

/**
 * Until when an answer can be undone (ISO 8601). Undefined for one that leaves at once: a plain approval of calls without
 * caution, unless it is one of several given together.
 */
export function undoUntil(inquiry: Inquiry, body: Pick<AnswerBody, 'decisions'>, together = false): string | undefined {
  const plain = body.decisions?.every(({ type }) => type === 'approve') ?? false;
  return plain && !isCautious(inquiry) && !together ? undefined : undoTime(inquiry);
}

/** Until when an answer that is not a plain approval could be undone; undefined where it would leave at once. */
export function undoTime(inquiry: Inquiry): string | undefined {
  const ms = preferencesFor(inquiry.source.id).undoSeconds * 1000;
  if (ms === 0 || connection.value === 'offline' || timeLeft(inquiry, serverNow()).leftMs < NO_UNDO_MS)
    return undefined;
  return new Date(Date.now() + ms).toISOString();
}

/** The inquiry of which a decline is being given its words. */
export const decliningId = signal<string | undefined>(undefined);
