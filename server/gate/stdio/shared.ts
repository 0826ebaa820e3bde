import type { Tool } from '@modelcontextprotocol/client';
import type { GateConfig } from '../gates.ts';
import { toolsIn } from '../tools-in.ts';
import { createFlow, type Flow } from './flow.ts';
import { isId, keyOf, type Id, type Message } from './messages.ts';
import type { Programs } from './programs.ts';
import { noAnswer, readLine } from './session.ts';

const INTERNAL_ERROR = -32603;
const LISTED_MS = 60_000;
const LIST_LIMIT_MS = 5_000;
const MOST_PAGES = 100;
const METHOD_NOT_FOUND = -32601;
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** One request of 2026-07-28 on its way through a program that it shares with others. */
export type Exchange = {
  /** The client takes it back: the program is told, and nothing more comes. */
  cancel(reason: string): void;
};
export type Shared = {
  /** Sends a request; `hear` gets all that belongs to it, its response last and once. */
  request(message: Message, hear: (message: Message) => void): Exchange;
  notify(message: Message): void;
  /** Through which what `hear` gets is to be passed on. */
  flow: Flow;
  /** The tools that it has, asked for at most once a minute in the words of this request; none where it does not say. */
  tools(like: Message): Promise<Tool[]>;
  idleSince(): number | undefined;
  ended: Promise<unknown>;
  close(): Promise<void>;
};

type Running = { id: Id; progressToken: unknown; logs: boolean; hear: (message: Message) => void };

/**
 * A program that serves the requests of one source, each of which stands for itself (2026-07-28). Ids and
 * progress tokens are made unique on the way there and are the client's own on the way back; what nobody asked for
 * goes to nobody. Throws `TooManyPrograms`.
 */
export function startShared(gate: GateConfig, owner: string, programs: Programs): Shared {
  const running = new Map<string, Running>();
  let count = 0;
  let usedAt = performance.now();
  let over: Message['error'];
  const child = programs.start(gate, owner, (line) => {
    const message = readLine(line);
    if (!message) return;
    // Servers may not ask their clients since 2026-07-28: nobody could tell whose request this is about.
    if (message.method !== undefined && message.id !== undefined) {
      const error = { code: METHOD_NOT_FOUND, message: 'A server asks by its result since 2026-07-28.' };
      return void child.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
    }
    const found = aboutOf(running, message);
    if (!found) return;
    if (message.method !== undefined) return found.hear(forClient(message, found));
    running.delete(keyOf(message.id));
    usedAt = performance.now();
    const { result, error } = message;
    const answer = [result, error].some((part) => typeof part === 'object' && part !== null);
    found.hear(answer ? forClient(message, found) : noAnswer(found.id, gate));
  });
  void child.ended.then(({ sentence }) => {
    over = { code: INTERNAL_ERROR, message: `The MCP server behind the gate "${gate.name}" is gone: ${sentence}` };
    for (const { id, hear } of running.values()) hear({ jsonrpc: '2.0', id, error: over });
    running.clear();
  });
  const request: Shared['request'] = (message, hear) => {
    const own = ++count;
    if (over) hear({ jsonrpc: '2.0', id: message.id ?? own, error: over });
    if (over) return { cancel: () => undefined };
    const meta = message.params?._meta ?? {};
    const { progressToken } = meta;
    const _meta = progressToken === undefined ? meta : { ...meta, progressToken: own };
    const line = JSON.stringify({ ...message, id: own, params: { ...message.params, _meta } });
    running.set(keyOf(own), { id: message.id ?? own, progressToken, logs: meta[LOG_LEVEL] !== undefined, hear });
    child.send(line);
    return {
      cancel(reason) {
        if (!running.delete(keyOf(own))) return;
        usedAt = performance.now();
        const params = { requestId: own, reason };
        child.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
      },
    };
  };
  let listed: { until: number; tools: Promise<Tool[]> } | undefined;
  let listing = 0;
  const list = async (like: Message): Promise<Tool[]> => {
    listing += 1;
    return listTools(request, like).finally(() => (listing -= 1));
  };
  return {
    request,
    flow: createFlow(child, { waiting: () => listing }),
    tools(like) {
      if (!listed || listed.until < performance.now())
        listed = { until: performance.now() + LISTED_MS, tools: list(like) };
      return listed.tools;
    },
    notify: (message) => void child.send(JSON.stringify(message)),
    idleSince: () => (running.size === 0 ? usedAt : undefined),
    ended: child.ended,
    close: async () => void (await child.end()),
  };
}

async function listTools(request: Shared['request'], { params }: Message): Promise<Tool[]> {
  const { progressToken: _own, ...envelope } = params?._meta ?? {};
  const tools: Tool[] = [];
  let cursor: unknown;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const asked = {
      jsonrpc: '2.0',
      id: 0,
      method: 'tools/list',
      params: { ...(cursor ? { cursor } : {}), _meta: envelope },
    };
    const { result } = await new Promise<Message>((resolve) => {
      const limit = setTimeout(() => resolve({}), LIST_LIMIT_MS);
      request(asked, (heard) => {
        if (heard.method !== undefined) return;
        clearTimeout(limit);
        resolve(heard);
      });
    });
    for (const tool of toolsIn(result?.['tools'])) tools.push(tool);
    cursor = result?.['nextCursor'];
    if (typeof cursor !== 'string') break;
  }
  return tools;
}

// Which request a message of the program belongs to.
function aboutOf(running: Map<string, Running>, { id, method, params }: Message): Running | undefined {
  if (method === undefined) return isId(id) ? running.get(keyOf(id)) : undefined;
  const subscription = params?._meta?.[SUBSCRIPTION];
  if (subscription !== undefined) return running.get(keyOf(numbered(subscription)));
  if (method === 'notifications/progress') return running.get(keyOf(params?.['progressToken']));
  // A log line tells nobody whose it is; whoever asked for some and came last is the best guess.
  return method === 'notifications/message' ? [...running.values()].findLast(({ logs }) => logs) : undefined;
}

function forClient(message: Message, { id, progressToken }: Running): Message {
  if (message.method === undefined) return { ...message, id, ...withSubscription(message, 'result', id) };
  const { params } = message;
  if (message.method === 'notifications/progress') return { ...message, params: { ...params, progressToken } };
  return { ...message, ...withSubscription(message, 'params', id) };
}

function withSubscription(message: Message, part: 'params' | 'result', id: Id): Partial<Message> {
  const object = message[part] as { _meta?: Record<string, unknown> } | undefined;
  if (object?._meta?.[SUBSCRIPTION] === undefined) return {};
  const told = typeof object._meta[SUBSCRIPTION] === 'string' ? String(id) : id;
  return { [part]: { ...object, _meta: { ...object._meta, [SUBSCRIPTION]: told } } };
}

// The id of a subscription may come back as a text.
function numbered(id: unknown): unknown {
  return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id;
}
