import { JsonError } from '#shared/json.ts';
import { refusal, toolResult, undecided } from '../../gate/call.ts';
import { decidedByName } from '../../policies/decide.ts';
import { isRetry } from '../../gate/continuations.ts';
import { withoutValue } from '../../gate/json-text.ts';
import { isId, isModern, keyOf, withArguments, type Id, type Message } from '../../gate/messages.ts';
import { CLIENT_PACE, waitFor, type ClientPace, type ClientWait } from '../../mcp/pace.ts';
import { agentOf, createDecide, type Deciding } from './hold.ts';
import { createLeftOpen, type LeftOpen } from './left.ts';
import type { Life } from './life.ts';
import type { Tools } from './tools.ts';

const NOT_DECIDED = 'The call was not run: something unforeseen kept it from being decided.';
const NOT_EDITED = 'The call was not run: the edited arguments cannot be put into it for certain.';

const ANOTHER = 'This requestState belongs to another call';

/** How long calls wait for people, and their questions for clients that could not. */
export type CallPace = ClientPace & { graceMs: number };
export const CALL_PACE: CallPace = { ...CLIENT_PACE, graceMs: 60_000 };

type Line = Buffer | string;
type Given = { line: Line; message: Message };
type Wires = {
  tools: Tools;
  life: Life;
  pass: (line: Line, message: Message) => void;
  reply: (id: Id, result: object) => void;
  /** Answers a call that is not what it may be with an error. */
  refuse: (message: Message, why: string) => void;
  /** The client's name, where its calls do not carry it. */
  agent: () => string | undefined;
};
/** The tool calls of a client that are not yet decided. */
export type Calls = {
  /** Decides a call and passes it on, or replies in the server's place. */
  hold(id: Id, name: string, line: Buffer, message: Message): void;
  /** The client takes a request back; true: it was held, and the server never saw it. */
  cancel(message: Message): boolean;
  close(): Promise<void>;
};

export function createCalls(
  deciding: Deciding,
  { tools, life, pass, reply, refuse, agent }: Wires,
  pace: CallPace,
): Calls {
  const { gate } = deciding;
  const left = createLeftOpen(pace.graceMs);
  const decide = createDecide(deciding, left);
  const held = new Map<string, AbortController>();
  const working = new Set<Promise<void>>();

  const work = async (id: Id, name: string, given: Given, signal: AbortSignal): Promise<void> => {
    const startedAt = performance.now();
    const { line, message, state } = withoutState(given, left);
    if (state !== undefined && message.params?.['inputResponses'] !== undefined) return refuse(message, ANOTHER);
    const text = line.toString();
    const modern = isModern(message);
    const tool = decidedByName(gate, name) ? undefined : await tools.find(name, message);
    const waits = () => life.show(message);
    const { becomes, ms } = waitOf(message, gate.waitSeconds, pace);
    const waitMs = Math.max(0, ms - (performance.now() - startedAt));
    const call = { name, text, tool, agent: agentOf(message) ?? agent(), waitMs, state, waits };
    const decided = await decide(call, signal);
    // Taken back means: neither run nor answered.
    if (signal.aborted || decided === 'gone') return;
    if (decided === 'another') return refuse(message, ANOTHER);
    if (decided.type === 'undecided') {
      const goesOn = becomes === 'leg' && decided.round < pace.legRounds;
      if (goesOn) return reply(id, { resultType: 'input_required', requestState: decided.state });
      return reply(id, toolResult(undecided(undefined, tool), modern));
    }
    if (decided.type === 'reply') return reply(id, toolResult(decided, modern));
    if (decided.argsText === undefined) return pass(line, message);
    const edited = editedLine(text, decided.argsText);
    if (edited === undefined) return reply(id, toolResult(refusal(NOT_EDITED), modern));
    pass(edited, JSON.parse(edited) as Message);
  };
  return {
    hold(id, name, line, message) {
      const controller = new AbortController();
      held.set(keyOf(id), controller);
      const task = work(id, name, { line, message }, controller.signal)
        .catch(() => {
          if (!controller.signal.aborted) reply(id, toolResult(refusal(NOT_DECIDED), isModern(message)));
        })
        .finally(() => {
          if (held.get(keyOf(id)) === controller) held.delete(keyOf(id));
          working.delete(task);
        });
      working.add(task);
    },
    cancel({ params }) {
      const waiting = isId(params?.['requestId']) ? held.get(keyOf(params['requestId'])) : undefined;
      const reason = params?.['reason'];
      const said =
        typeof reason === 'string' && reason !== '' ? reason.slice(0, 500) : 'Its client took the call back.';
      waiting?.abort(new Error(said));
      return waiting !== undefined;
    },
    async close() {
      for (const controller of held.values()) controller.abort(new Error('Its client is gone.'));
      await Promise.all([...working, left.close()]);
    },
  };
}

// What a person decides and the server sees is the call as it was before its client came back with it.
function withoutState({ line, message }: Given, left: LeftOpen): Given & { state?: string } {
  const { requestState: state, ...params } = message.params ?? {};
  if (!left.isOurs(state)) return { line, message };
  const text = withoutValue(line.toString(), ['params', 'requestState']);
  return { line: text, message: { ...message, params }, state };
}

// A round of the server's own cannot be sent again after a leg: its state has no room.
function waitOf(message: Message, waitSeconds: number | undefined, pace: ClientPace): ClientWait {
  const { params } = message;
  const wait = waitFor(
    { modern: isModern(message), progressToken: params?._meta?.['progressToken'], waitSeconds },
    pace,
  );
  return wait.becomes === 'leg' && isRetry(params) ? { ...wait, becomes: 'pending' } : wait;
}

function editedLine(text: string, argsText: string): string | undefined {
  try {
    return withArguments(text, argsText);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
