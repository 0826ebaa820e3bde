import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Post } from '../../platform/outbound/post.ts';
import { createWorker, type Channel, type Worker } from '../worker.ts';
import type { Compose } from './compose.ts';
import { requestOf, type Envelope, type Recipient } from './protocol/request.ts';
import { claimDevice, nextDue, releaseDevice, type DeviceQueue } from './sending/claim.ts';
import type { Verdict } from './sending/schedule.ts';
import { leaveUnsent, settle } from './sending/settle.ts';
import { takeNext, type Taken } from './sending/take.ts';

export type Pusher = Omit<Worker, 'post'> & {
  /** One last word to a subscription that is gone already: its worker closes everything. Best effort, never throws. */
  signOut(recipient: Recipient): Promise<void>;
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

/** A push service that hangs leaves the others most of it. */
const SHARES = [{ slow: false, queues: 64, ofOneGroup: 24 }];
const GOODBYE_LIFE_MS = 28 * 86_400_000;

/** Sends the pushes that are due, one request at a time to each device. */
export function createPusher({ database, log, compose, envelope, metrics, ...options }: PusherOptions): Pusher {
  const { clock = database.clock } = options;
  const channel: Channel<DeviceQueue, Taken> = {
    name: 'push',
    shares: SHARES,
    claim: (turn) => claimDevice(database, turn),
    nextDue: (now) => nextDue(database, now),
    take: (queue, now) => takeNext(database, queue, now),
    async send(queue, taken, post, now) {
      const { subjectId, wanted, giveUpAt } = taken;
      const device = { id: queue.deviceId, personId: queue.personId };
      const message = await compose(database.read, { subjectId, wanted, device, now });
      if (message !== undefined) {
        return post(await requestOf(envelope, { to: queue, message, topic: subjectId, ttlMs: giveUpAt - now }));
      }
      await leaveUnsent(database, queue, taken);
      return undefined;
    },
    async settle(queue, taken, tried) {
      const verdict = await settle(database, log, { queue, taken, ...tried });
      metrics?.pushAttempts.inc({ outcome: verdict });
      return verdict !== 'gone';
    },
    release: (queue) => database.transaction((trx) => releaseDevice(trx, queue)),
  };
  const { post, ...worker } = createWorker(channel, { log, ...options, clock });
  return {
    ...worker,
    async signOut(recipient) {
      try {
        const message = { t: 'signed_out' } as const;
        const goodbye = { to: recipient, message, topic: 'signed_out', ttlMs: GOODBYE_LIFE_MS };
        log.debug(await post(await requestOf(envelope, goodbye)), 'told a device that it is signed out');
      } catch (error) {
        log.warn({ err: error }, 'a signed-out device could not be told');
      }
    },
  };
}
