import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { readForSource } from '../../inquiries/read.ts';
import { endLease, releaseLease, withdrawInquiry } from '../../inquiries/withdraw.ts';
import { outcomeResult } from '../result.ts';
import type { Call, ToolResult, Unfinished } from '../tools/call.ts';
import { chooseWait } from './choose.ts';
import { anotherLeg, type Leg } from './legs.ts';
import { startProgress } from './progress.ts';
import { taskOf } from './task.ts';

/** A call that waits for an inquiry of its source. */
export type Held = {
  sourceId: string;
  inquiryId: string;
  /** What is known already; without it, it is read at once. */
  first?: Inquiry | undefined;
  /** The call asked: with its end the inquiry may lose its asker. A call that only reads leaves it alone. */
  asker: boolean;
  /** The leg that this call is, if the client came back with one. */
  leg?: Leg | undefined;
};

/**
 * Waits as the client can take it, for the resolution or for what stands in its place. A cancel of the asker's call
 * withdraws the inquiry at once, a closed connection lets go of it as DESIGN section 5 says, a stopping hub touches
 * nothing.
 */
export async function holdCall(call: Call, held: Held): Promise<ToolResult | Unfinished> {
  const { parts, request, visit } = call;
  const { inquiries } = parts;
  const { inquiryId, sourceId, asker } = held;
  const wait = chooseWait(call, parts.pace);
  const read = (): Promise<Inquiry> => readForSource(inquiries, inquiryId, sourceId);
  const first = held.first ?? (await read());
  const progress = first.resolution ? undefined : startProgress(call, first);
  let inquiry: Inquiry;
  try {
    const done = ({ resolution }: Inquiry): boolean => resolution !== undefined;
    inquiry = await inquiries.waiters.until(inquiryId, read, done, wait.ms, request.signal, first, sourceId);
  } finally {
    progress?.stop();
  }
  if (request.signal.aborted) {
    if (!inquiry.resolution && asker) await letGo(call, sourceId, inquiryId);
    return outcomeResult(inquiry, call.words);
  }
  if (inquiry.resolution) {
    const { id } = inquiry;
    // Of an older client's session the event store knows when the reply was written: it may come back for it.
    if (call.era === 'modern') visit.reply.once('finish', () => inquiries.collected.add(id));
    return outcomeResult(inquiry, call.words);
  }
  if (inquiries.waiters.stopping()) return outcomeResult(inquiry, call.words, { stopping: true });
  if (wait.becomes === 'leg') {
    const next = await anotherLeg(call, inquiry, held.leg);
    if (next) {
      if (asker) await releaseLease(inquiries, inquiryId, parts.pace.legMs + parts.pace.graceMs);
      return next;
    }
  }
  await endLease(inquiries, inquiryId);
  return wait.becomes === 'task' ? taskOf(call, inquiry) : outcomeResult(inquiry, call.words);
}

/** The asker's call ended without a reply. */
async function letGo({ parts: { inquiries }, request }: Call, sourceId: string, inquiryId: string): Promise<void> {
  const { waiters } = inquiries;
  const { reason } = request.signal;
  const closed = reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;
  if (closed || waiters.stopping()) return releaseLease(inquiries, inquiryId);
  // The same call, sent again meanwhile, still wants it.
  if (waiters.count(inquiryId) > 0) return;
  try {
    await withdrawInquiry(inquiries, sourceId, inquiryId, 'The call was cancelled.');
  } catch (error) {
    // Somebody answered first: nothing is left to take back.
    if (!(error instanceof AppError) || error.status !== 409) throw error;
  }
}
