import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { Inquiry } from '#shared/inquiry.ts';
import { readForSource } from '../../inquiries/read.ts';
import { collectWith, type Wait, waitForResolution } from '../../inquiries/wait.ts';
import { ClientGone } from '../../platform/http/late-reply.ts';
import { outcomeResult } from '../result.ts';
import type { Call, ToolResult, Unfinished } from '../tools/call.ts';
import { chooseWait } from './choose.ts';
import { anotherLeg, nextRound, type Leg } from './legs.ts';
import { startProgress } from './progress.ts';
import { taskOf } from './task.ts';

/** A call that waits for an inquiry of its source. */
export type Held = Pick<Wait, 'inquiryId' | 'first' | 'by'> & {
  sourceId: string;
  /** The leg that this call is, if the client came back with one. */
  leg?: Leg | undefined;
};

/** Waits as the client can take it, for the resolution or for what stands in its place. */
export async function holdCall(call: Call, held: Held): Promise<ToolResult | Unfinished> {
  const { parts, visit, words } = call;
  const { inquiries, pace } = parts;
  const { inquiryId, sourceId, first, by, leg } = held;
  const { becomes, ms } = chooseWait(call, pace);
  const round = becomes === 'leg' ? nextRound(call, leg) : undefined;
  const againMs = round === undefined ? undefined : pace.legMs + pace.graceMs;
  let progress: ReturnType<typeof startProgress> | undefined;
  const show = (inquiry: Inquiry): Inquiry => {
    if (!inquiry.resolution) progress ??= startProgress(call, inquiry);
    return inquiry;
  };
  if (first) show(first);
  const read = async (): Promise<Inquiry> => show(await readForSource(inquiries, inquiryId, sourceId));
  const wait: Wait = { inquiryId, read, first, callerId: sourceId, by, ms, againMs, ...endOf(call) };
  const { inquiry, ended } = await waitForResolution(inquiries, wait).finally(() => progress?.stop());
  // Of an older client's session the event store knows when the reply was written: it may come back for it.
  if (ended === 'resolved' && call.era === 'modern') collectWith(inquiries, visit.reply, inquiry);
  if (ended === 'later' && round !== undefined) return anotherLeg(call, inquiryId, round);
  if (ended === 'later' && becomes === 'task') return taskOf(call, inquiry);
  return outcomeResult(inquiry, words, { stopping: ended === 'stopping' });
}

// A call of a session outlives its connection; what ends it is the session's end, or a cancel.
function endOf({ era, request, visit }: Call): Pick<Wait, 'signal' | 'cancelled'> {
  const signal = era === 'modern' ? AbortSignal.any([request.signal, visit.gone]) : request.signal;
  const lost = (reason: unknown): boolean =>
    reason instanceof ClientGone || (reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed);
  return { signal, cancelled: () => (lost(signal.reason) ? undefined : 'The call was cancelled.') };
}
