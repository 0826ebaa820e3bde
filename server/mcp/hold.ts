import { languageOf } from '#shared/texts/language.ts';
import { collectWith } from '../inquiries/collected.ts';
import type { Wait } from '../inquiries/waiters.ts';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import { titleText } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { readForSource } from '../inquiries/read.ts';
import { waitForResolution } from '../inquiries/hold.ts';
import { ClientGone } from '../platform/http/late-reply.ts';
import type { Call, ToolResult, Unfinished } from './call.ts';
import { anotherLeg, nextRound, type Leg } from './legs.ts';
import { waitFor, type ClientWait } from './pace.ts';
import { noteImpatience, patienceOf, timedOut } from './patience.ts';
import { outcomeResult } from './result.ts';
import { declaresTasks, taskOf } from './tasks.ts';

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
  const began = performance.now();
  const shown = showsProgress(call);
  const gaveUpMs = shown ? await patienceOf(inquiries.database, sourceId, call.client) : undefined;
  const { becomes, ms } = chooseWait(call, gaveUpMs);
  const round = becomes === 'leg' ? nextRound(call, leg) : undefined;
  const againMs = round === undefined ? undefined : pace.legMs + pace.graceMs;
  let progress: ReturnType<typeof startProgress> | undefined;
  const heard = (inquiry: Inquiry): void => void (progress ??= startProgress(call, inquiry));
  const read = (): Promise<Inquiry> => readForSource(inquiries, inquiryId, sourceId);
  const over = new AbortController();
  const { signal, cancelled } = endOf(call, over.signal);
  const wait: Wait = { inquiryId, read, heard, first, callerId: sourceId, by, ms, againMs, signal, cancelled };
  const waiting = waitForResolution(inquiries, wait);
  // A newer connection of the same call takes the wait over; whoever only reads waits beside it.
  if (by === 'asker') {
    parts.waits.get(inquiryId)?.abort(new ClientGone());
    parts.waits.set(inquiryId, over);
  }
  const { inquiry, ended } = await waiting.finally(() => {
    progress?.stop();
    if (parts.waits.get(inquiryId) === over) parts.waits.delete(inquiryId);
  });
  // A call that a newer connection took over has given up nothing.
  const givenUp = shown && ended === 'gone' && !inquiry.resolution && !over.signal.aborted;
  if (givenUp) await noteGivenUp(call, sourceId, performance.now() - began);
  // Of an older client's session the event store knows when the reply was written: it may come back for it.
  if (ended === 'resolved' && call.era === 'modern') collectWith(inquiries, visit.reply, inquiry);
  if (ended === 'later' && round !== undefined) return anotherLeg(call, inquiryId, round);
  if (ended === 'later' && becomes === 'task') return taskOf(call, inquiry);
  return outcomeResult(inquiry, words, { stopping: ended === 'stopping' });
}

// As a task where the client knows tasks, else by its clock.
function chooseWait(
  { era, context, parts: { pace }, visit: { overrides } }: Call,
  gaveUpMs: number | undefined,
): ClientWait | { becomes: 'task'; ms: number } {
  if (declaresTasks(context) && overrides.task !== 'off') return { becomes: 'task', ms: pace.taskGraceMs };
  const { progressToken } = context.mcpReq._meta ?? {};
  return waitFor({ modern: era === 'modern', progressToken, waitSeconds: overrides.wait, gaveUpMs }, pace);
}

// Where nothing but progress keeps its client.
function showsProgress({ context, visit: { overrides } }: Call): boolean {
  return context.mcpReq._meta?.progressToken !== undefined && overrides.wait === undefined;
}

// A client of the new era gives up by closing, an older one by words of its clock; other words are a person's.
async function noteGivenUp(call: Call, sourceId: string, waitedMs: number): Promise<void> {
  const { context, era, client, parts } = call;
  const { waiters, database } = parts.inquiries;
  const reason: unknown = context.mcpReq.signal.reason;
  const byClock = era === 'modern' || (typeof reason === 'string' && timedOut(reason));
  if (!byClock || waitedMs < parts.pace.leastMs || waiters.stopping()) return;
  // A hint, which holds up nobody.
  await noteImpatience(database, { sourceId, client, waitedMs }).catch(() => undefined);
}

// A call of a session outlives its connection; what ends it is the session's end, or a cancel.
function endOf({ era, context, visit }: Call, over: AbortSignal): Required<Pick<Wait, 'signal' | 'cancelled'>> {
  const signal = AbortSignal.any([context.mcpReq.signal, over, ...(era === 'modern' ? [visit.gone] : [])]);
  const lost = (reason: unknown): boolean =>
    reason instanceof ClientGone || (reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed);
  return { signal, cancelled: () => (lost(signal.reason) ? undefined : 'The call was cancelled.') };
}

/** Where the protocol wants what is ours (reverse DNS, as `_meta` asks for). */
const INQUIRY_META = 'dev.beckon/inquiry';

/**
 * Tells a client that gave a progress token at once what was asked, and then every so often that the call is alive.
 * The first frame carries the inquiry in `meta`, where readers of the article look, and in `_meta`, the protocol's place.
 */
function startProgress({ context: { mcpReq }, parts, words }: Call, inquiry: Inquiry): { stop(): void } {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { stop: () => undefined };
  const about = {
    question: inquiry.prompt ?? titleText(inquiry, languageOf(inquiry.context?.language, undefined)),
    inquiryId: inquiry.id,
    type: 'INQUIRY',
  };
  const message = words.waitingFor(inquiry.to);
  const send = (params: object): void => {
    // A client that is gone is noticed by whoever waits.
    void mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...params } }).catch(() => {});
  };
  let progress = 0;
  send({ progress, message, meta: about, _meta: { [INQUIRY_META]: about, ...about } });
  const timer = setInterval(() => send({ progress: ++progress, message }), parts.pace.progressMs);
  return { stop: () => clearInterval(timer) };
}
