import { createHash } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import type { Inquiry } from '#shared/inquiry.ts';
import { JsonError } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import { readForSource } from '../inquiries/read.ts';
import { collectOnce, type Waited, waitForResolution } from '../inquiries/wait.ts';
import { renewLease } from '../inquiries/lease.ts';
import { noteHeld, type CallName } from './continuations.ts';
import { askOf, decidedOf, refusal, withUsableSchema, type Decided, type ToolCall } from './call.ts';
import { decide } from '../policies/decide.ts';
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
  const verdict = decide(gate, call.name, tool);
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
      if (sessionId !== undefined) await noteHeld(gates.inquiries.database, nameOf(command), inquiryId, gate.deadline);
      command.onAsked?.(inquiryId);
      const { inquiry, ended } = await wait(gates, command, inquiryId, end - performance.now());
      if (ended === 'gone' || ended === 'stopping') return 'gone';
      if (ended === 'later') {
        keptMs = gates.pace.graceMs;
        return { type: 'undecided', inquiryId, ordinal };
      }
      const decided = await decidedOf(inquiry, { owner: source.id, tool });
      // Where the claim fails somebody else has used this approval: the same call came in twice.
      if (decided.type === 'forward' && !(await collectOnce(gates.inquiries, inquiryId))) continue;
      gates.count(eventOf(inquiry));
      return { ...(decided.type === 'forward' ? await stillAllowed(gates, command, decided) : decided), inquiryId };
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
  await renewLease(inquiries, leg.inquiryId, Math.min(waitMs, gate.deadline * 1000) + pace.graceMs);
  const { resolution } = await readForSource(inquiries, leg.inquiryId, source.id);
  if (!resolution) return leg.inquiryId;
  const fresh = Date.parse(resolution.at) > inquiries.database.clock.now() - FRESH_MS;
  return fresh && resolution.outcome !== 'withdrawn' ? leg.inquiryId : undefined;
}

// While a person read it the gate may have been closed to this call, or moved to another server.
async function stillAllowed(gates: Gates, command: HoldCommand, decided: Decided): Promise<Decided> {
  const { gate, source, call, tool } = command;
  const now = await gates.find(gate.name);
  if (!now || !(now.sources?.includes(source.id) ?? true) || now.upstream.url !== gate.upstream.url)
    return refusal('The call was not run: the gate was taken away or changed while a person decided.');
  const verdict = decide(now, call.name, tool);
  return verdict.does === 'deny' ? refusal(verdict.text) : decided;
}

function nameOf({ gate, source, sessionId, requestId }: HoldCommand): CallName {
  return { gate: gate.name, sourceId: source.id, sessionId, requestId };
}

async function open(
  gates: Gates,
  { gate, source, sessionId, requestId }: HoldCommand,
  about: ReturnType<typeof askOf>,
  matchedBy: string,
): Promise<string> {
  const correlation = { gate: gate.name, session: sessionId ?? null, requestId };
  const { inquiryId, created } = await ask(gates.inquiries, {
    sourceId: source.id,
    ask: { ...about, correlation },
    waitMs: gate.deadline * 1000,
    matchedBy,
  });
  if (created) gates.count('asked');
  return inquiryId;
}

function wait(gates: Gates, command: HoldCommand, inquiryId: string, ms: number): Promise<Waited> {
  const { inquiries, pace } = gates;
  const { source, signal, sessionId } = command;
  return waitForResolution(inquiries, {
    inquiryId,
    read: () => readForSource(inquiries, inquiryId, source.id),
    callerId: source.id,
    by: 'asker',
    ms,
    signal,
    cancelled: () => wordsOf(signal),
    graceMs: command.graceMs ?? (sessionId === undefined ? undefined : pace.graceMs),
    againMs: pace.graceMs,
  });
}

/** What a client said that took its call back; undefined where it ran out of time or its connection was lost. */
export function wordsOf({ reason }: AbortSignal): string | undefined {
  return reason instanceof CallCancelled && !(reason instanceof CallTimedOut) ? reason.message : undefined;
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
