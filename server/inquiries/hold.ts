import type { Inquiry } from '#shared/inquiry.ts';
import type { Closing } from './inquiries.ts';
import { noteGivenUp, noteWaited } from '../sources/given-up.ts';
import { endLease, releaseLease, renewLease } from './lease.ts';
import type { Wait } from './waiters.ts';
import { withdrawIfOpen } from './withdraw.ts';

/** "gone": nobody is left to be told; "stopping": this hub is; "later": the time is up. */
export type Waited = { inquiry: Inquiry; ended: 'resolved' | 'gone' | 'stopping' | 'later' };

/**
 * Waits for the resolution of an inquiry and leaves the lease as the end of the call demands: a call that was taken back
 * withdraws its inquiry, a lost connection releases it, a stopping hub touches nothing. Whoever hands a resolution over
 * also notes it as collected (`collectWith`).
 */
export async function waitForResolution(inquiries: Closing, wait: Wait): Promise<Waited> {
  const { waiters, database } = inquiries;
  const { inquiryId, signal, by } = wait;
  const began = database.clock.now();
  const inquiry = await waiters.lastReading(wait);
  const waitedMs = database.clock.now() - began;
  if (signal.aborted) {
    if (!inquiry.resolution && by === 'asker') await letGo(inquiries, wait, inquiry, waitedMs);
    return { inquiry, ended: 'gone' };
  }
  if (inquiry.resolution) {
    // A hint, which holds up no answer.
    if (by === 'asker') void noteWaited(database, inquiry.source.id, waitedMs).catch(() => undefined);
    return { inquiry, ended: 'resolved' };
  }
  if (waiters.stopping()) return { inquiry, ended: 'stopping' };
  if (by !== 'reader') {
    if (wait.againMs !== undefined) await renewLease(inquiries, inquiryId, wait.againMs);
    // While another call waits for the inquiry, its lease stays with that call.
    else if (waiters.count(inquiryId) === 0) await endLease(inquiries, inquiryId);
    // Gone during that commit, it was never told the id.
    if (by === 'asker' && signal.aborted) {
      await letGo(inquiries, wait, inquiry, waitedMs);
      return { inquiry, ended: 'gone' };
    }
  }
  return { inquiry, ended: 'later' };
}

async function letGo(inquiries: Closing, wait: Wait, inquiry: Inquiry, waitedMs: number): Promise<void> {
  const { waiters } = inquiries;
  const { id, source, key } = inquiry;
  const words = wait.cancelled?.();
  // The same call, sent again meanwhile, may still want it.
  const takenBack = words !== undefined && !waiters.stopping() && waiters.count(id) === 0;
  await (takenBack
    ? withdrawIfOpen(inquiries, source.id, id, words || undefined)
    : releaseLease(inquiries, id, wait.graceMs));
  // With a key of its own a lost call comes back for its answer.
  const cameToNothing = takenBack || (key === undefined && words === undefined && waiters.count(id) === 0);
  if (!cameToNothing || waiters.stopping()) return;
  const ofMs = Date.parse(inquiry.deadlineAt) - Date.parse(inquiry.openedAt);
  // A hint, which holds up nobody.
  await noteGivenUp(inquiries.database, source.id, waitedMs, ofMs).catch(() => undefined);
}
