import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Proxies give up on a silent connection after half a minute or a minute; white space before JSON is nothing (RFC 8259, 2). */
const KEEP_ALIVE_MS = 15_000;
/** So often it is looked whether a client still reads. */
const LOOK_MS = 30_000;
const TEXT = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

const texts = new WeakMap<object, Buffer>();

/** The JSON text of what several replies share, written once for all of them. */
export function writeJson(value: object): Buffer {
  const text = texts.get(value) ?? Buffer.from(JSON.stringify(value));
  texts.set(value, text);
  return text;
}

/** Why a call has nobody left to reply to. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
  }
}

/** Calls `then` when a reply's connection closes, at once if it has closed already: nobody may have listened yet. */
export function onceClosed(raw: ServerResponse, then: () => void): void {
  if (raw.destroyed) then();
  else raw.once('close', then);
}

/** Aborts when the client closes before its reply was written in full, or has closed before this is called. */
export function clientGone(raw: ServerResponse): AbortSignal {
  const gone = new AbortController();
  onceClosed(raw, () => {
    if (!raw.writableFinished) gone.abort(new ClientGone());
  });
  return gone.signal;
}

/**
 * Closes a reply of which the network took nothing between two looks although something waits to be sent: whoever does not
 * read keeps what it is sent in the memory of this hub.
 */
export function closeUndrained(raw: ServerResponse): void {
  let before: number | undefined;
  const look = setInterval(() => {
    const { socket } = raw;
    const waiting = raw.writableLength > 0;
    const took = (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0);
    if (waiting && took === before) raw.destroy();
    before = waiting ? took : undefined;
  }, LOOK_MS).unref();
  onceClosed(raw, () => clearInterval(look));
}

/**
 * Replies with what `work` resolves with, however long that takes: white space keeps the connection alive meanwhile,
 * from the beginning where the headers are to be read `atOnce`. Plain text (`text`), to which white space would belong,
 * has its headers sent early and nothing else. Without a status `work` sets it, and nothing is sent before that. To a
 * client that is gone nothing is sent. A shell reads `lines`: the white space is empty lines, and the reply one line.
 */
export async function replyLate(
  reply: FastifyReply,
  status: number | undefined,
  work: Promise<unknown>,
  { atOnce = false, text = false, lines = false } = {},
): Promise<FastifyReply> {
  const { raw } = reply;
  const live = () => status !== undefined && keepAlive(reply, status, text ? '' : lines ? '\n' : ' ');
  if (text) reply.type(TEXT);
  closeUndrained(raw);
  if (atOnce && !raw.destroyed) live();
  const timer = setInterval(live, KEEP_ALIVE_MS).unref();
  try {
    const body = await work;
    if (raw.destroyed) return reply.sent ? reply : reply.hijack();
    // Whoever waited for the same shares its text.
    const json = typeof body === 'object' && body !== null ? writeJson(body) : text ? body : JSON.stringify(body);
    const written = lines ? `${String(json)}\n` : json;
    if (!reply.sent) return (text ? reply : reply.type(JSON_TYPE)).code(status ?? reply.statusCode).send(written);
    raw.end(written);
    return reply;
  } catch (error) {
    // The status is on the wire already: a cut connection is the only honest ending left.
    if (reply.sent) raw.destroy(error as Error);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

function keepAlive(reply: FastifyReply, status: number, blank: '' | ' ' | '\n'): void {
  if (!reply.sent) {
    reply.hijack();
    reply.raw.writeHead(status, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': blank === '' ? TEXT : JSON_TYPE,
    });
    if (blank === '') reply.raw.flushHeaders();
  }
  if (blank !== '') reply.raw.write(blank);
}
