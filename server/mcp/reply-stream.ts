import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { endToEnd } from '../platform/http/end-to-end.ts';
import { ClientGone, onceClosed } from '../platform/http/late-reply.ts';
import { progressNotification, type Inquired } from './messages.ts';
import { toEvent } from './sse.ts';

type ReplyStreamParts = {
  raw: ServerResponse;
  /** The client's own name for this request's progress. */
  progressToken?: unknown;
  everyMs: number;
  /** Counts the signs of life of one call, over all its connections. */
  signs: { count: number };
  /** With an id, a client of 2025-11-25 may come back for the rest. */
  resumeId?: string | undefined;
  runsOnMs?: number;
};

/** Far below the steps of any tool: what the upstream reports later is higher. */
const STEP = 1e-6;

const STREAM_HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};
/** The SDKs come back twice: together this is as long as a hub takes to start anew. */
const RETRY_MS = 2000;
/** More than this is not kept for a client that lost its connection. */
const KEPT_BYTES = 1_048_576;
/** Up to 2025-11-25 a lost connection is no cancel: what was approved runs on for so long. */
const RUNS_ON_MS = 600_000;

export type ReplyStream = ReturnType<typeof createReplyStream>;

/** Where the reply to one request goes: untouched as long as possible, a stream of events once it takes long. */
export function createReplyStream({ raw: first, progressToken, everyMs, signs, resumeId, ...more }: ReplyStreamParts) {
  const gone = new AbortController();
  const abandoned = new AbortController();
  const rest = createRest();
  let [raw, begun] = [first, false];
  let [leaving, pulse]: NodeJS.Timeout[] = [];
  const quiet = (): void => clearInterval(pulse);
  const listen = (to: ServerResponse): void =>
    onceClosed(to, () => {
      if (to !== raw) return;
      quiet();
      if (to.writableFinished) return rest.written.forEach((then) => then());
      leaving = setTimeout(() => abandoned.abort(new ClientGone()), more.runsOnMs ?? RUNS_ON_MS).unref();
      if (!rest.kept()) gone.abort(new ClientGone());
    });
  listen(raw);
  return {
    /** Aborts when the client closed before it had its reply in full, and may not come back for it. */
    closed: gone.signal,
    /** Aborts when the client has been gone for so long that nobody waits for what was approved. */
    abandoned: abandoned.signal,
    /** The head of a stream is out: what follows are events. */
    streaming: () => raw.headersSent,
    /** The gate began the stream itself, and may end it with a message of its own. */
    committed: () => begun,
    /** Begins a stream with a first sign of life at once and then one at every interval. */
    commit(inquired?: Inquired): void {
      if (raw.destroyed || raw.writableEnded) return;
      if (!raw.headersSent) {
        begun = true;
        openStream(raw, resumeId);
      }
      const beat = (about?: Inquired): void => {
        if (!raw.writableNeedDrain) raw.write(signOfLife(progressToken, ++signs.count, about));
      };
      quiet();
      beat(inquired);
      pulse = setInterval(beat, everyMs);
    },
    /** No more signs of life: the upstream speaks. */
    quiet,
    /** The upstream's own head, sent with what `write` sends in this turn of the event loop, or alone after it. */
    head(status: number, headers: ReturnType<typeof endToEnd>): void {
      flushSoon(raw.writeHead(status, headers));
    },
    /** Resolves when there is room for more, or nobody is there to read it. */
    async write(bytes: Buffer | string): Promise<void> {
      rest.add(bytes);
      const to = raw;
      if (!to.destroyed && !to.write(bytes) && !to.destroyed) await roomIn(to);
    },
    /** Ends the reply; `message` is its last event, or its body where no stream was begun. */
    end(message?: string, status = 200): void {
      quiet();
      const last = message !== undefined && raw.headersSent ? toEvent(message) : undefined;
      rest.end(last);
      if (raw.destroyed) return;
      if (raw.headersSent) raw.end(last);
      else raw.writeHead(status, message === undefined ? {} : { 'content-type': 'application/json' }).end(message);
    },
    /** Breaks the connection: an ending that nobody takes for a whole reply. */
    break(): void {
      quiet();
      raw.destroy();
    },
    /** Called once the reply was handed to the network in full. */
    onWritten: (then: () => void): void => void rest.written.push(then),
    /** From here on nothing is lost with the connection: the stream's rest is kept for a client that resumes it. */
    keep: (resumes = begun && resumeId !== undefined): void => void (resumes && rest.keep()),
    /** Goes on with a kept stream on another connection, from its first kept byte; false where none is kept. */
    resume(next: ServerResponse): boolean {
      if (!rest.kept()) return false;
      clearTimeout(leaving);
      const before = raw;
      raw = next;
      listen(next);
      before.destroy();
      openStream(next, resumeId);
      rest.replay(next);
      return true;
    },
  };
}

function flushSoon(to: ServerResponse): void {
  setImmediate(() => to.writableEnded || to.flushHeaders());
}

function openStream(to: ServerResponse, resumeId: string | undefined): void {
  to.writeHead(200, STREAM_HEAD);
  if (resumeId !== undefined) to.write(`id: ${resumeId}\nretry: ${RETRY_MS}\ndata: \n\n`);
  to.flushHeaders();
}

async function roomIn(to: ServerResponse): Promise<void> {
  const over = new AbortController();
  const heard = ['drain', 'close'].map((event) => once(to, event, { signal: over.signal }));
  await Promise.race(heard).catch(() => {});
  over.abort();
  await Promise.allSettled(heard);
}

/**
 * One sign of life on the stream of a call that waits: progress where the client gave a token for it,
 * which resets its timers, else a comment, which only keeps the connection.
 */
function signOfLife(token: unknown, count: number, inquired?: Inquired): string {
  if (token === undefined) return ': waiting for a person\n\n';
  const frame = { progressToken: token, progress: count * STEP, message: 'Waiting for a person to decide' };
  return toEvent(JSON.stringify({ jsonrpc: '2.0', ...progressNotification(frame, inquired) }));
}

/** What a stream still has to say, for a client that comes back for it. */
function createRest() {
  let pieces: (Buffer | string)[] | undefined;
  let bytes = 0;
  let ended = false;
  return {
    /** What is to be done once all of it was handed to the network. */
    written: [] as (() => void)[],
    kept: () => pieces !== undefined,
    keep() {
      pieces ??= [];
    },
    add(piece: Buffer | string) {
      bytes += piece.length;
      pieces?.push(piece);
      if (bytes > KEPT_BYTES) pieces = undefined;
    },
    end(last: string | undefined) {
      if (last !== undefined) pieces?.push(last);
      ended = true;
    },
    replay(to: ServerResponse) {
      for (const piece of pieces ?? []) to.write(piece);
      if (ended) to.end();
    },
  };
}
