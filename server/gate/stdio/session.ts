import { randomUUID } from 'node:crypto';
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { GateConfig } from '../gates.ts';
import { createEventStore } from './events.ts';
import { createFlow, type Flow } from './flow.ts';
import { isId, keyOf, parseLoose, type Id, type Message } from './messages.ts';
import type { Programs } from './programs.ts';

const RETRY_MS = 1_000;
const INTERNAL_ERROR = -32603;

/** One client of a revision before 2026-07-28 and the program that is its alone, from `initialize` to its end. */
export type Session = {
  id: string;
  /** The gate and the credential that made it; to others it does not exist. */
  owner: string;
  handle(request: Request, message: unknown): Promise<Response>;
  /** Through which the bodies of its responses are to be passed on. */
  flow: Flow;
  /** Nothing is under way and nobody listens since then; undefined: it is in use. */
  idleSince(): number | undefined;
  /** A request or a stream of this session was opened or closed. */
  streams(change: 1 | -1): void;
  close(): Promise<void>;
};

type Opening = {
  gate: GateConfig;
  owner: string;
  prefix: string;
  programs: Programs;
  onClosed: (session: Session) => void;
};

/**
 * Opens a session: messages pass between client and program as they are. What the program asks on its own
 * goes to the call that was made last, where there is one. Throws `TooManyPrograms`.
 */
export function openSession({ gate, owner, prefix, programs, onClosed }: Opening): Session {
  const id = `${prefix}.${randomUUID()}`;
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => id,
    eventStore: createEventStore(),
    retryInterval: RETRY_MS,
  });
  const pending = createPending();
  const child = programs.start(gate, owner, (line) => {
    const said = readLine(line);
    if (!said) return;
    const answers = said.method === undefined ? said.id : undefined;
    const answer = isJSONRPCResultResponse(said) || isJSONRPCErrorResponse(said);
    const message = isId(answers) && !answer ? noAnswer(answers, gate) : said;
    const about = isId(answers) ? undefined : pending.about(message);
    if (isId(answers)) pending.done(answers);
    // Refused: the answer to a request that was taken back, or whose stream is gone.
    transport.send(message as JSONRPCMessage, about === undefined ? {} : { relatedRequestId: about }).catch(() => {});
  });
  let open = 0;
  let usedAt = performance.now();
  const session: Session = {
    id,
    owner,
    flow: createFlow(child),
    async handle(request, message) {
      usedAt = performance.now();
      return transport.handleRequest(request, message === undefined ? {} : { parsedBody: message });
    },
    streams(change) {
      open += change;
      usedAt = performance.now();
    },
    idleSince: () => (open === 0 && pending.count() === 0 ? usedAt : undefined),
    async close() {
      await transport.close();
      await child.end();
    },
  };
  transport.onmessage = (message) => {
    pending.began(message as Message);
    child.send(JSON.stringify(message));
  };
  transport.onclose = () => {
    onClosed(session);
    void child.end();
  };
  void child.ended.then(async ({ sentence }) => {
    for (const lost of pending.all()) {
      const error = {
        code: INTERNAL_ERROR,
        message: `The MCP server behind the gate "${gate.name}" is gone: ${sentence}`,
      };
      await transport.send({ jsonrpc: '2.0', id: lost, error }).catch(() => {});
    }
    await transport.close();
  });
  return session;
}

/** The message in a line of a program; undefined for what is none. */
export function readLine(line: Buffer): Message | undefined {
  try {
    const message = parseLoose(line.toString()) as Message | null;
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** In place of an answer that is none, which would leave its client waiting for one. */
export function noAnswer(id: Id, { name }: GateConfig): Message {
  const message = `The MCP server behind the gate "${name}" gave an answer that is none.`;
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
}

/** The requests of a client that its program works on, the last one last. */
function createPending() {
  const pending = new Map<string, { id: Id; progressToken: unknown }>();
  return {
    began({ id, method, params }: Message) {
      if (method === 'notifications/cancelled') pending.delete(keyOf(params?.['requestId']));
      if (method !== undefined && isId(id))
        pending.set(keyOf(id), { id, progressToken: params?._meta?.['progressToken'] });
    },
    done: (id: Id) => void pending.delete(keyOf(id)),
    about({ id, method, params }: Message): Id | undefined {
      const last = [...pending.values()].at(-1)?.id;
      if (id !== undefined || method === 'notifications/message' || method === 'notifications/cancelled') return last;
      if (method !== 'notifications/progress') return undefined;
      const token = keyOf(params?.['progressToken']);
      return [...pending.values()].find(({ progressToken }) => keyOf(progressToken) === token)?.id ?? last;
    },
    all: () => [...pending.values()].map(({ id }) => id),
    count: () => pending.size,
  };
}
