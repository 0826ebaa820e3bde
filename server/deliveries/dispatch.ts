import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { createOutbound, type Post } from '../platform/outbound/post.ts';
import { claim, nextDue, type Claimed, type Lane } from './claim.ts';
import { createPump } from './pump.ts';
import { sendLane, type Sending } from './send.ts';
import type { Settled } from './settle.ts';

export type Dispatcher = {
  /** Sends what is due and from now on whatever falls due; call it once at start and after each commit that owes something. */
  wake(): void;
  /** Sends everything that is due now and resolves when the last attempt is recorded. */
  runDue(): Promise<void>;
  /** Ends within about `deadlineMs`: the requests under way may finish, then they are abandoned and given back. */
  stop(deadlineMs?: number): Promise<void>;
};
export type DispatcherOptions = {
  database: Database;
  log: Log;
  metrics?: { webhookAttempts: { inc(labels: { outcome: Settled }): void } } | undefined;
  post?: Post | undefined;
  clock?: Clock;
  chance?: () => number;
};

const LANES = 16;
/** No source fills all lanes: slow hosts that one source chose cannot delay another source. */
const LANES_OF_A_SOURCE = 4;

/** Sends owed webhooks, several hosts at a time; no lock and no transaction is open while it waits for one. */
export function createDispatcher({
  database,
  log,
  metrics,
  post,
  clock = database.clock,
  chance = Math.random,
}: DispatcherOptions): Dispatcher {
  const outbound = createOutbound();
  const stopping = new AbortController();
  const abandon = new AbortController();
  const counted: Sending['counted'] = (outcome) => metrics?.webhookAttempts.inc({ outcome });
  const sending = {
    database,
    log,
    post: post ?? outbound.post,
    clock,
    chance,
    counted,
    stopping: stopping.signal,
    abandon: abandon.signal,
  };
  const running = new Map<Lane, Promise<void>>();
  const pump = createPump(fillLanes, log);
  let awake = false;

  async function fillLanes(): Promise<number> {
    while (running.size < LANES && !stopping.signal.aborted) {
      const claimed = await claim(database, clock.now(), busy([...running.keys()]));
      if (claimed === undefined) break;
      running.set(claimed.lane, runLane(claimed));
    }
    return ((await nextDue(database)) ?? Infinity) - clock.now();
  }

  async function runLane(claimed: Claimed): Promise<void> {
    await sendLane(sending, claimed).catch((error: unknown) => {
      log.error({ err: error }, 'a webhook could not be recorded; it is sent again when its lease runs out');
    });
    running.delete(claimed.lane);
    if (awake) void pump.now();
  }

  return {
    wake() {
      awake = true;
      pump.keepGoing();
    },
    async runDue() {
      do {
        await pump.now();
        await Promise.all(running.values());
      } while (((await nextDue(database)) ?? Infinity) <= clock.now() && !stopping.signal.aborted);
    },
    async stop(deadlineMs = 5_000) {
      stopping.abort();
      const late = setTimeout(() => abandon.abort(), deadlineMs);
      await pump.stop();
      await Promise.all(running.values());
      clearTimeout(late);
      await outbound.close();
    },
  };
}

function busy(lanes: Lane[]): { lanes: Lane[]; sources: string[] } {
  const sources = Map.groupBy(lanes, ({ sourceId }) => sourceId);
  return {
    lanes,
    sources: [...sources].filter(([, own]) => own.length >= LANES_OF_A_SOURCE).map(([sourceId]) => sourceId),
  };
}
