import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Inquired } from './signs.ts';
import { signOfLife } from './signs.ts';
import { eventOf } from './sse.ts';
import type { Headers } from './headers.ts';

/** Where the reply to one request goes: untouched as long as possible, a stream of events once it takes long. */
export type Outlet = {
  /** Aborts when the client closed before it had its reply in full. */
  closed: AbortSignal;
  /** The head of a stream is out: what follows are events. */
  streaming(): boolean;
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
};

export type OutletParts = {
  raw: ServerResponse;
  /** The client's own name for this request's progress. */
  progressToken?: unknown;
  everyMs: number;
  /** With an id, a client of 2025-11-25 may come back for the rest. */
  resumeId?: string | undefined;
};

const STREAM_HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export function createOutlet({ raw, progressToken, everyMs, resumeId }: OutletParts): Outlet {
  const gone = new AbortController();
  raw.once('close', () => {
    stop();
    if (!raw.writableFinished) gone.abort(new Error('the client closed the connection'));
  });
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  const stop = (): void => clearInterval(timer);
  const beginStream = (): void => {
    if (raw.headersSent) return;
    raw.writeHead(200, STREAM_HEAD);
    if (resumeId !== undefined) raw.write(`id: ${resumeId}\nretry: 1000\ndata: \n\n`);
    raw.flushHeaders();
  };
  return {
    closed: gone.signal,
    streaming: () => raw.headersSent,
    commit(inquired) {
      if (raw.destroyed || raw.writableEnded) return;
      beginStream();
      const tick = (): void => {
        if (!raw.writableNeedDrain) raw.write(signOfLife(progressToken, ++count, inquired));
        inquired = undefined;
      };
      stop();
      tick();
      timer = setInterval(tick, everyMs);
    },
    quiet: stop,
    head(status, headers) {
      raw.writeHead(status, headers);
      raw.flushHeaders();
    },
    async write(bytes) {
      if (raw.destroyed || raw.write(bytes) || raw.destroyed) return;
      await once(raw, 'drain', { signal: gone.signal }).catch(() => {});
    },
    end(message, status = 200) {
      stop();
      if (raw.destroyed) return;
      if (raw.headersSent) raw.end(message === undefined ? undefined : eventOf(message));
      else if (message === undefined) raw.writeHead(status).end();
      else raw.writeHead(status, { 'content-type': 'application/json' }).end(message);
    },
    break() {
      stop();
      raw.destroy();
    },
    onWritten: (then) => void raw.once('finish', then),
  };
}
