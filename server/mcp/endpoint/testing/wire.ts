import { setTimeout as pause } from 'node:timers/promises';
import type { Frame } from './clients.ts';

export const MODERN = '2026-07-28';
const ENVELOPE = 'io.modelcontextprotocol/';

/** One HTTP exchange as it stands on the wire. `frames` grows while the reply streams; `done` resolves at its end. */
export type Exchange = {
  status: number;
  headers: Headers;
  frames: (Frame & { eventId?: string; error?: { code: number; message: string; data?: unknown } })[];
  done: Promise<void>;
  /** All that came so far, as it came. */
  text(): string;
  /** Cuts the connection, as a client does that is gone. */
  cut(): void;
};

/** Sends one HTTP request to an MCP endpoint and reads its reply as it comes. */
export async function exchange(
  url: URL,
  { key, method = 'POST', body, headers }: { key?: string; method?: string; body?: unknown; headers?: object },
): Promise<Exchange> {
  const gone = new AbortController();
  const reply = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      accept: 'application/json, text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    signal: gone.signal,
  });
  const frames: Exchange['frames'] = [];
  let text = '';
  const done = readInto(frames, reply, (chunk) => void (text += chunk));
  return { status: reply.status, headers: reply.headers, frames, done, text: () => text, cut: () => gone.abort() };
}

async function readInto(frames: Exchange['frames'], reply: Response, hear: (chunk: string) => void): Promise<void> {
  const streams = reply.headers.get('content-type')?.startsWith('text/event-stream');
  let text = '';
  try {
    for await (const chunk of reply.body ?? []) {
      const words = Buffer.from(chunk).toString('utf8');
      hear(words);
      text += words;
      for (let end = text.indexOf('\n\n'); streams && end >= 0; end = text.indexOf('\n\n')) {
        const event = text.slice(0, end);
        text = text.slice(end + 2);
        const member = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1];
        const [data, eventId] = [member('data') ?? '', member('id')];
        if (data !== '' || eventId !== undefined)
          frames.push({ ...(data === '' ? {} : JSON.parse(data)), ...(eventId === undefined ? {} : { eventId }) });
      }
    }
  } catch {
    // Cut from either side: what came before it stands.
  }
  if (!streams && text.startsWith('{')) frames.push(JSON.parse(text));
}

export type Modern = {
  method: string;
  params?: Record<string, unknown>;
  id?: number | string;
  token?: number | string;
  tasks?: boolean;
  events?: boolean;
  headers?: object;
};

/** Sends one request of the modern era with all that it must carry. */
export function sendModern(
  url: URL,
  key: string,
  { method, params = {}, id = 1, token, tasks, events, headers }: Modern,
) {
  const extensions = { ...(tasks && { [`${ENVELOPE}tasks`]: {} }), ...(events && { [`${ENVELOPE}events`]: {} }) };
  const name = method.startsWith('events/') ? undefined : (params['name'] ?? params['taskId']);
  const meta = {
    [`${ENVELOPE}protocolVersion`]: MODERN,
    [`${ENVELOPE}clientInfo`]: { name: 'wire', version: '1' },
    [`${ENVELOPE}clientCapabilities`]: tasks || events ? { extensions } : {},
    ...(token === undefined ? {} : { progressToken: token }),
  };
  return exchange(url, {
    key,
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } },
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
  });
}

/** Opens a session of an older revision; the result sends requests in it. */
export async function openLegacy(url: URL, key: string, protocolVersion = '2025-11-25') {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'wire', version: '1' } };
  const opened = await exchange(url, { key, body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
  await opened.done;
  const sessionId = opened.headers.get('mcp-session-id') ?? '';
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': protocolVersion };
  const send = (body: object, as = key) => exchange(url, { key: as, body: { jsonrpc: '2.0', ...body }, headers });
  await (
    await send({ method: 'notifications/initialized' })
  ).done;
  return {
    sessionId,
    opened,
    send,
    call: (name: string, args: object, { id = 1, token }: { id?: number; token?: number } = {}) =>
      send({
        id,
        method: 'tools/call',
        params: { name, arguments: args, ...(token === undefined ? {} : { _meta: { progressToken: token } }) },
      }),
    resume: (lastEventId: string) =>
      exchange(url, { key, method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } }),
    end: () => exchange(url, { key, method: 'DELETE', headers }),
  };
}

/** The result at the end of an exchange. */
export async function resultOf<T>({ frames, done }: Pick<Exchange, 'frames' | 'done'>): Promise<T> {
  await done;
  const last = frames.at(-1);
  if (last?.result === undefined) throw new Error(`There is no result: ${JSON.stringify(last)}`);
  return last.result as T;
}

/** The text of the result at the end of an exchange, or of its error. */
export async function saidBy({ frames, done }: Exchange): Promise<string | undefined> {
  await done;
  const last = frames.at(-1);
  const result = last?.result as { content?: { text: string }[] } | undefined;
  return result?.content?.map(({ text }) => text).join('\n') ?? last?.error?.message;
}

/** Waits for a condition to hold; the test's own time-out ends a vain wait. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const start = performance.now();
  for (;;) {
    const seen = await look();
    if (seen) {
      performance.measure('test: wait for a condition', { start });
      return seen;
    }
    await pause(5);
  }
}
