import { AppError } from '#shared/problem.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { findHeld, type CallName } from './continuations.ts';
import { CallCancelled, CallTimedOut } from './hold.ts';

export type Cancellable = {
  /** Notes a call that is held here; the result forgets it. */
  add(name: CallName, abort: AbortController): () => void;
  /**
   * Takes a held call back, wherever it is held; true when one was found. Without a session two clients may
   * use one id: then nothing is taken back. A client that ran out of time lets go of its call and no more.
   */
  cancel(name: CallName, reason: string): Promise<boolean>;
  /** Takes back every call of a session that is held here: its client ended it. */
  endSession(gate: string, sourceId: string, sessionId: string): void;
};

/** What the SDKs of both lines say when their own clock ended a call. */
const TIMED_OUT = /request timed out/i;

/** The calls that may still be taken back: those of this node by memory, those of other nodes by what stands in their inquiries. */
export function createCancellable(inquiries: Inquiries): Cancellable {
  const calls = new Map<string, Set<AbortController>>();
  return {
    add(name, abort) {
      const key = keyOf(name);
      const same = calls.get(key) ?? new Set();
      calls.set(key, same.add(abort));
      return () => {
        same.delete(abort);
        if (same.size === 0) calls.delete(key);
      };
    },
    async cancel(name, reason) {
      const timedOut = TIMED_OUT.test(reason);
      const same = calls.get(keyOf(name));
      if (same) {
        if (same.size > 1) return false;
        for (const abort of same) abort.abort(timedOut ? new CallTimedOut(reason) : new CallCancelled(reason));
        return true;
      }
      if (timedOut) return true;
      return name.sessionId === undefined ? false : cancelElsewhere(inquiries, name, reason);
    },
    endSession(gate, sourceId, sessionId) {
      const start = keyOf({ gate, sourceId, sessionId, requestId: 0 }).replace(/0\]$/, '');
      for (const [key, same] of calls) {
        if (key.startsWith(start)) for (const abort of same) abort.abort(new CallCancelled('Its session ended.'));
      }
    },
  };
}

async function cancelElsewhere(inquiries: Inquiries, name: CallName, reason: string): Promise<boolean> {
  const inquiryId = await findHeld(inquiries.database, name);
  if (inquiryId === undefined) return false;
  try {
    await withdrawInquiry(inquiries, name.sourceId, inquiryId, reason || undefined);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function keyOf({ gate, sourceId, sessionId, requestId }: CallName): string {
  return JSON.stringify([gate, sourceId, sessionId ?? null, requestId]);
}
