import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import type { Inquiry } from '#shared/inquiry.ts';
import { JsonError } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { readForSource } from '../inquiries/read.ts';
import { collectOnce } from '../inquiries/waiting/collect.ts';
import { releaseLease } from '../inquiries/waiting/lease.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { askOf, decidedOf, refusal, verdictOf, withUsableSchema, type Decided, type ToolCall } from './call.ts';
import type { GateConfig, Gates } from './gates.ts';

/** Why a held call's signal aborts when its client takes the call back; any other reason is a lost connection. */
export class CallCancelled extends Error {}
/** The client's clock ran out: nobody took anything back, and the same call is likely to come again. */
export class CallTimedOut extends CallCancelled {}

export type HoldCommand = {
  gate: GateConfig;
  source: { id: string; name: string };
  call: ToolCall;
  tool?: Tool | undefined;
  /** Of the older revisions. */
  sessionId?: string | undefined;
  /**
   * So long a client whose connection was lost may come back with the same call. Absent: the gate's grace
   * within a session; without one, closing is the client's way to cancel and 2 s must do.
   */
  graceMs?: number | undefined;
  requestId: string | number;
  /** So long the client can wait; absent: as long as a person takes. */
  waitMs?: number | undefined;
  /** The question that this very call has waited for before, and its place among identical ones. */
  leg?: { inquiryId?: string | undefined; ordinal: number } | undefined;
  agent?: string | undefined;
  language?: string | undefined;
  /** Aborts when the client is gone; with a `CallCancelled`, when it takes the call back. */
  signal: AbortSignal;
  onAsked?: ((inquiryId: string) => void) | undefined;
};
/** A decision with the inquiry behind it. A reply's inquiry is collected by whoever has written the reply in full. */
export type Held = Decided & { inquiryId?: string };
/** Nobody has decided in the time that the client has; its question stays open for the gate's grace. */
export type Undecided = { type: 'undecided'; inquiryId: string; ordinal: number };

/** So fresh an approval has to be that nobody was there to use (ASK5). */
const FRESH_MS = 60_000;

/**
 * What becomes of a call: at once where the gate's rules decide, else when a person has. An approval is
 * used up before this returns "forward", so that it lets one call pass, whatever is sent again (ASK5).
 * "gone": the client is, or this node stops; "undecided": the client can wait no longer. Then nothing may be forwarded.
 */
export async function holdCall(gates: Gates, command: HoldCommand): Promise<Held | Undecided | 'gone'> {
  const { gate, source, call, tool, sessionId, waitMs = Infinity, leg } = command;
  const end = performance.now() + waitMs;
  const verdict = verdictOf(gate, call.name, tool);
  if (verdict.does === 'allow') return { type: 'forward' };
  if (verdict.does === 'deny') return refusal(verdict.text);
  const like = sha256([gate.name, source.id, call.name, call.argsText]);
  const turn = JSON.stringify([gate.name, source.id, sessionId ?? '']);
  const held = gates.held.begin({ like, turn, ordinal: leg?.ordinal });
  const { ordinal } = held;
  let keptMs = 0;
  try {
    const { agent, language } = command;
    const usable = await withUsableSchema(source.id, verdict, (reason) =>
      gates.log.warn({ gate: gate.name, tool: call.name, reason }, 'the schema of a tool is left out of its calls'),
    );
    const about = () => askOf(gate, { call, verdict: usable, agent, language, group: held.group });
    for (let known = await continued(gates, command); ; known = undefined) {
      if (known === undefined && command.signal.aborted) return 'gone';
      const inquiryId = known ?? (await open(gates, command, about(), `gate ${like} ${ordinal}`));
      command.onAsked?.(inquiryId);
      const inquiry = await wait(gates, command, inquiryId, end - performance.now());
      if (inquiry === 'gone') return inquiry;
      if (!inquiry.resolution) {
        keptMs = gates.pace.graceMs;
        await releaseLease(gates.inquiries, inquiryId, keptMs);
        return { type: 'undecided', inquiryId, ordinal };
      }
      const decided = await decidedOf(inquiry, { owner: source.id, tool });
      // Where the claim fails somebody else has used this approval: the same call came in twice.
      if (decided.type === 'forward' && !(await collectOnce(gates.inquiries, inquiryId))) continue;
      gates.count(eventOf(inquiry));
      return { ...decided, inquiryId };
    }
  } catch (error) {
    return refusalOf(error);
  } finally {
    held.end(keptMs);
  }
}

/**
 * The question that a call goes on waiting for, with a lease that outlives this wait; undefined where there is none,
 * or where it was resolved as a new call may not use it any more.
 */
async function continued({ inquiries, pace }: Gates, command: HoldCommand): Promise<string | undefined> {
  const { leg, gate, source, waitMs = Infinity } = command;
  if (leg?.inquiryId === undefined) return undefined;
  await releaseLease(inquiries, leg.inquiryId, Math.min(waitMs, gate.deadline * 1000) + pace.graceMs);
  const { resolution } = await readForSource(inquiries, leg.inquiryId, source.id);
  if (!resolution) return leg.inquiryId;
  const fresh = Date.parse(resolution.at) > inquiries.database.clock.now() - FRESH_MS;
  return fresh && resolution.outcome !== 'withdrawn' ? leg.inquiryId : undefined;
}

/** What an inquiry carries so that any node finds the call behind it. */
export function correlationOf({
  gate,
  sessionId,
  requestId,
}: {
  gate: string;
  sessionId: string | undefined;
  requestId: string | number;
}): { gate: string; session: string | null; requestId: string | number } {
  return { gate, session: sessionId ?? null, requestId };
}

async function open(
  gates: Gates,
  { gate, source, sessionId, requestId }: HoldCommand,
  about: ReturnType<typeof askOf>,
  matchedBy: string,
): Promise<string> {
  const correlation = correlationOf({ gate: gate.name, sessionId, requestId });
  const { inquiryId, created } = await ask(gates.inquiries, {
    sourceId: source.id,
    ask: { ...about, correlation },
    waitMs: gate.deadline * 1000,
    matchedBy,
  });
  if (created) gates.count('asked');
  return inquiryId;
}

async function wait(gates: Gates, command: HoldCommand, inquiryId: string, ms: number): Promise<Inquiry | 'gone'> {
  const { inquiries, pace } = gates;
  const { source, signal, sessionId } = command;
  const graceMs = command.graceMs ?? (sessionId === undefined ? undefined : pace.graceMs);
  const inquiry = await inquiries.waiters.until(
    inquiryId,
    () => readForSource(inquiries, inquiryId, source.id),
    ({ resolution }) => resolution !== undefined,
    ms,
    signal,
  );
  const { reason } = signal;
  if (reason instanceof CallCancelled && !(reason instanceof CallTimedOut))
    await takeBack(gates, source.id, inquiryId, reason.message);
  else if (signal.aborted && !inquiry.resolution) {
    await releaseLease(inquiries, inquiryId, graceMs);
  }
  const stopped = inquiry.resolution === undefined && inquiries.waiters.stopping();
  return signal.aborted || stopped ? 'gone' : inquiry;
}

async function takeBack({ inquiries }: Gates, sourceId: string, inquiryId: string, reason: string): Promise<void> {
  try {
    await withdrawInquiry(inquiries, sourceId, inquiryId, reason || undefined);
  } catch (error) {
    // Answered in the same moment: the answer stands, and nobody is left to use it.
    if (!(error instanceof AppError)) throw error;
  }
}

function eventOf({ resolution }: Inquiry): 'approved' | 'edited' | 'rejected' | 'responded' | 'unanswered' {
  const [decision] = resolution?.answer?.decisions ?? [];
  return decision === undefined ? 'unanswered' : EVENTS[decision.type];
}

const EVENTS = { approve: 'approved', edit: 'edited', reject: 'rejected', respond: 'responded' } as const;

// A call that cannot be shown to anybody is not let through: whoever asks is told why.
function refusalOf(error: unknown): Held {
  if (error instanceof JsonError) return refusal(`The call was not run: a person cannot be shown it. ${error.message}`);
  if (!(error instanceof AppError)) throw error;
  const faults = (error.faults ?? []).map(({ path, message }) => `${path} ${message}`).join('; ');
  return refusal(`The call was not run: nobody could be asked. ${error.message}${faults ? ` (${faults})` : ''}`);
}

function sha256(parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
