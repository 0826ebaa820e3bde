import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { ClientGone, onceClosed } from '../../platform/http/late-reply.ts';
import type { Headers } from './headers.ts';
import { signOfLife, type Inquired } from './signs.ts';
import { eventOf } from './sse.ts';

/** Where the reply to one request goes: untouched as long as possible, a stream of events once it takes long. */
export type Outlet = {
  /** Aborts when the client closed before it had its reply in full, and may not come back for it. */
  closed: AbortSignal;
  /** Aborts when the client has been gone for so long that nobody waits for what was approved. */
  abandoned: AbortSignal;
  /** The head of a stream is out: what follows are events. */
  streaming(): boolean;
  /** The gate began the stream itself, and may end it with a message of its own. */
  committed(): boolean;
  /** Begins a stream with a first sign of life at once and then one at every interval. */
  commit(inquired?: Inquired): void;
  /** No more signs of life: the upstream speaks. */
  quiet(): void;
  /** The upstream's own head; afterwards `write` sends what the upstream wrote. */
  head(status: number, headers: Headers): void;
  /** Resolves when there is room for more, or nobody is there to read it. */
  write(bytes: Buffer | string): Promise<void>;
  /** Ends the reply; `message` is its last event, or its body where no stream was begun. */
  end(message?: string, status?: number): void;
  /** Breaks the connection: an ending that nobody takes for a whole reply. */
  break(): void;
  /** Called once the reply was handed to the network in full. */
  onWritten(then: () => void): void;
  /** From here on nothing is lost with the connection: the stream's rest is kept for a client that resumes it. */
  keep(): void;
  /** Goes on with a kept stream on another connection, from its first kept byte; false where none is kept. */
  resume(next: ServerResponse): boolean;
};

export type OutletParts = {
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

export function createOutlet({ raw: first, progressToken, everyMs, signs, ...more }: OutletParts): Outlet {
  const { resumeId, runsOnMs = RUNS_ON_MS } = more;
  const gone = new AbortController();
  const abandoned = new AbortController();
  let leaving: NodeJS.Timeout | undefined;
  const rest = createRest();
  const pulse = createPulse(everyMs, progressToken, signs);
  let raw = first;
  const begun = { committed: false, primed: false };
  const listen = (to: ServerResponse): void =>
    onceClosed(to, () => {
      if (to !== raw) return;
      pulse.stop();
      if (to.writableFinished) return;
      leaving = setTimeout(() => abandoned.abort(new ClientGone()), runsOnMs).unref();
      if (!rest.kept()) gone.abort(new ClientGone());
    });
  const beginStream = (to: ServerResponse): void => {
    begun.primed = resumeId !== undefined;
    openStream(to, resumeId);
  };
  listen(raw);
  return {
    closed: gone.signal,
    abandoned: abandoned.signal,
    streaming: () => raw.headersSent,
    committed: () => begun.committed,
    commit(inquired) {
      if (raw.destroyed || raw.writableEnded) return;
      begun.committed ||= !raw.headersSent;
      if (!raw.headersSent) beginStream(raw);
      pulse.start(raw, inquired);
    },
    quiet: pulse.stop,
    head(status, headers) {
      raw.writeHead(status, headers);
      raw.flushHeaders();
    },
    async write(bytes) {
      rest.add(bytes);
      const to = raw;
      if (!to.destroyed && !to.write(bytes) && !to.destroyed) await roomIn(to);
    },
    end(message, status = 200) {
      pulse.stop();
      const last = message !== undefined && raw.headersSent ? eventOf(message) : undefined;
      rest.end(last);
      if (raw.destroyed) return;
      if (raw.headersSent) raw.end(last);
      else endWhole(raw, status, message);
    },
    break() {
      pulse.stop();
      raw.destroy();
    },
    onWritten: (then) => void raw.once('finish', then),
    keep: () => void (begun.primed && rest.keep()),
    resume(next) {
      if (!rest.kept()) return false;
      clearTimeout(leaving);
      const before = raw;
      raw = next;
      listen(next);
      before.destroy();
      beginStream(next);
      rest.replay(next);
      return true;
    },
  };
}

function endWhole(to: ServerResponse, status: number, body: string | undefined): void {
  if (body === undefined) to.writeHead(status).end();
  else to.writeHead(status, { 'content-type': 'application/json' }).end(body);
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

function createPulse(everyMs: number, progressToken: unknown, signs: { count: number }) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  return {
    stop,
    start(raw: ServerResponse, inquired: Inquired | undefined) {
      let first = inquired;
      const beat = (): void => {
        if (!raw.writableNeedDrain) raw.write(signOfLife(progressToken, ++signs.count, first));
        first = undefined;
      };
      stop();
      beat();
      timer = setInterval(beat, everyMs);
    },
  };
}

/** What a stream still has to say, for a client that comes back for it. */
function createRest() {
  let pieces: (Buffer | string)[] | undefined;
  let bytes = 0;
  let ended = false;
  return {
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
