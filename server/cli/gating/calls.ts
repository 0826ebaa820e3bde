import { JsonError } from '#shared/json.ts';
import { decidedByName, refusal, toolResult } from '../../gate/call.ts';
import { isId, isModern, keyOf, withArguments, type Id, type Message } from '../../gate/stdio/messages.ts';
import { agentOf, createDecide, type Deciding } from './hold.ts';
import type { Life } from './life.ts';
import type { Tools } from './tools.ts';

const NOT_DECIDED = 'The call was not run: something unforeseen kept it from being decided.';
const NOT_EDITED = 'The call was not run: the edited arguments cannot be put into it for certain.';

type Line = Buffer | string;
type Wires = {
  tools: Tools;
  life: Life;
  pass: (line: Line, message: Message) => void;
  reply: (id: Id, result: object) => void;
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

export function createCalls(deciding: Deciding, { tools, life, pass, reply, agent }: Wires): Calls {
  const decide = createDecide(deciding);
  const held = new Map<string, AbortController>();
  const working = new Set<Promise<void>>();

  const work = async (id: Id, name: string, line: Buffer, message: Message, signal: AbortSignal): Promise<void> => {
    const text = line.toString();
    const tool = decidedByName(deciding.gate, name) ? undefined : await tools.find(name, message);
    const waits = () => life.show(message);
    const decided = await decide({ name, text, tool, agent: agentOf(message) ?? agent(), waits }, signal);
    // Taken back means: neither run nor answered.
    if (signal.aborted || decided === 'gone') return;
    if (decided.type === 'reply') return reply(id, toolResult(decided, isModern(message)));
    if (decided.argsText === undefined) return pass(line, message);
    const edited = editedLine(text, decided.argsText);
    if (edited === undefined) return reply(id, toolResult(refusal(NOT_EDITED), isModern(message)));
    pass(edited, JSON.parse(edited) as Message);
  };
  return {
    hold(id, name, line, message) {
      const controller = new AbortController();
      held.set(keyOf(id), controller);
      const task = work(id, name, line, message, controller.signal)
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
      await Promise.all(working);
    },
  };
}

function editedLine(text: string, argsText: string): string | undefined {
  try {
    return withArguments(text, argsText);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
