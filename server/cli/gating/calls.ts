import { randomBytes } from 'node:crypto';
import { JsonError } from '#shared/json.ts';
import {
  goesOn,
  notAsked,
  refusal,
  toolResult,
  undecided,
  withReceipt,
  type Edit,
  type Reply,
} from '../../mcp/gate/call.ts';
import { HELD_ROUNDS, callNames } from '../../mcp/gate/continuations.ts';
import { holdCall, type Place } from '../../mcp/gate/hold.ts';
import {
  readArgsText,
  clientName,
  INVALID_PARAMS,
  isId,
  isModern,
  idKey,
  withArguments,
  withoutState,
  type Id,
  type Message,
} from '../../mcp/messages.ts';
import { waitFor, type ClientPace } from '../../mcp/hold.ts';
import { createRounds, type Rounds } from '../../mcp/rounds.ts';
import { readTrace, withTrace } from '../../platform/trace.ts';
import { decide, decidedByName } from '../../automation/rules/decide.ts';
import type { Life } from './life.ts';
import type { WrappedGate } from './options.ts';
import { CLI, createPeople, type Deciding } from './people.ts';
import type { Tools } from './tools.ts';

const NOT_DECIDED = 'The call was not run: something unforeseen kept it from being decided.';
/** A rule that looks at the time means that of this machine. */
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const ANOTHER = 'This requestState belongs to another call';

type Line = Buffer | string;
type Wires = {
  tools: Tools;
  life: Life;
  pass: (line: Line, message: Message) => void;
  /** A call passes with other arguments than its client sent. */
  edited: (id: Id, edit: Edit) => void;
  reply: (id: Id, result: object) => void;
  /** Answers a call that is not what it may be with an error. */
  refuse: (message: Message, code: number, why: string) => void;
  /** The client's name, where its calls do not carry it. */
  agent: () => string | undefined;
};

type Posted = { id: Id; line: Buffer; message: Message };
type At = Wires & {
  gate: WrappedGate;
  people: ReturnType<typeof createPeople>;
  rounds: Rounds<Place>;
  pace: ClientPace;
};

/** The tool calls of a client that are not yet decided: passed on when they are, or answered in the server's place. */
export function createCalls(deciding: Deciding, wires: Wires, pace: ClientPace) {
  const people = createPeople(deciding, pace.graceMs);
  const rounds = createRounds<Place>(randomBytes(32), { ...HELD_ROUNDS, most: pace.mostRounds });
  const at: At = { ...wires, gate: deciding.gate, people, rounds, pace };
  const held = new Map<string, AbortController>();
  const working = new Set<Promise<void>>();

  return {
    /** Decides a call and passes it on, or replies in the server's place. */
    hold(id: Id, line: Buffer, message: Message): void {
      const controller = new AbortController();
      held.set(idKey(id), controller);
      const trace = readTrace(message.params?._meta);
      const task = withTrace(trace, () => decideCall(at, { id, line, message }, controller.signal))
        .catch((error: unknown) => {
          const why = error instanceof JsonError ? notAsked(error) : refusal(NOT_DECIDED);
          if (!controller.signal.aborted) wires.reply(id, toolResult(why, isModern(message)));
        })
        .finally(() => {
          if (held.get(idKey(id)) === controller) held.delete(idKey(id));
          working.delete(task);
        });
      working.add(task);
    },
    /** The client takes a request back; true: it was held, and the server never saw it. */
    cancel({ params }: Message): boolean {
      const waiting = isId(params?.['requestId']) ? held.get(idKey(params['requestId'])) : undefined;
      const reason = params?.['reason'];
      const said =
        typeof reason === 'string' && reason !== '' ? reason.slice(0, 500) : 'Its client took the call back.';
      waiting?.abort(new Error(said));
      return waiting !== undefined;
    },
    async close(): Promise<void> {
      for (const controller of held.values()) controller.abort(new Error('Its client is gone.'));
      await Promise.all([...working, people.close()]);
    },
  };
}

// Passes a call on when it is decided, or replies in the server's place.
async function decideCall(at: At, { id, line, message }: Posted, signal: AbortSignal): Promise<void> {
  const { gate, tools, life, pass, refuse, agent, people, rounds, pace } = at;
  const startedAt = performance.now();
  const given = { text: line.toString(), message };
  const modern = isModern(message);
  const say = (reply: Reply): void => at.reply(id, toolResult(reply, modern));
  const call = { name: String(message.params?.['name']), argsText: readArgsText(given.text) };
  const names = callNames({ origin: { gate: gate.name, sourceId: CLI.id }, call });
  const round = rounds.read(names, message.params);
  const isRound = typeof round === 'object';
  // What a person decides and the server sees is the call as it was before its client came back with it.
  const own = isRound ? withoutState(given) : given;
  const body = isRound ? own.text : line;
  const calledBy = clientName(message) ?? agent();
  const calling = { sourceId: CLI.id, agent: calledBy, argsText: call.argsText, now: Date.now() };
  const policy = { ...gate, timeZone };
  const tool = decidedByName(policy, call.name, calling) ? undefined : await tools.find(call.name, message);
  const verdict = decide(policy, call.name, tool, calling);
  if (verdict.does === 'allow') return pass(body, own.message);
  if (verdict.does === 'deny') return say(refusal(verdict.text));
  if (round === 'another') return refuse(message, INVALID_PARAMS, ANOTHER);
  const { waitSeconds } = gate;
  const wait = waitFor({ modern, progressToken: message.params?._meta?.['progressToken'], waitSeconds }, pace);
  const decided = await holdCall(people.of(call.name, signal), {
    gate,
    source: CLI,
    call,
    verdict,
    tool,
    agent: calledBy,
    waitMs: Math.max(0, wait.ms - (performance.now() - startedAt)),
    place: round,
    signal,
  }).finally(life.show(own.message));
  // Taken back means: neither run nor answered.
  if (signal.aborted || decided === 'gone') return;
  if (decided.type === 'reply') return say(decided);
  if (decided.type === 'forward') {
    const { argsText, receipt } = decided;
    if (argsText !== undefined) at.edited(id, { argsText });
    if (argsText === undefined && receipt === undefined) return pass(body, own.message);
    const chosen = argsText === undefined ? own.text : withArguments(own.text, argsText);
    const sent = receipt === undefined ? chosen : withReceipt(chosen, receipt);
    return pass(sent, JSON.parse(sent) as Message);
  }
  const next = goesOn(wait, own.message) ? rounds.after(round) : undefined;
  if (next === undefined) return say(undecided(undefined, tool));
  const requestState = rounds.mint(names, { ...decided.place, round: next });
  at.reply(id, { resultType: 'input_required', requestState });
}
