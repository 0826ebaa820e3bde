import { collectRead } from '../../inquiries/collected.ts';
import { z } from 'zod';
import { Ask } from '#shared/inquiry.ts';
import { canonical, withoutUndefined } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { NewNotice } from '#shared/wire.ts';
import { ask } from '../../inquiries/ask.ts';
import { renewLease, WAITING_MS } from '../../inquiries/lease.ts';
import { readForSource } from '../../inquiries/read.ts';
import { withdrawInquiry } from '../../inquiries/withdraw.ts';
import { sendNotice } from '../../notices/send.ts';
import {
  digestCall,
  InquiryId,
  readArguments,
  requireSource,
  type Call,
  type ToolResult,
  type Unfinished,
} from './call.ts';
import { waitForAnswer } from './waiting.ts';
import { outcomeResult, toolResult } from './result.ts';

const Withdrawal = z.object({ inquiryId: InquiryId, reason: z.string().max(2000).optional() });
const MAX_AGENT = 200;

/**
 * Asks and waits. The same call that comes again, after a lost connection, a restart or a time-out, finds the inquiry
 * it opened (ASK5); one whose fault is the asker's is refused with every fault and nobody is woken (ASK3).
 */
export async function sendInquiry(call: Call): Promise<ToolResult | Unfinished> {
  const { inquiries, pace } = call.parts;
  const { id: sourceId } = requireSource(call);
  if (call.round) {
    const { inquiryId } = call.round;
    // Taken anew, so that it outlives this round too.
    await renewLease(inquiries, inquiryId, pace.roundMs + pace.graceMs);
    return waitForAnswer(call, { sourceId, inquiryId, by: 'asker' });
  }
  const given = readAsk(call);
  const place = takePlace(call, sourceId);
  if (place?.ordinal) await call.mcpRequest.noteOrdinal?.(place.ordinal);
  const asking = () => ask(inquiries, { sourceId, ask: given, waitMs: WAITING_MS, ...place?.named });
  // Whose connection was lost, it goes on waiting, and is let in.
  const comesBack = call.mcpRequest.ordinal !== undefined;
  try {
    const { inquiryId, inquiry } = await (comesBack ? asking() : call.parts.asks.run(sourceId, asking));
    call.mcpRequest.onAsked?.(inquiryId);
    return await waitForAnswer(call, { sourceId, inquiryId, first: inquiry, by: 'asker' });
  } finally {
    place?.end();
  }
}

/**
 * What names this very call (ASK5): its id together with what that is unique in, or its session, in which a second call
 * like it is another question while this one waits. Its words alone name nothing.
 */
function takePlace(call: Call, sourceId: string) {
  const { mcpRequest, context, parts } = call;
  const { to, deadline } = mcpRequest.overrides;
  const asked = withoutUndefined({ digest: digestCall(call), to, deadline });
  if (mcpRequest.callId !== undefined)
    return { named: { matchedBy: canonical({ call: mcpRequest.callId, asked }) }, ordinal: 0, end: () => undefined };
  const { sessionId } = context;
  if (sessionId === undefined) return undefined;
  const like = canonical({ session: sessionId, sourceId, asked });
  const { ordinal, end } = parts.held.begin({ like, ordinal: mcpRequest.ordinal });
  return { named: { matchedBy: `${like} ${ordinal}` }, ordinal, end };
}

function readAsk(call: Call): Ask {
  const { overrides, locale } = call.mcpRequest;
  const { latest, ...given } = readArguments(call, Ask);
  const agent = given.context?.agent ?? call.agent?.slice(0, MAX_AGENT);
  const language = given.context?.language ?? (overrides.locale === undefined ? undefined : locale);
  const context = { ...given.context, ...(agent ? { agent } : {}), ...(language ? { language } : {}) };
  return {
    ...given,
    ...(overrides.to ? { to: overrides.to } : {}),
    ...(overrides.deadline === undefined ? (latest === undefined ? {} : { latest }) : { deadline: overrides.deadline }),
    ...(Object.keys(context).length > 0 ? { context } : {}),
  };
}

/** Goes on waiting for an inquiry of this source. It only reads: its end, however it comes, leaves the inquiry open. */
export async function getAnswer(call: Call): Promise<ToolResult | Unfinished> {
  const { inquiryId } = readArguments(call, z.object({ inquiryId: InquiryId }));
  return waitForAnswer(call, { sourceId: requireSource(call).id, inquiryId, by: 'source' });
}

/** Takes an inquiry back; one that was resolved first is handed over instead. */
export async function withdrawInquiryTool(call: Call): Promise<ToolResult> {
  const { inquiryId, reason } = readArguments(call, Withdrawal);
  const { parts, words } = call;
  const { inquiries } = parts;
  const sourceId = requireSource(call).id;
  const now = inquiries.database.clock.now();
  try {
    return outcomeResult(await withdrawInquiry(inquiries, sourceId, inquiryId, reason), words, { now });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'inquiry.already_resolved') throw error;
    const inquiry = await readForSource(inquiries, inquiryId, sourceId);
    const result = outcomeResult(inquiry, words, { now });
    collectRead(inquiries, call.mcpRequest.written, inquiry);
    return { ...result, content: [{ type: 'text', text: words.alreadyResolved }, ...result.content] };
  }
}

/** Tells people something that needs no answer. */
export async function sendNoticeTool(call: Call): Promise<ToolResult> {
  const { to } = call.mcpRequest.overrides;
  const given = { ...readArguments(call, NewNotice), ...(to ? { to } : {}) };
  const { notice } = await sendNotice(call.parts.notices, requireSource(call).id, given);
  return toolResult(call.words.noticeSent, { noticeId: notice.id });
}
