import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { Trouble } from '#shared/connections/contact.ts';
import { onceClosed } from '../../platform/http/late-reply.ts';
import type { Log } from '../../platform/log.ts';
import { wordFor } from '../../platform/outbound/post.ts';
import { explainWord } from '../check.ts';
import type { NewContact } from '../contacts.ts';
import type { Called } from '../store.ts';
import { holdsOurs, toClient, toPlatform, readHeader } from './headers.ts';

/** Reads a copy of a stream. It never learns more than the bytes, and what it does with them changes none. */
export type StreamListener = {
  hear(chunk: Buffer): void;
  /** The stream is over; whether as a whole, only its bytes say. Resolves with the inquiries that it showed. */
  end(): void | Promise<string[]>;
};

/** How one request went. */
export type Passed = Pick<NewContact, 'what' | 'status' | 'problem' | 'inquiries'>;

/** Gives a listener to a reply of a platform, where it says something; `encoding` is how its bytes are packed. */
export type Listen = (called: Called, encoding: string | undefined) => StreamListener | undefined;

/** Most servers keep an idle connection for 5 s; one that is about to be closed must not be used again. */
const IDLE_MS = 4_000;
const CONNECT_MS = 10_000;
/**
 * A line that is silent for so long is asked once a second by TCP itself, which changes no byte of the stream, and is lost
 * after ten questions without a reply. The agent asks a platform's line the same way, after one second.
 */
const HEARTBEAT_MS = 5_000;
const TIMEOUT = Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
/** Node says no more of a reply that changes to another protocol. */
const CLOSED = Object.assign(new Error('closed'), { code: 'ECONNRESET' });

export type Relay = ReturnType<typeof createRelay>;

/** Passes requests on to platforms and their replies back: bytes, status and headers as they are, each at the other's pace. */
export function createRelay({ log, listen, publicUrl }: { log: Log; listen: Listen; publicUrl: () => string }) {
  // With Node's own client an open stream takes 12 KB less than with undici's.
  const plain = { agent: new http.Agent({ keepAlive: true, timeout: IDLE_MS }), call: http.request };
  const secure = { agent: new https.Agent({ keepAlive: true, timeout: IDLE_MS }), call: https.request };
  const passedOn = ({ rawHeaders }: IncomingMessage) => toPlatform(rawHeaders, publicUrl());
  return {
    /** Whether the platform would see a credential of the hub. */
    holdsOurs: (request: IncomingMessage): boolean => holdsOurs(passedOn(request)),
    pass(called: Called, rest: string, request: IncomingMessage, reply: ServerResponse): Promise<Passed> {
      const base = new URL(called.baseUrl ?? '');
      const { host } = base;
      const { agent, call } = base.protocol === 'https:' ? secure : plain;
      // Not an async function, whose frame would be kept for as long as the stream lasts.
      return new Promise<IncomingMessage>((resolve, reject) => {
        const { hostname, port } = urlToHttpOptions(base);
        const path = base.pathname.replace(/\/$/, '') + rest;
        const headers = ['host', host, ...passedOn(request), ...framing(request)];
        // A model may think for as long as it likes; a redirect is passed on like every status.
        const asked = call({ agent, hostname, port, path, method: request.method, headers, timeout: 0 });
        asked
          .on('response', resolve)
          .on('error', reject)
          .on('close', () => reject(CLOSED));
        asked.once('socket', (socket) => limitConnecting(asked, socket));
        onceClosed(reply, () => {
          // A platform that replies before it has read it all must not close the client's connection.
          request.unpipe(asked).resume();
          asked.destroy();
        });
        if (hasBody(request)) request.pipe(asked);
        else asked.end();
      })
        .then((answer) => {
          const listener = isStream(answer)
            ? unheard(log, () => listen(called, readHeader(answer.rawHeaders, 'content-encoding')))
            : undefined;
          return passBack(answer, reply, listener, host);
        })
        .catch((error: unknown): Passed => {
          if (reply.headersSent) reply.destroy();
          if (reply.destroyed) return { what: 'request' };
          const word = wordFor(error);
          refuse(reply, called, word, log);
          return { what: 'request', status: 502, problem: explainWord(word, host) };
        });
    },
    close(): void {
      plain.agent.destroy();
      secure.agent.destroy();
    },
  };
}

/** Passes an answer on to its end. */
function passBack(
  answer: IncomingMessage,
  reply: ServerResponse,
  listener: StreamListener | undefined,
  host: string,
): Promise<Passed> {
  reply.sendDate = false;
  // What the hub says of its page with every reply is not said of the platform's.
  for (const name of reply.getHeaderNames()) reply.removeHeader(name);
  reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, toClient(answer.rawHeaders));
  reply.flushHeaders();
  let problem: Trouble | undefined;
  answer.on('error', () => {
    if (!reply.destroyed) problem = { code: 'upstream.broke_off', detail: `${host} broke off its reply.` };
    reply.destroy();
  });
  answer.pipe(reply);
  // After the pipe: a chunk is on its way before it is looked at, and only the client sets the pace.
  if (listener) answer.on('data', listener.hear);
  if (listener) reply.socket?.setKeepAlive(true, HEARTBEAT_MS);
  return new Promise((resolve) =>
    onceClosed(reply, () => {
      const exchange = { what: listener ? 'stream' : 'request', status: answer.statusCode, problem } as const;
      resolve(Promise.resolve(listener?.end()).then((inquiries = []) => ({ ...exchange, inquiries })));
    }),
  );
}

function limitConnecting(asked: ClientRequest, socket: Socket): void {
  if (!socket.connecting) return;
  const late = setTimeout(() => asked.destroy(TIMEOUT), CONNECT_MS).unref();
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', () => clearTimeout(late));
}

/** A listener whose faults reach nobody but the log: after the first it hears nothing more, but its end. */
function unheard(log: Log, listen: () => StreamListener | undefined): StreamListener {
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
  const listener = carefully(listen);
  return {
    hear: (chunk) => void (failed || carefully(() => listener?.hear(chunk))),
    end: () => carefully(() => listener?.end()),
  };
}

/** The part of an address after the connection's token, as it came; undefined where it leaves the platform's API. */
export function parseAddress(url: string): { token: string; rest: string } | undefined {
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

/** Node frames no body by itself where the method has none as a rule. */
function framing({ headers }: IncomingMessage): string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked'];
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isStream({ statusCode = 0, rawHeaders }: IncomingMessage): boolean {
  const type = readHeader(rawHeaders, 'content-type') ?? '';
  return statusCode >= 200 && statusCode < 300 && /^text\/event-stream\b/i.test(type);
}

/** What is no reply of the platform, in the form that its clients read. */
function refuse(reply: ServerResponse, { sourceId, name }: Called, word: string, log: Log): void {
  log.warn({ connection: sourceId, reason: word }, 'a platform did not answer');
  const message = `The platform behind the connection "${name}" cannot be reached: ${word}.`;
  const error = { message, type: 'api_connection_error', param: null, code: 'upstream_unreachable' };
  // Spelled out: what was refused may be the platform's own words for its status.
  reply.writeHead(502, 'Bad Gateway', { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}
