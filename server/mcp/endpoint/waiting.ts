import { chooseLanguage } from '#shared/texts/language.ts';
import { collectRead } from '../../inquiries/collected.ts';
import type { Wait } from '../../inquiries/waiters.ts';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { titleText } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { readForSource } from '../../inquiries/read.ts';
import { waitForResolution } from '../../inquiries/hold.ts';
import { ClientGone } from '../../platform/http/late-reply.ts';
import { callNames, withdrawalText, type Call, type ToolResult, type Unfinished } from './call.ts';
import { progressNotification, type Inquired } from '../messages.ts';
import { chooseWait, timedOut } from '../hold.ts';
import { outcomeResult } from './result.ts';
import { declaresTasks, toTask } from './tasks.ts';

/** A call that waits for an inquiry of its source. */
export type Held = Pick<Wait, 'inquiryId' | 'first' | 'by'> & { sourceId: string };

/** Waits as the client can take it, for the resolution or for what stands in its place. */
export async function waitForAnswer(call: Call, held: Held): Promise<ToolResult | Unfinished> {
  const { parts, mcpRequest, words, context, era } = call;
  const { inquiries, pace } = parts;
  const { inquiryId, sourceId, first, by } = held;
  const { overrides } = mcpRequest;
  const { progressToken } = context.mcpReq._meta ?? {};
  const { begunAt } = mcpRequest.clock;
  const known = { modern: era === 'modern', progressToken, waitSeconds: overrides.wait, begunAt };
  const patient = await chooseWait(parts, { sourceId, client: call.client, ...known });
  const asTask = declaresTasks(context) && overrides.task !== 'off';
  const { becomes, ms: inAll } = asTask ? { becomes: 'task', ms: pace.taskGraceMs } : patient;
  const ms = Math.max(0, inAll - (performance.now() - begunAt));
  // An older client may come back for its stream.
  const graceMs = era === 'modern' ? undefined : pace.graceMs;
  const round = becomes === 'round' ? parts.rounds.after(call.round) : undefined;
  const againMs = round === undefined ? undefined : pace.roundMs + pace.graceMs;
  let endProgress: (() => void) | undefined;
  const heard = (inquiry: Inquiry): void => void (endProgress ??= startProgress(call, inquiry));
  const read = (): Promise<Inquiry> => readForSource(inquiries, inquiryId, sourceId);
  const over = new AbortController();
  const { signal, cancelled } = endSignal(call, over.signal);
  const wait: Wait = { inquiryId, read, heard, first, callerId: sourceId, by, ms, graceMs, againMs, signal, cancelled };
  const waiting = waitForResolution(inquiries, wait);
  // A newer connection of the same call takes the wait over; whoever only reads waits beside it.
  if (by === 'asker') {
    parts.waits.get(inquiryId)?.abort(new ClientGone());
    parts.waits.set(inquiryId, over);
  }
  const { inquiry, ended } = await waiting.finally(() => {
    endProgress?.();
    if (parts.waits.get(inquiryId) === over) parts.waits.delete(inquiryId);
  });
  // A call that a newer connection took over has given up nothing.
  if (ended === 'gone' && !inquiry.resolution && !over.signal.aborted) await patient.noteGivenUp(isByClock(call));
  if (ended === 'resolved') collectRead(inquiries, mcpRequest.written, inquiry);
  if (ended === 'later' && round !== undefined)
    return { resultType: 'input_required', requestState: parts.rounds.mint(callNames(call), { inquiryId, round }) };
  if (ended === 'later' && becomes === 'task') return toTask(call, inquiry);
  const { caller } = mcpRequest;
  const told = !inquiry.resolution && caller.kind === 'source' && (await parts.events.isTold(caller, inquiryId));
  return outcomeResult(inquiry, words, { now: inquiries.database.clock.now(), stopping: ended === 'stopping', told });
}

// A client of the new era gives up by closing, an older one by words of its clock; other words are a person's.
function isByClock({ context, era }: Call): boolean {
  const reason: unknown = context.mcpReq.signal.reason;
  return era === 'modern' || (typeof reason === 'string' && timedOut(reason));
}

function endSignal({ context, mcpRequest }: Call, over: AbortSignal): Required<Pick<Wait, 'signal' | 'cancelled'>> {
  const signal = AbortSignal.any([context.mcpReq.signal, over, mcpRequest.gone]);
  const lost = (reason: unknown): boolean =>
    reason instanceof ClientGone || (reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed);
  return { signal, cancelled: () => (lost(signal.reason) ? undefined : withdrawalText(signal.reason)) };
}

/** Tells a client that gave a progress token at once what was asked, and then every so often that the call is alive. */
function startProgress(
  { context: { mcpReq }, mcpRequest, parts, words }: Call,
  { id, prompt, ...inquiry }: Inquiry,
): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  const question = prompt ?? titleText(inquiry, chooseLanguage(inquiry.context?.language, undefined));
  const message = words.waitingFor(inquiry.to);
  const { signs } = mcpRequest.clock;
  const send = (inquired?: Inquired): void => {
    // A client that is gone is noticed by whoever waits.
    void mcpReq
      .notify(progressNotification({ progressToken, progress: signs.count++, message }, inquired))
      .catch(() => {});
  };
  send({ question, inquiryId: id });
  const timer = setInterval(send, parts.pace.progressMs);
  return () => clearInterval(timer);
}
