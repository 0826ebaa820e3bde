import { createHash, randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { hasEnded } from '#shared/validity.ts';
import {
  buildAsk,
  ended,
  readDecision,
  notAsked,
  refusal,
  withUsableSchema,
  type AskAbout,
  type Decided,
  type Reply,
} from './call.ts';
import type { GateConfig, GateStore } from './config/store.ts';
import type { HeldCalls } from '../../platform/held-calls.ts';
import { ask } from '../../inquiries/ask.ts';
import { collectOnce } from '../../inquiries/collected.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { readForSource } from '../../inquiries/read.ts';
import { waitForResolution, type Waited } from '../../inquiries/hold.ts';
import { timedOut, type Pace } from '../hold.ts';
import type { Admission } from '../../platform/http/admission.ts';
import type { Log } from '../../platform/log.ts';
import { decide } from '../../automation/rules/decide.ts';
import type { Catalogue } from './catalogue.ts';

/** The people who decide about calls: how they are asked and waited for, in this process or over HTTP. */
export type People = {
  held: HeldCalls;
  /** Where all calls are of one client, as in a process of its own. */
  client?: string;
  /** So long a question stays open for a call whose client could wait no longer. */
  graceMs: number;
  /** Asks, or goes on with what the call of this name has asked before, and waits for `ms`. */
  ask(question: Ask, name: string, ms: number): Promise<Heard>;
  /** What may be done with a resolution, once; "used" where an approval was used already: the same call came in twice. */
  use?(inquiry: Inquiry, decided: Decided): Promise<Decided | 'used'>;
  /** The time by the hub's clock, in ms. */
  now(): number;
  /** The schema of a tool is no help for people who edit its arguments. */
  leftOut(reason: string): void;
};

type Heard = { ended: 'resolved'; inquiry: Inquiry } | { ended: Exclude<Waited['ended'], 'resolved'> };

export type HoldCommand = Omit<AskAbout, 'group'> &
  Pick<Asker, 'source' | 'sessionId' | 'signal'> & {
    gate: Pick<GateConfig, 'name' | 'to' | 'deadline' | 'validFor' | 'approvals'>;
    tool?: Tool | undefined;
    /** By which its client comes back for it, where it has no session. */
    streamId?: string | undefined;
    /** So long the client can wait; absent: as long as a person takes. */
    waitMs?: number | undefined;
    /** Its place, where it goes on waiting. */
    place?: Place | undefined;
  };
/** A decision with the inquiry behind it. A reply's inquiry is collected by whoever has written the reply in full. */
export type Held = (Exclude<Decided, Reply> & { inquiryId: string }) | (Reply & { inquiryId?: string });
/** Nobody has decided in the time that the client has; its question stays open for the grace. */
export type Undecided = { type: 'undecided'; place: Place };
/** A place among the identical calls of one session, or of one call that goes on waiting. */
export type Place = { within: string; ordinal: number };

/**
 * What becomes of a call that people are asked about. An approval is used up before this returns "forward", so that
 * it lets one call pass, whatever is sent again (ASK5). "gone": the client is, or this node stops; "undecided": the
 * client can wait no longer. Then nothing may be forwarded.
 */
export async function holdCall(people: People, command: HoldCommand): Promise<Held | Undecided | 'gone'> {
  const { gate, source, call, tool, sessionId, waitMs = Infinity } = command;
  const { allowed, argsSchema } = command.verdict;
  const end = performance.now() + waitMs;
  const like = createHash('sha256')
    .update(JSON.stringify([gate.name, source.id, call.name, call.argsText]))
    .digest('hex');
  const turn = JSON.stringify([gate.name, source.id, sessionId ?? '']);
  // Its words alone name no call: of other sessions, and of clients without one, each is a question of its own (ASK5).
  const { within } = command.place ?? { within: people.client ?? sessionId ?? command.streamId ?? randomUUID() };
  const held = people.held.begin({ like: JSON.stringify([like, within]), turn, ordinal: command.place?.ordinal });
  const { ordinal, group } = held;
  // Not what the tool says of itself: its server may say something else at each reading, or nothing for a while.
  const name = `gate ${like} ${within} ${ordinal} ${JSON.stringify([allowed, argsSchema])}`;
  let keptMs = 0;
  try {
    const verdict = await withUsableSchema(source.id, command.verdict, people.leftOut);
    // Who goes on waiting takes back what is open even where it is gone already.
    for (let known = command.place !== undefined; known || !command.signal.aborted; known = false) {
      const question = buildAsk(gate, { ...command, verdict, group });
      const waited = await people.ask(question, name, end - performance.now());
      if (waited.ended === 'later') {
        keptMs = people.graceMs;
        return { type: 'undecided', place: { within, ordinal } };
      }
      if (waited.ended !== 'resolved') return 'gone';
      const { inquiry } = waited;
      const decided = await readDecision(inquiry, { owner: source.id, tool });
      const usable = people.use ? await people.use(inquiry, decided) : decided;
      if (usable === 'used') continue;
      const late = usable.type === 'forward' && hasEnded(inquiry, people.now());
      return { ...(late ? ended(inquiry) : usable), inquiryId: inquiry.id };
    }
    return 'gone';
  } catch (error) {
    return notAsked(error);
  } finally {
    held.end(keptMs);
  }
}

/** What every gate needs. */
export type Gates = {
  inquiries: Inquiries;
  /** Lets no further ask in while this node has more to do than it can (LIV4). */
  asks: Pick<Admission, 'run'>;
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
/** What a client says that takes its call back, as the reason of a signal. */
export const takenBack = (reason: string): CallCancelled =>
  timedOut(reason) ? new CallTimedOut(reason) : new CallCancelled(reason);

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
  /** It waits for a question that it has asked before. */
  comesBack?: boolean | undefined;
  onAsked?: ((inquiryId: string) => void | Promise<void>) | undefined;
};

/** Asks people, or finds what the same call has asked them before (ASK5), and waits; `againMs`: so long for a client that cannot wait `ms`. */
export async function askPeople(
  { inquiries, asks, pace, count }: Gates,
  asker: Asker,
  question: Ask,
  { matchedBy, ms, againMs, tool }: { matchedBy: string; ms: number; againMs?: number; tool?: HoldCommand['tool'] },
): Promise<Waited> {
  const { gate, source, sessionId, signal, comesBack, onAsked } = asker;
  const { graceMs = sessionId === undefined ? undefined : pace.graceMs } = asker;
  // Above 0, because who asks at all waits, and whole, because the database takes no parts of one.
  const waitMs = Math.max(1, Math.ceil(Math.min(ms, gate.deadline * 1000)));
  const asked = {
    sourceId: source.id,
    ask: question,
    waitMs,
    matchedBy,
    gate: { name: gate.name, annotations: tool && (tool.annotations ?? {}) },
  };
  const asking = () => ask(inquiries, asked);
  const { inquiryId, created } = await (comesBack ? asking() : asks.run(source.id, asking));
  if (created && question.actions) count('asked');
  await onAsked?.(inquiryId);
  return waitForResolution(inquiries, {
    inquiryId,
    read: () => readForSource(inquiries, inquiryId, source.id),
    callerId: source.id,
    by: 'asker',
    ms,
    signal,
    cancelled: () => cancelReason(signal),
    graceMs,
    againMs,
  });
}

type Caller = Asker & Pick<HoldCommand, 'call' | 'tool' | 'agent'> & { requestId: string | number };

/** The people of a gate, asked about one call in this process. */
export function createPeople(gates: Gates, caller: Caller): People {
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
      gates.count(toEvent(inquiry));
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
    now: () => gates.inquiries.database.clock.now(),
    leftOut: (reason) =>
      gates.log.warn({ gate: gate.name, tool: call.name, reason }, 'the schema of a tool is left out of its calls'),
  };
}

/** What a client said that took its call back; undefined where it ran out of time or its connection was lost. */
function cancelReason({ reason }: AbortSignal): string | undefined {
  return reason instanceof CallCancelled && !(reason instanceof CallTimedOut) ? reason.message : undefined;
}

function toEvent({ resolution }: Inquiry): 'approved' | 'edited' | 'rejected' | 'responded' | 'unanswered' {
  const [decision] = resolution?.answer?.decisions ?? [];
  return decision === undefined ? 'unanswered' : EVENTS[decision.type];
}

const EVENTS = { approve: 'approved', edit: 'edited', reject: 'rejected', respond: 'responded' } as const;
