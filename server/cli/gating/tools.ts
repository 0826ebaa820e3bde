import { randomUUID } from 'node:crypto';
import type { Tool } from '@modelcontextprotocol/client';
import { isId, isModern, idKey, type Id, type Message } from '../../mcp/messages.ts';
import { toolFor, toolsIn } from '../../mcp/gate/catalogue.ts';

/** A server that does not say which tools it has holds no call up for longer. */
const LIMIT_MS = 5_000;
const PAGES = 100;

export type Tools = ReturnType<typeof createTools>;

type Listed = { tools?: unknown; nextCursor?: unknown };

/**
 * What a wrapped server says of its tools, learnt from what passes and asked for where that is not enough. `send` writes
 * to the server; `limitMs` is how long it may take to answer.
 */
export function createTools(send: (line: string) => void, limitMs = LIMIT_MS) {
  const known = new Map<string, Tool>();
  const clients = new Set<string>();
  const own = new Map<string, (result: Listed | undefined) => void>();
  const prefix = `beckon-${randomUUID()}`;
  let count = 0;
  let whole: Promise<void> | undefined;

  const learn = ({ tools }: Listed): void => {
    for (const tool of toolsIn(tools)) known.set(tool.name, tool);
  };
  const page = (params: Message['params']): Promise<Listed | undefined> => {
    const id = `${prefix}-${++count}`;
    const { promise, resolve } = Promise.withResolvers<Listed | undefined>();
    const timer = setTimeout(() => resolve(undefined), limitMs);
    own.set(idKey(id), resolve);
    send(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params }));
    return promise.finally(() => clearTimeout(timer));
  };
  const listAll = async (call: Message): Promise<void> => {
    const _meta = readEnvelope(call);
    let cursor: string | undefined;
    for (let pages = 0; pages < PAGES; pages++) {
      const listed = await page({ ...(cursor === undefined ? {} : { cursor }), ...(_meta ? { _meta } : {}) });
      learn(listed ?? {});
      cursor = typeof listed?.nextCursor === 'string' ? listed.nextCursor : undefined;
      // What was not said now may be said when the next call asks.
      if (listed === undefined) whole = undefined;
      if (cursor === undefined) return;
    }
  };
  return {
    /** The client lists tools itself: the result with this id is worth reading. */
    asked: (id: Id) => void clients.add(idKey(id)),
    /** Reads a message of the server; true: it answers this gate's own question and is not for the client. */
    read({ id, method, result }: Message): boolean {
      if (method === 'notifications/tools/list_changed') {
        known.clear();
        whole = undefined;
      }
      if (method !== undefined || !isId(id)) return false;
      if (clients.delete(idKey(id)) && result) learn(result);
      const waiting = own.get(idKey(id));
      if (!waiting) return false;
      own.delete(idKey(id));
      waiting(result);
      return true;
    },
    /** The tool that a call of this name may be for; undefined where there is none or the server does not say. `call` shows how its client speaks. */
    async find(name: string, call: Message): Promise<Tool | undefined> {
      if (!known.has(name)) await (whole ??= listAll(call));
      return known.get(name) ?? toolFor([...known.values()], name);
    },
  };
}

// Since 2026-07-28 each request says who speaks and what it can; its progress is its own.
function readEnvelope(call: Message): Record<string, unknown> | undefined {
  if (!isModern(call)) return undefined;
  const { progressToken: _own, ...envelope } = call.params?._meta ?? {};
  return envelope;
}
