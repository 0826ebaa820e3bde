import { PassThrough } from 'node:stream';
import type { Child } from './child.ts';
import { LINE_BYTES } from './lines.ts';

/** So long a client that does not read may keep a program from being read that others wait for. */
const PATIENCE_MS = 2_000;

/** A reply of a program on its way to a client. */
export type Outflow = {
  stream: PassThrough;
  /** Writes; ends the reply without its end where its client left more than the limit unread. */
  write(bytes: string | Uint8Array): void;
  end(): void;
  /** Its client does not read, and the program is read nevertheless: what can be left out is. */
  lags(): boolean;
};
export type Flow = {
  /** `standing`: it only listens, and nobody misses it while the program is not read. */
  open(kind?: { standing: boolean }): Outflow;
};

type FlowOptions = {
  /** What else waits for the program, beside the replies that are under way. */
  waiting?: () => number;
  patienceMs?: number;
  /** Unread bytes above which a reply is given up. */
  limit?: number;
};

/**
 * Reads a program no faster than its clients read what it says. One of them that does not read holds it for
 * as long as nobody else waits for it, and for `patienceMs` where somebody does.
 */
export function createFlow(child: Pick<Child, 'pause' | 'resume'>, options: FlowOptions = {}): Flow {
  const { waiting = () => 0, patienceMs = PATIENCE_MS, limit = LINE_BYTES } = options;
  const underWay = new Set<PassThrough>();
  const holding = new Map<PassThrough, NodeJS.Timeout>();
  const lagging = new Set<PassThrough>();

  const release = (stream: PassThrough): void => {
    clearInterval(holding.get(stream));
    if (holding.delete(stream) && holding.size === 0) child.resume();
  };
  const hold = (stream: PassThrough): void => {
    if (holding.has(stream) || lagging.has(stream)) return;
    const giveWay = (): void => {
      if (waiting() === 0 && [...underWay].every((one) => holding.has(one))) return;
      lagging.add(stream);
      release(stream);
    };
    holding.set(stream, setInterval(giveWay, patienceMs));
    child.pause();
  };
  return {
    open({ standing } = { standing: false }) {
      const stream = new PassThrough();
      const leave = (): void => {
        underWay.delete(stream);
        lagging.delete(stream);
        release(stream);
      };
      if (!standing) underWay.add(stream);
      stream
        .on('error', () => {})
        .on('drain', () => {
          lagging.delete(stream);
          release(stream);
        })
        .once('close', leave);
      return {
        stream,
        write(bytes) {
          if (stream.destroyed) return;
          if (stream.writableLength > limit) stream.destroy();
          else if (!stream.write(bytes)) hold(stream);
        },
        end() {
          // Nothing more comes for it: its client may read in its own time.
          leave();
          stream.end();
        },
        lags: () => lagging.has(stream),
      };
    },
  };
}
