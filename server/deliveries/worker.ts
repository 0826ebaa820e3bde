import { sql } from 'kysely';
import { TIMERS, type Clock, type Timers } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { createOutbound, type Outgoing, type Post, type Sent } from '../platform/outbound/post.ts';

export const LEASE_MS = 30_000;
const TIMEOUT_MS = 10_000;
const MARGIN_MS = 5_000;
const LONGEST_SLEEP_MS = 15_000;
const SHORTEST_SLEEP_MS = 250;
const AFTER_FAILURE_MS = 1_000;

/** No request was made, because of the hub itself. */
export const INTERNAL_ERROR = 'internal error';

export type Failure = {
  tries: number;
  now: number;
  giveUpAt: number;
  chance: number;
  retryAfterMs?: number | undefined;
};

/**
 * `firstMs` from now after the first failure, doubled with each other up to `longestMs`, shortened by up to a fifth by
 * `chance` (0..1), and not before `retryAfterMs`.
 */
export function backOff(turn: Omit<Failure, 'giveUpAt'> & { firstMs: number; longestMs: number }): number {
  const { tries, now, firstMs, longestMs, chance, retryAfterMs = 0 } = turn;
  const wait = Math.min(longestMs, firstMs * 2 ** Math.max(0, tries - 1)) * (1 - chance / 5);
  return now + Math.round(Math.max(wait, retryAfterMs));
}

/** What is sent in order, one request at a time. Queues of one group share what may hang: a source, a push service. */
export type Queue = { key: string; group: string; until: number };
/** How many queues are sent at once, and how many of one group. The slow share is for queues that hung lately. */
export type Share = { slow: boolean; queues: number; ofOneGroup: number };
/** `clock` is read in each transaction that writes instants by it: on SQLite a step of the clock may come before it. */
export type Claim = { clock: Clock; slow: boolean; busy: { keys: string[]; groups: string[] } };
export type Tried = { sent: Sent; at: number; ms: number; chance: number; clock: Clock };
/** A request whose time the worker limits. */
export type Request = Omit<Outgoing, 'timeoutMs' | 'signal'>;
export type PostOnce = (request: Request) => Promise<Sent>;

/** What the worker needs to know of webhooks or pushes; each queue stands in a table with its lease. */
export type Channel<Q extends Queue, Item> = {
  name: string;
  shares: Share[];
  /** Leases a due queue for `LEASE_MS`; no other claimer gets it before. */
  claim(turn: Claim): Promise<Q | undefined>;
  /** When something falls due after `now`. */
  nextDue(now: number): Promise<number | undefined>;
  /** The next item of a claimed queue; undefined: none is due, and the queue is given back. */
  take(queue: Q, clock: Clock): Promise<Item | undefined>;
  /** Makes the request; undefined: the item is no longer wanted. What it throws is settled as `INTERNAL_ERROR`. */
  send(queue: Q, item: Item, post: PostOnce, at: number): Promise<Sent | undefined>;
  /** Records an attempt; false: nothing more is to be sent to this queue now. */
  settle(queue: Q, item: Item, tried: Tried): Promise<boolean>;
  /** Gives back what was claimed and not tried. */
  release(queue: Q): Promise<void>;
};

/** The rows of a leased table that nobody holds. */
export function unleased(now: number) {
  return sql<boolean>`(claimed_until is null or claimed_until <= ${now})`;
}

export type Worker = ReturnType<typeof createWorker>;
export type WorkerOptions = {
  database: Database;
  log: Log;
  /** How many queues are sent at once. */
  connections?: number;
  post?: Post | undefined;
  clock?: Clock;
  /** 0..1, for the jitter. */
  chance?: () => number;
  counter?: { inc(labels: { outcome: string }): void };
  timers?: Pick<Timers, 'after'>;
};

/**
 * Sends what stands in a leased table, many queues at once and each in order, on any number of nodes; no lock and no
 * transaction is open during a request. A queue that hangs or fails costs the others nothing.
 */
export function createWorker<Q extends Queue, Item>(
  channel: Channel<Q, Item>,
  {
    database,
    log,
    post: given,
    clock = database.clock,
    chance = Math.random,
    timers = TIMERS,
  }: Omit<WorkerOptions, 'database'> & { database: Pick<Database, 'clock'> },
) {
  const outbound = createOutbound();
  const stopping = new AbortController();
  const abandon = new AbortController();
  const running = new Map<Q, { share: Share; ended: Promise<void> }>();
  const ended = () => Promise.all([...running.values()].map((one) => one.ended));
  let claims = 0;
  const post: PostOnce = (request) =>
    (given ?? outbound.post)({ ...request, timeoutMs: TIMEOUT_MS, signal: abandon.signal });
  const filling = createLoop(claimAll, timers, (error) => {
    log.error({ err: error }, `due ${channel.name}s could not be read; trying again`);
  });

  async function claimAll(): Promise<number> {
    for (const share of channel.shares) {
      for (;;) {
        const { full, busy } = occupied(running, share);
        if (full || stopping.signal.aborted) break;
        const queue = await channel.claim({ clock, busy, slow: share.slow });
        if (queue === undefined) break;
        claims++;
        running.set(queue, { share, ended: run(queue) });
      }
    }
    const now = clock.now();
    return ((await channel.nextDue(now)) ?? Infinity) - now;
  }

  async function run(queue: Q): Promise<void> {
    const sender = { channel, log, post, clock, chance, stopping: stopping.signal };
    const count = await sendAll(sender, queue).catch((error: unknown) => {
      log.error({ err: error }, `a ${channel.name} could not be recorded; it is sent again when its lease runs out`);
      return 0;
    });
    // A queue that came to nothing keeps its place for a moment, so that no row can make the worker spin.
    if (count === 0 && !stopping.signal.aborted) await rested(timers, stopping.signal);
    running.delete(queue);
    filling.again();
  }

  return {
    post,
    /** Sends what is due and from now on whatever falls due; call it at start and after each commit that enqueues something. */
    wake: (): void => filling.start(),
    /** Sends everything that is due now and resolves when the last attempt is recorded. */
    async runDue(): Promise<void> {
      for (let before = -1; (claims > before || running.size > 0) && !stopping.signal.aborted;) {
        before = claims;
        await ended();
        await filling.now();
      }
    },
    /** Ends within about `deadlineMs`: the requests under way may finish, then they are abandoned. */
    async stop(deadlineMs = 5_000): Promise<void> {
      stopping.abort();
      const late = setTimeout(() => abandon.abort(), deadlineMs);
      await filling.stop();
      await ended();
      clearTimeout(late);
      await outbound.close();
    },
  };
}

function occupied(running: Map<Queue, { share: Share }>, share: Share): { full: boolean; busy: Claim['busy'] } {
  const own = [...running].filter(([, one]) => one.share === share).map(([queue]) => queue);
  const groups = [...Map.groupBy(own, ({ group }) => group)].filter(([, { length }]) => length >= share.ofOneGroup);
  const keys = [...running.keys()].map(({ key }) => key);
  return { full: own.length >= share.queues, busy: { keys, groups: groups.map(([group]) => group) } };
}

function rested({ after }: Pick<Timers, 'after'>, stopping: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const cancel = after(SHORTEST_SLEEP_MS, done);
    stopping.addEventListener('abort', () => (cancel(), done()), { once: true });
  });
}

type Sender<Q extends Queue, Item> = {
  channel: Channel<Q, Item>;
  log: Log;
  post: PostOnce;
  clock: Clock;
  chance: () => number;
  stopping: AbortSignal;
};

/** Sends a queue's items until none is due or its lease has no time for another; returns how many were dealt with. */
async function sendAll<Q extends Queue, Item>(sender: Sender<Q, Item>, queue: Q): Promise<number> {
  const { channel, log, post, clock, chance, stopping } = sender;
  let count = 0;
  let more = true;
  while (more && !stopping.aborted && queue.until - clock.now() >= TIMEOUT_MS + MARGIN_MS) {
    const item = await channel.take(queue, clock);
    if (item === undefined) return count;
    const at = clock.now();
    const sent = await channel.send(queue, item, post, at).catch((error: unknown) => {
      log.error({ err: error, queue: queue.key }, `a ${channel.name} could not be sent`);
      return { error: INTERNAL_ERROR };
    });
    if (sent) more = await channel.settle(queue, item, { sent, at, ms: clock.now() - at, chance: chance(), clock });
    count++;
  }
  await channel.release(queue);
  return count;
}

/** Runs `work` one at a time, which returns in how many milliseconds there is more to do. */
function createLoop(work: () => Promise<number>, { after }: Pick<Timers, 'after'>, failed: (error: unknown) => void) {
  let going = false;
  let stopped = false;
  let asked = false;
  let running: Promise<void> | undefined;
  let cancel = (): void => {};

  async function run(): Promise<void> {
    cancel();
    let sleepMs = 0;
    while (asked && !stopped) {
      asked = false;
      sleepMs = await work().catch((error: unknown) => {
        failed(error);
        return AFTER_FAILURE_MS;
      });
    }
    running = undefined;
    if (!going || stopped) return;
    cancel = after(Math.min(Math.max(sleepMs, SHORTEST_SLEEP_MS), LONGEST_SLEEP_MS), () => void now());
  }

  /** What is asked for while it runs makes it run once more. */
  function now(): Promise<void> {
    asked = true;
    running ??= run();
    return running;
  }

  return {
    now,
    /** From now on it also runs by itself, at the latest every 15 s. */
    start() {
      going = true;
      void now();
    },
    again() {
      if (going) void now();
    },
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
