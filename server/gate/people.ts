import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { ask } from '../inquiries/ask.ts';
import { collectOnce } from '../inquiries/collected.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { readForSource } from '../inquiries/read.ts';
import { waitForResolution, type Waited } from '../inquiries/hold.ts';
import type { ClientPace } from '../mcp/pace.ts';
import type { Log } from '../platform/log.ts';
import { decide } from '../automation/rules/decide.ts';
import { refusal } from './call.ts';
import type { Catalogue } from './catalogue.ts';
import type { GateConfig, GateStore } from './config/store.ts';
import type { HeldCalls } from '../platform/held-calls.ts';
import type { HoldCommand, People } from './hold.ts';

/** How often a held call gives a sign of life, and how long it waits for its client; tests are faster. */
export type Pace = ClientPace & {
  /** The first frame goes out when the decision took this long. */
  firstFrameMs: number;
  everyMs: number;
  /** Calls that arrive within this time after one another are one turn. */
  burstMs: number;
  /** So long a call waits for its client to come back: from a lost legacy connection, or between two legs. */
  graceMs: number;
};

/** What every gate needs. */
export type Gates = {
  inquiries: Inquiries;
  /** The gate of this name as it is now. */
  find: GateStore['find'];
  catalogue: Catalogue;
  /** The calls that this node holds. */
  held: HeldCalls;
  log: Log;
  pace: Pace;
  count(event: 'allowed' | 'denied' | 'asked' | 'approved' | 'edited' | 'rejected' | 'responded' | 'unanswered'): void;
};

/** Why a held call's signal aborts when its client takes the call back; any other reason is a lost connection. */
export class CallCancelled extends Error {}
/** The client's clock ran out: nobody took anything back, and the same call is likely to come again. */
export class CallTimedOut extends CallCancelled {}

/** For whom people are asked. */
export type Asker = {
  gate: GateConfig;
  source: { id: string };
  /** Of the older revisions. */
  sessionId?: string | undefined;
  /**
   * So long a client whose connection was lost may come back with the same call. Absent: the gate's grace
   * within a session; without one, closing is the client's way to cancel and 2 s must do.
   */
  graceMs?: number | undefined;
  /** Aborts when the client is gone; with a `CallCancelled`, when it takes the call back. */
  signal: AbortSignal;
  onAsked?: ((inquiryId: string) => void | Promise<void>) | undefined;
};

/** Asks people, or finds what the same call has asked them before (ASK5), and waits; `againMs`: so long for a client that cannot wait `ms`. */
export async function askPeople(
  { inquiries, pace, count }: Gates,
  { gate, source, sessionId, signal, onAsked, graceMs = sessionId === undefined ? undefined : pace.graceMs }: Asker,
  question: Ask,
  { matchedBy, ms, againMs, tool }: { matchedBy: string; ms: number; againMs?: number; tool?: HoldCommand['tool'] },
): Promise<Waited> {
  // Above 0, because who asks at all waits, and whole, because the database takes no parts of one.
  const waitMs = Math.max(1, Math.ceil(Math.min(ms, gate.deadline * 1000)));
  const asked = {
    sourceId: source.id,
    ask: question,
    waitMs,
    matchedBy,
    gate: { name: gate.name, annotations: tool && (tool.annotations ?? {}) },
  };
  const { inquiryId, created } = await ask(inquiries, asked);
  if (created && question.actions) count('asked');
  await onAsked?.(inquiryId);
  return waitForResolution(inquiries, {
    inquiryId,
    read: () => readForSource(inquiries, inquiryId, source.id),
    callerId: source.id,
    by: 'asker',
    ms,
    signal,
    cancelled: () => wordsOf(signal),
    graceMs,
    againMs,
  });
}

type Caller = Asker & Pick<HoldCommand, 'call' | 'tool' | 'agent'> & { requestId: string | number };

/** The people of a gate, asked about one call in this process. */
export function peopleOf(gates: Gates, caller: Caller): People {
  const { gate, source, call, tool, agent, sessionId, requestId } = caller;
  const { graceMs } = gates.pace;
  const correlation = { gate: gate.name, session: sessionId ?? null, requestId };
  return {
    held: gates.held,
    graceMs,
    ask: (question, matchedBy, ms) =>
      askPeople(gates, caller, { ...question, correlation }, { matchedBy, ms, againMs: graceMs, tool }),
    async use(inquiry, decided) {
      if (decided.type === 'forward' && !(await collectOnce(gates.inquiries, inquiry.id))) return 'used';
      gates.count(eventOf(inquiry));
      if (decided.type === 'reply') return decided;
      // While a person read it the gate may have been closed to this call, or moved to another server.
      const now = await gates.find(gate.name);
      if (!now || !(now.sources?.includes(source.id) ?? true) || now.upstream.url !== gate.upstream.url)
        return refusal('The call was not run: the gate was taken away or changed while a person decided.');
      // What a person made of the arguments is no more allowed than what was asked.
      const { argsText = call.argsText } = decided;
      const calling = { sourceId: source.id, agent, argsText, now: gates.inquiries.database.clock.now() };
      const verdict = decide(now, call.name, tool, calling);
      return verdict.does === 'deny' ? refusal(verdict.text) : decided;
    },
    leftOut: (reason) =>
      gates.log.warn({ gate: gate.name, tool: call.name, reason }, 'the schema of a tool is left out of its calls'),
  };
}

/** What a client said that took its call back; undefined where it ran out of time or its connection was lost. */
function wordsOf({ reason }: AbortSignal): string | undefined {
  return reason instanceof CallCancelled && !(reason instanceof CallTimedOut) ? reason.message : undefined;
}

function eventOf({ resolution }: Inquiry): 'approved' | 'edited' | 'rejected' | 'responded' | 'unanswered' {
  const [decision] = resolution?.answer?.decisions ?? [];
  return decision === undefined ? 'unanswered' : EVENTS[decision.type];
}

const EVENTS = { approve: 'approved', edit: 'edited', reject: 'rejected', respond: 'responded' } as const;
