import type { AnswerContent, AnswerReply, Resolution } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Draft } from '#shared/live.ts';
import type { Proposal } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';

/**
 * One inquiry as this page holds it. Without `resolution` it is open. With `resolution` it is on its way out: it
 * stays only while its inquiry is open, words of this person are in it, or an answer is under way, and
 * until `discard`. A list of what waits shows those without `resolution`, `laterAt` and `inquiry.dismissed`, and not cut.
 */
export type InquiryEntry = {
  inquiry: Inquiry;
  /** Somebody is answering elsewhere, at `draft.at`. */
  draft?: Draft;
  /** What a decider proposes. */
  proposal?: Proposal;
  resolution?: Resolution;
  /** Until when this person set it apart (ISO 8601); absent once that is over. */
  laterAt?: string;
  /** What this person has written here and not yet discarded. */
  own?: AnswerContent;
  /** An answer of this device: kept for a better line, held back for as long as it can be undone, or on its way. */
  sending?: 'queued' | 'held' | 'sent';
  /** Until when it is held back (ISO 8601, by this device's clock). */
  leavesAt?: string;
  /** Since when it waits in the outbox (ISO 8601). */
  queuedAt?: string;
  /** What the hub said to the answer given here. */
  receipt?: AnswerReply;
  /** The hub refused the answer given here; the inquiry is as open as before. */
  refused?: Problem;
};

/**
 * True for an inquiry that was taken away with words in it (WDR3). Not while an answer of this device is under way: it may
 * be the very one that won, sent by a page that is gone.
 */
export function isTakenWithWords({ resolution, own, sending }: InquiryEntry): boolean {
  return resolution !== undefined && own !== undefined && sending === undefined;
}
