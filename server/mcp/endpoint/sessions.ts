import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { toAuthInfo, SESSION_ENDED, withdrawalText, type McpRequest, type Parts } from './call.ts';
import { createCalls, type CallHere, type Calls, type Origin } from '../calls.ts';
import { isId, readMessage, RpcRefusal, type ClientInfo, type Id, type Message } from '../messages.ts';
import { createReplyStream } from '../reply-stream.ts';
import { createStoredSessions } from '../sessions.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import { waitsForPerson } from './tools.ts';
import { buildServer } from './server.ts';

const RETRY_MS = 1_000;
/** Sessions of one credential; above it, the one that nobody used for longest goes. */
const PER_OWNER = 2_000;

/** A session of an older client: what it calls itself, and to whom it belongs. All else is in its requests. */
export type Session = { id: string; owner: string; client: ClientInfo | undefined };

/** A message as it came in: `text` as it was written, `message` as it is read. */
export type Sent = { method: string; headers: Headers; text?: string | undefined; message?: Message | undefined };

/** A stream on which the result of a call is due, and which of several identical calls that is. */
type Resumed = { streamId: string; ordinal: number };

type Here = {
  parts: Parts;
  stored: ReturnType<typeof createStoredSessions>;
  calls: Calls;
  transports: Set<WebStandardStreamableHTTPServerTransport>;
};

/** The requests of older clients on this node: each has a server of its own, as those of later revisions have. */
export function createSessions(parts: Parts) {
  const stored = createStoredSessions(parts.inquiries.database, PER_OWNER);
  const here: Here = { parts, stored, calls: createCalls(), transports: new Set() };
  return {
    find: stored.find,
    move: stored.move,
    /** Opens a session for an `initialize`; throws `RpcRefusal` for any other message without a session. */
    opening({ caller }: McpRequest, { message }: Sent): Session {
      if (!isInitializeRequest(message))
        throw new RpcRefusal(400, -32000, 'Send "initialize" first, and its Mcp-Session-Id with everything after.');
      return { id: randomUUID(), owner: caller.id, client: message.params.clientInfo };
    },
    /** Replies to the request that opens a session, which from then on belongs to this node. */
    async open(session: Session, by: McpRequest, sent: Sent, node: string): Promise<void> {
      const { response } = await reply(here, session, by, sent, { sessionIdGenerator: () => session.id });
      const initialized = await response;
      // An "initialize" that was refused, for its headers perhaps, opened nothing.
      if (initialized.ok) await stored.keep({ ...session, node });
      await write(initialized, by.reply);
    },
    /** Replies to any other request in a session. */
    async handle(session: Session, by: McpRequest, sent: Sent): Promise<void> {
      const { method, headers, message } = sent;
      if (method === 'DELETE') {
        here.calls.endSession(toOrigin(session), SESSION_ENDED);
        await writeOrWarn(parts, stored.forget(session.id));
        return write(new Response(), by.reply);
      }
      if (message?.method === 'tools/call' && isId(message.id)) return run(here, session, by, sent, message.id);
      const streamId = method === 'GET' ? headers.get('last-event-id') : null;
      if (streamId !== null) {
        if (await resume(here, session, by, sent, streamId)) return;
        const error = { code: -32000, message: 'Invalid event ID format' };
        return write(Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 }), by.reply);
      }
      if (message?.method === 'notifications/cancelled') {
        const { requestId, reason } = message.params ?? {};
        const named = isId(requestId) ? here.calls.named(toOrigin(session), requestId) : [];
        for (const { cancel } of named) cancel?.(typeof reason === 'string' ? reason : '');
      }
      const { response } = await reply(here, session, by, sent);
      await write(await response, by.reply);
    },
    async stop(): Promise<void> {
      await Promise.all([...here.transports].map((transport) => transport.close()));
    },
  };
}

function toOrigin({ id, owner }: Session): Origin {
  return { sourceId: owner, sessionId: id };
}

/** Has a server of the protocol library reply to one request. */
async function reply(
  { parts, transports }: Here,
  { id, client }: Session,
  by: McpRequest,
  { method, headers, message }: Sent,
  { ended, ...options }: { ended?: (cancelled: boolean) => void } & TransportOptions = {},
) {
  const transport = new WebStandardStreamableHTTPServerTransport({ ...options, keepAliveMs: parts.pace.keepAliveMs });
  transport.sessionId = id;
  transports.add(transport);
  by.reply.once('close', () => void transports.delete(transport));
  await buildServer(parts, 'legacy', by, { client, ended: (cancelled) => ended?.(cancelled) }).connect(transport);
  const request = new Request('http://hub/mcp', { method, headers });
  const more = message ? { parsedBody: message } : {};
  return { transport, response: transport.handleRequest(request, { authInfo: toAuthInfo(by), ...more }) };
}

/** Runs a call of a tool, whose client may come back for its stream; `again`: it did. */
async function run(
  here: Here,
  session: Session,
  given: McpRequest,
  sent: Sent,
  requestId: Id,
  again?: Resumed,
): Promise<void> {
  const { parts, stored, calls } = here;
  const { pace } = parts;
  const { headers, message, text } = sent;
  const streamId = again?.streamId ?? randomUUID();
  const origin = toOrigin(session);
  // Before 2025-11-25 a client takes an event without data for a message.
  const resumes = (headers.get('mcp-protocol-version') ?? '') >= '2025-11-25';
  const { signs } = given.clock;
  const resumeId = resumes ? streamId : undefined;
  const replyStream = createReplyStream({ raw: given.reply, everyMs: pace.progressMs, signs, resumeId });
  const waits = waitsForPerson(message ?? {}) && text !== undefined;
  const drop = () => writeOrWarn(parts, stored.dropCall(streamId));
  if (waits && !again) await writeOrWarn(parts, stored.keepCall(session.id, streamId, text));
  if (waits) replyStream.onWritten(() => void drop());
  let asked: string | undefined;
  const by: McpRequest = {
    ...given,
    onAsked: (inquiryId) => void (asked = inquiryId),
    ordinal: again?.ordinal,
    noteOrdinal: (ordinal) => writeOrWarn(parts, stored.noteOrdinal(streamId, ordinal)),
    written: { once: (_finish, then) => replyStream.onWritten(then) },
    gone: replyStream.closed,
  };
  let takenBack: string | undefined;
  const noteTakenBack = (reason: string): void => void (takenBack ??= reason);
  const call: CallHere = {
    origin,
    requestId,
    cancel: noteTakenBack,
    connection: { ...given.clock, streamId, replyStream },
  };
  await calls.run(call, pace.graceMs, async () => {
    const { transport, response } = await reply(here, session, by, sent, {
      retryInterval: RETRY_MS,
      // Every event has the id of its stream: which one a client saw last is of no matter.
      eventStore: { storeEvent: async () => streamId, replayEventsAfter: async () => streamId },
      ended(cancelled) {
        // A call that was taken back gets no reply (MCP, cancellation).
        if (cancelled) void Promise.all([transport.close(), waits && drop()]);
        else if (!replyStream.closed.aborted) replyStream.keep(true);
      },
    });
    call.cancel = (reason) => {
      noteTakenBack(reason);
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
    };
    if (takenBack !== undefined) call.cancel(takenBack);
    const { status, headers: head, body } = await response;
    replyStream.head(status, Object.fromEntries(head));
    for await (const chunk of body ?? []) await replyStream.write(Buffer.from(chunk));
    replyStream.end();
  });
  // A client that lost its connection may still take its call back.
  const lost = replyStream.closed.aborted ? asked : undefined;
  const withdraw = (id: string, reason: string): void =>
    void writeOrWarn(parts, withdrawIfOpen(parts.inquiries, session.owner, id, withdrawalText(reason)));
  call.cancel = lost === undefined ? undefined : (reason) => withdraw(lost, reason);
  // Taken back while it was being let go of.
  if (lost !== undefined && takenBack !== undefined) withdraw(lost, takenBack);
  if (waits) setTimeout(() => void (calls.find(origin, streamId) ?? drop()), pace.graceMs).unref();
}

/** Goes on with the stream of a call for a client that lost its connection; false where nothing of it is here. */
async function resume(
  here: Here,
  session: Session,
  by: McpRequest,
  { headers }: Sent,
  streamId: string,
): Promise<boolean> {
  const { parts, stored, calls } = here;
  const { signs } = by.clock;
  const replyStream = createReplyStream({ raw: by.reply, everyMs: parts.pace.progressMs, signs });
  return calls.resume(toOrigin(session), { ...by.clock, streamId, replyStream }, by.reply, async (before) => {
    const call = await stored.findCall(session.id, streamId);
    if (!call) return false;
    const message = readMessage(call.message) as Message;
    const own = new Headers(headers);
    own.delete('last-event-id');
    own.set('accept', 'application/json, text/event-stream');
    own.set('content-type', 'application/json');
    const sent = { method: 'POST', headers: own, text: call.message, message };
    await run(here, session, { ...by, clock: before ?? by.clock }, sent, message.id as Id, { streamId, ...call });
    return true;
  });
}

type TransportOptions = NonNullable<ConstructorParameters<typeof WebStandardStreamableHTTPServerTransport>[0]>;

/** Writes a response out; one whose client goes is no longer read. */
async function write(response: Response, reply: ServerResponse): Promise<void> {
  reply.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) return void reply.end();
  await pipeline(Readable.fromWeb(response.body), reply).catch(() => {});
}

/** What cannot be stored is served all the same; it then ends with this process. */
async function writeOrWarn({ log }: Parts, storing: Promise<unknown>): Promise<void> {
  await storing.catch((error: unknown) => log.warn({ err: error }, 'mcp: a session or its call could not be written'));
}

/** The reply to a session id that means nothing here: the client starts anew (404, as the protocol says). */
export function unknownSession(): RpcRefusal {
  return new RpcRefusal(404, -32001, 'Session not found: initialize again.');
}
