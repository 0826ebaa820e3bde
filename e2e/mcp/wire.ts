export type Message = {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: { content?: { text?: string }[]; structuredContent?: Record<string, unknown> };
  error?: { code: number; message: string };
};
/** One HTTP exchange as it stands on the wire; `messages` grows while the reply streams. */
export type Exchange = {
  status: number;
  headers: Headers;
  messages: Message[];
  lastEventId(): string | undefined;
  done: Promise<void>;
  /** Cuts the connection, as a client does that is gone. */
  cut(): void;
};

/** Sends one message to an MCP endpoint and reads the reply as it comes. */
export async function exchange(
  url: string,
  { key, method = 'POST', body, headers }: { key: string; method?: string; body?: object; headers?: object },
): Promise<Exchange> {
  const gone = new AbortController();
  const reply = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body ? JSON.stringify({ jsonrpc: '2.0', ...body }) : null,
    signal: gone.signal,
  });
  const heard: { messages: Message[]; lastEventId?: string | undefined } = { messages: [] };
  return {
    status: reply.status,
    headers: reply.headers,
    messages: heard.messages,
    lastEventId: () => heard.lastEventId,
    done: read(reply, heard).catch(() => {}),
    cut: () => gone.abort(),
  };
}

async function read(reply: Response, heard: { messages: Message[]; lastEventId?: string | undefined }): Promise<void> {
  if (!reply.headers.get('content-type')?.startsWith('text/event-stream')) {
    const text = await reply.text();
    if (text !== '') heard.messages.push(JSON.parse(text) as Message);
    return;
  }
  let rest = '';
  for await (const chunk of reply.body ?? []) {
    const events = (rest + Buffer.from(chunk).toString('utf8')).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      heard.lastEventId = /^id: ?(.+)$/m.exec(event)?.[1] ?? heard.lastEventId;
      const data = /^data: ?(\S.*)$/m.exec(event)?.[1];
      if (data !== undefined) heard.messages.push(JSON.parse(data) as Message);
    }
  }
}

export type WireSession = {
  id: string;
  /** Sends a message in the session, to this node or another. */
  send(url: string, body: object, key?: string, more?: object): Promise<Exchange>;
  call(url: string, name: string, args: object, id?: number): Promise<Exchange>;
  resume(url: string, lastEventId: string): Promise<Exchange>;
};

/** Opens a session of the revision 2025-11-25. */
export async function openSession(url: string, key: string): Promise<WireSession> {
  const clientInfo = { name: 'wire', version: '1.0.0' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await exchange(url, { key, body: { id: 0, method: 'initialize', params } });
  const id = opened.headers.get('mcp-session-id') ?? '';
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  const send: WireSession['send'] = (at, body, as = key, more = {}) =>
    exchange(at, { key: as, body, headers: { ...headers, ...more } });
  await (
    await send(url, { method: 'notifications/initialized' })
  ).done;
  return {
    id,
    send,
    call: (at, name, args, callId = 1) =>
      send(at, {
        id: callId,
        method: 'tools/call',
        params: { name, arguments: args, _meta: { progressToken: callId } },
      }),
    resume: (at, lastEventId) =>
      exchange(at, { key, method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } }),
  };
}

/** The words of the result at the end of an exchange, or of its error. */
export async function saidBy({ messages, done }: Exchange): Promise<string | undefined> {
  await done;
  const last = messages.at(-1);
  return last?.result?.content?.map(({ text = '' }) => text).join('\n') ?? last?.error?.message;
}
