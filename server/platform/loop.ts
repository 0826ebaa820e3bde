import { setImmediate as nextCheck } from 'node:timers/promises';

const EVERY_MS = 50;
/** A tick that comes so much too late says that the process stood still: busy, stopped or starved. */
const LATE_MS = 100;
/** A socket that was just accepted is read a turn later; under load some socket always waits. */
const MOST_TURNS = 64;

/** Notices when the event loop stood still. Node runs timers before it reads sockets: a late tick comes before what waited. */
export function watchLoop() {
  let tickedAt = performance.now();
  let stoodSince: number | undefined;
  const entering = new Set<object>();
  const isLate = (now: number) => now - tickedAt > EVERY_MS + LATE_MS;
  const isBehind = () => stoodSince !== undefined || isLate(performance.now());
  const timer = setInterval(() => {
    const now = performance.now();
    if (isLate(now)) {
      stoodSince ??= tickedAt;
      void caughtUp().then(() => (stoodSince = undefined));
    }
    tickedAt = now;
  }, EVERY_MS).unref();
  return {
    /**
     * Since when (by `performance.now()`) what is read from a socket at this moment may have lain there: now, or after a
     * standstill when the process last looked before it.
     */
    lookedAt(): number {
      const now = performance.now();
      return stoodSince ?? (isLate(now) ? tickedAt : now);
    },
    /** True from a standstill on until what lay in the sockets meanwhile was read and has come to its handler. */
    behind: (): boolean => isBehind() || entering.size > 0,
    /** Notes what was read at this moment; to be called back once it has come to its handler, or to none. */
    entering(): () => void {
      const one = {};
      if (isBehind()) entering.add(one);
      return () => void entering.delete(one);
    },
    caughtUp,
    stop: () => clearInterval(timer),
  };
}
export type LoopWatch = ReturnType<typeof watchLoop>;
/** What whoever reads sockets needs of it. */
export type Arrivals = Pick<LoopWatch, 'lookedAt'> & Partial<Pick<LoopWatch, 'entering'>>;

/** So long a loop over many rows runs at once. */
const TURN_MS = 10;

let line: Promise<unknown> = Promise.resolve();

/** Resolves in a later turn of the event loop, in each for one of those who wait: many long readings hold up nothing longer than one. */
export function nextInLine(): Promise<void> {
  const turn = line.then(() => nextCheck());
  line = turn;
  return turn;
}

/** Does what it is given in its order, for 10 ms in a turn of the event loop: of ten thousand at once all else waits for a few. */
export function overTurns(now = () => performance.now()): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  const work = (): void => {
    const since = now();
    do waiting.shift()?.();
    while (waiting.length > 0 && now() - since < TURN_MS);
    if (waiting.length > 0) setImmediate(work);
  };
  return (one) => void (waiting.push(one) === 1 && setImmediate(work));
}

/**
 * Awaited between the rows of a loop: lets everything else run once the loop has run for 10 ms, and throws once nobody
 * reads any more what it is for.
 */
export function takingTurns(
  gone?: AbortSignal,
  { now, next }: { now(): number; next(): Promise<unknown> } = { now: () => performance.now(), next: nextInLine },
): Turn {
  let since = now();
  return async () => {
    if (now() - since >= TURN_MS) {
      await next();
      since = now();
    }
    gone?.throwIfAborted();
  };
}
export type Turn = () => Promise<void>;

/** A page, a snapshot and one look of a long reading hold about so much, and at least one inquiry. */
const PORTION_BYTES = 2 * 1024 * 1024;

/** Postgres says a sum as text. */
export type Sized = { bytes: number | string };

/** Of these, in their order, as many as make a portion together with what was `taken`; at least one where nothing was. */
export function takePortion<One extends Sized>(rows: One[], taken = 0): One[] {
  let sum = taken;
  const end = rows.findIndex(({ bytes }, at) => (sum += Number(bytes)) > PORTION_BYTES && (at > 0 || taken > 0));
  return end < 0 ? rows : rows.slice(0, end);
}

/** How many bytes these are. */
export function sumBytes(rows: Sized[]): number {
  return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

/** These, in their order, in lists that make a portion each. */
export function* splitPortions<One extends Sized>(rows: One[]): Generator<One[]> {
  for (let at = 0; at < rows.length;) {
    const portion = takePortion(rows.slice(at));
    at += portion.length;
    yield portion;
  }
}

/** Resolves when the sockets were read for at least one full turn of the event loop and nothing waits in them. */
async function caughtUp(): Promise<void> {
  let seen = eventsThatWaited();
  for (let turn = 1; turn <= MOST_TURNS; turn++) {
    await nextCheck();
    const now = eventsThatWaited();
    // Asked while sockets are read, the first check comes before the next reading.
    if (turn > 1 && now === seen) return;
    seen = now;
  }
}

function eventsThatWaited(): number {
  return performance.nodeTiming.uvMetricsInfo.eventsWaiting;
}
