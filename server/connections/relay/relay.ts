import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import type { Trouble } from '#shared/connections/contact.ts';
import { ClientGone, clientGone } from '../../platform/http/late-reply.ts';
import type { Log } from '../../platform/log.ts';
import { wordFor } from '../../platform/outbound/post.ts';
import { troubleFor } from '../check.ts';
import type { NewContact } from '../contacts.ts';
import type { Called } from '../store.ts';
import { toClient, toPlatform, valueOf } from './headers.ts';

/** Reads a copy of a stream. It never learns more than the bytes, and what it does with them changes none. */
export type Ear = {
  hear(chunk: Buffer): void;
  /** The stream is over; whether as a whole, only its bytes say. Resolves with the inquiries that it showed. */
  end(): void | Promise<string[]>;
};

/** How one request went. */
export type Passed = Pick<NewContact, 'what' | 'status' | 'problem' | 'inquiries'>;

/** Gives an ear to a reply of a platform, where it says something; `encoding` is how its bytes are packed. */
export type Listen = (called: Called, encoding: string | undefined) => Ear | undefined;

export type Relay = ReturnType<typeof createRelay>;

/** Passes requests on to platforms and their replies back: bytes, status and headers as they are, each at the other's pace. */
export function createRelay({ log, listen }: { log: Log; listen: Listen }) {
  // A model may think for as long as it likes; a redirect is passed on like every status.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } });
  return {
    async pass(called: Called, rest: string, request: IncomingMessage, reply: ServerResponse): Promise<Passed> {
      const signal = clientGone(reply);
      const base = new URL(called.baseUrl ?? '');
      const answer = await dispatcher
        .request({
          origin: base.origin,
          path: base.pathname.replace(/\/$/, '') + rest,
          method: (request.method ?? 'GET') as Dispatcher.HttpMethod,
          headers: [...toPlatform(request.rawHeaders), 'host', base.host],
          body: hasBody(request) ? bodyOf(request) : null,
          signal,
          responseHeaders: 'raw',
        })
        .catch((error: unknown) => wordFor(error));
      if (typeof answer === 'string') {
        if (signal.aborted) return { what: 'request' };
        refuse(reply, called, answer, log);
        return { what: 'request', status: 502, problem: troubleFor(answer, base.host) };
      }
      const headers = answer.headers as unknown as string[];
      reply.sendDate = false;
      // What the hub says of its page with every reply is not said of the platform's.
      for (const name of reply.getHeaderNames()) reply.removeHeader(name);
      reply.writeHead(answer.statusCode, answer.statusText, toClient(headers));
      reply.flushHeaders();
      const ear = isStream(answer.statusCode, headers)
        ? unheard(log, () => listen(called, valueOf(headers, 'content-encoding')))
        : undefined;
      const passed = pipeline(answer.body, reply);
      // After the pipe: a chunk is on its way before it is looked at, and only the client sets the pace.
      if (ear) answer.body.on('data', ear.hear);
      const problem = await passed.then(
        () => undefined,
        (error: unknown) => brokeOff(error, base.host),
      );
      const inquiries = (await ear?.end()) ?? [];
      return { what: ear ? 'stream' : 'request', status: answer.statusCode, problem, inquiries };
    },
    close: () => dispatcher.destroy(),
  };
}

/** An ear whose faults reach nobody but the log: after the first it hears nothing more, but its end. */
function unheard(log: Log, listen: () => Ear | undefined): Ear {
  let failed = false;
  const carefully = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!failed) log.error({ err: error }, 'the copy of a stream could not be read');
      failed = true;
      return undefined;
    }
  };
  const ear = carefully(listen);
  return {
    hear: (chunk) => void (failed || carefully(() => ear?.hear(chunk))),
    end: () => carefully(() => ear?.end()),
  };
}

/** The part of an address after the connection's token, as it came; undefined where it leaves the platform's API. */
export function restOf(url: string): { token: string; rest: string } | undefined {
  const [, token, path = '', query = ''] = /^\/v1\/in\/(bki_[\w-]{43})(\/[^?#]*)?(\?[^#]*)?$/.exec(url) ?? [];
  if (token === undefined) return undefined;
  return leaves(path) ? undefined : { token, rest: path + query };
}

// What one server takes for a part of a name, another one unpacks into "..": neither is passed on.
function leaves(path: string): boolean {
  try {
    return decodeURIComponent(path)
      .split(/[/\\]/)
      .some((part) => /^\.\.?(;.*)?$/.test(part));
  } catch {
    return true;
  }
}

// A platform that replies before it has read it all must not close the client's connection.
function bodyOf(request: IncomingMessage): Readable {
  return Readable.from(request.iterator({ destroyOnReturn: false }), { objectMode: false });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isStream(status: number, headers: string[]): boolean {
  return status >= 200 && status < 300 && /^text\/event-stream\b/i.test(valueOf(headers, 'content-type') ?? '');
}

/** Undefined where it was the client that left. */
function brokeOff(error: unknown, host: string): Trouble | undefined {
  const byClient =
    error instanceof ClientGone || (error as { code?: string } | undefined)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return byClient ? undefined : { code: 'upstream.broke_off', detail: `${host} broke off its reply.` };
}

/** What is no reply of the platform, in the form that its clients read. */
function refuse(reply: ServerResponse, { sourceId, name }: Called, word: string, log: Log): void {
  log.warn({ connection: sourceId, reason: word }, 'a platform did not answer');
  const message = `The platform behind the connection "${name}" cannot be reached: ${word}.`;
  const error = { message, type: 'api_connection_error', param: null, code: 'upstream_unreachable' };
  reply.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
