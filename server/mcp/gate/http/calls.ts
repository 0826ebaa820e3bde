import type { Closing } from '../../../inquiries/inquiries.ts';
import { withdrawIfOpen } from '../../../inquiries/withdraw.ts';
import { timedOut as isTimeOut } from '../../hold.ts';
import { findQuestion, streamIdOf, type Origin } from '../continuations.ts';
import { CallCancelled, CallTimedOut } from '../hold.ts';
import type { ReplyStream } from './reply-stream.ts';

/** A call that waits here, or whose reply its client may still come back for. */
export type CallHere = {
  origin: Origin;
  requestId: string | number;
  /** Takes it back; absent once it is decided. */
  abort: AbortController | undefined;
  /** Where its client comes back to it. */
  gateRequest?: { streamId: string | undefined; replyStream: ReplyStream } & Clock;
  ended?: Promise<void>;
};
export type Calls = ReturnType<typeof createCalls>;

/** The calls that may be taken back or come back for: those of this node by memory, those of others by what they keep. */
export function createCalls(inquiries: Closing) {
  const calls = new Set<CallHere>();
  const at = (origin: Origin, more: (call: CallHere) => boolean) =>
    [...calls].filter((call) => sameOrigin(call.origin, origin) && more(call));
  return {
    /** Notes a call that is held here; the result forgets it. */
    add(call: CallHere): () => void {
      calls.add(call);
      return () => void calls.delete(call);
    },
    /**
     * Takes a held call back, wherever it is held; true when one was found. Without a session two clients may
     * use one id: then nothing is taken back. A client that ran out of time lets go of its call and no more.
     */
    async cancel(origin: Origin, requestId: string | number, reason: string): Promise<boolean> {
      const timedOut = isTimeOut(reason);
      const same = at(origin, (call) => call.requestId === requestId && call.abort !== undefined);
      if (same.length > 1) return false;
      for (const { abort } of same) abort?.abort(timedOut ? new CallTimedOut(reason) : new CallCancelled(reason));
      if (same.length === 1 || timedOut) return true;
      if (origin.sessionId === undefined) return false;
      const inquiryId = await findQuestion(inquiries.database, origin, streamIdOf(origin, requestId));
      if (inquiryId !== undefined) await withdrawIfOpen(inquiries, origin.sourceId, inquiryId, reason || undefined);
      return inquiryId !== undefined;
    },
    /** Takes back every call of a session that is held here: its client ended it. */
    endSession(origin: Origin): void {
      for (const { abort } of at(origin, () => true)) abort?.abort(new CallCancelled('Its session ended.'));
    },
    /** The call whose client comes back for this stream. */
    find: (origin: Origin, streamId: string) =>
      at(origin, ({ gateRequest }) => gateRequest?.streamId === streamId).at(-1),
  };
}

function sameOrigin(one: Origin, other: Origin): boolean {
  return one.gate === other.gate && one.sourceId === other.sourceId && one.sessionId === other.sessionId;
}

/** What goes on over all connections of a call. */
export type Clock = {
  /** When the client sent its request, by `performance.now()`. */
  begunAt: number;
  signs: { count: number };
};
