import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { createOutbound, type Post } from '../../platform/outbound/post.ts';
import { createPump } from '../pump.ts';
import type { Compose } from './compose.ts';
import { requestOf, type Envelope, type Recipient } from './protocol/request.ts';
import { claimDevice, nextDue } from './sending/claim.ts';
import type { Verdict } from './sending/schedule.ts';
import { sendLane, type Sending } from './sending/send.ts';

export type Pusher = {
  /** Sends what is due and from now on whatever falls due; call it at start and after each commit that wants a push. */
  wake(): void;
  /** Sends everything that is due now and resolves when the last attempt is recorded. */
  runDue(): Promise<void>;
  /** One last word to a subscription that is gone already: its worker closes everything. Best effort, never throws. */
  signOut(recipient: Recipient): Promise<void>;
  /** Ends within about `deadlineMs`; what is under way then counts as not finished and is tried again later. */
  stop(deadlineMs?: number): Promise<void>;
};
export type PusherOptions = {
  database: Database;
  log: Log;
  compose: Compose;
  envelope: Envelope;
  metrics?: { pushAttempts: { inc(labels: { outcome: Verdict }): void } } | undefined;
  post?: Post | undefined;
  clock?: Clock;
  chance?: () => number;
};

const LANES = 32;
const GOODBYE_LIFE_MS = 28 * 86_400_000;

/** Sends owed pushes, several devices at a time and one request to each; no lock is held while it waits. */
export function createPusher({
  database,
  log,
  compose,
  envelope,
  metrics,
  post,
  clock = database.clock,
  chance = Math.random,
}: PusherOptions): Pusher {
  const outbound = createOutbound();
  const stopping = new AbortController();
  const abandon = new AbortController();
  const sending: Sending = {
    database,
    log,
    post: post ?? outbound.post,
    clock,
    chance,
    compose,
    envelope,
    counted: (outcome) => metrics?.pushAttempts.inc({ outcome }),
    stopping: stopping.signal,
    abandon: abandon.signal,
  };
  const running = new Set<Promise<void>>();
  const pump = createPump(fillLanes, log, 'owed pushes');
  let awake = false;

  async function fillLanes(): Promise<number> {
    while (running.size < LANES && !stopping.signal.aborted) {
      const lane = await claimDevice(database, clock.now());
      if (lane === undefined) break;
      run(
        sendLane(sending, lane).catch((error: unknown) => {
          log.error({ err: error }, 'a push could not be recorded; it is sent again when its lease runs out');
        }),
      );
    }
    return ((await nextDue(database)) ?? Infinity) - clock.now();
  }

  function run(work: Promise<void>): void {
    const lane = work.then(() => {
      running.delete(lane);
      if (awake) void pump.now();
    });
    running.add(lane);
  }

  return {
    wake() {
      if (stopping.signal.aborted) return;
      awake = true;
      pump.keepGoing();
    },
    async runDue() {
      do {
        await pump.now();
        await Promise.all(running);
      } while (((await nextDue(database)) ?? Infinity) <= clock.now() && !stopping.signal.aborted);
    },
    signOut: (recipient) => sayGoodbye(sending, recipient),
    async stop(deadlineMs = 5_000) {
      stopping.abort();
      const late = setTimeout(() => abandon.abort(), deadlineMs);
      await pump.stop();
      await Promise.all(running);
      clearTimeout(late);
      await outbound.close();
    },
  };
}

async function sayGoodbye({ envelope, post, abandon, log }: Sending, recipient: Recipient): Promise<void> {
  try {
    const message = { t: 'signed_out' } as const;
    const request = await requestOf(envelope, { to: recipient, message, topic: 'signed_out', ttlMs: GOODBYE_LIFE_MS });
    log.debug(await post({ ...request, signal: abandon }), 'told a device that it is signed out');
  } catch (error) {
    log.warn({ err: error }, 'a signed-out device could not be told');
  }
}
