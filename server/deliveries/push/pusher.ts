import { allowedEndpoints } from '../../devices/subscription/endpoints.ts';
import { subscriptionRoutes } from '../../devices/subscription/routes.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import type { Settings } from '../../platform/settings.ts';
import { createWorker, type Channel, type Worker, type WorkerOptions } from '../worker.ts';
import { composeBy, type Compose } from './compose.ts';
import { toRequest, type Envelope, type Recipient } from './protocol/request.ts';
import { createVapid, loadVapidKeys, vapidSubject } from './protocol/vapid.ts';
import { pushRoutes } from './routes.ts';
import { leaveUnsent, settle } from './settle.ts';
import { lockDevice, lookAtLate, nextDue } from './due.ts';
import { lookAgain } from './quiet.ts';
import { rescheduleReminders } from './remind.ts';
import { claimDevice, releaseDevice, takeNext, type DeviceQueue, type Taken } from './take.ts';
import { sweepPushes, wantWeeklyTests } from './upkeep.ts';

export type Pusher = Worker & {
  /** One last word to a subscription that is gone already: its worker closes everything. Best effort, never throws. */
  signOut(recipient: Recipient): Promise<void>;
};
export type PusherOptions = WorkerOptions & {
  compose: Compose;
  envelope: Envelope;
};

/** A push service that hangs leaves the others most of it. */
const toShares = (connections: number) => [
  { slow: false, queues: connections, ofOneGroup: Math.ceil((connections * 3) / 8) },
];
const GOODBYE_LIFE_MS = 28 * DAY_MS;

/** Sends the pushes that are due, one request at a time to each device. */
export function createPusher({ compose, envelope, ...options }: PusherOptions): Pusher {
  const { database, log, counter, connections = 64 } = options;
  const channel: Channel<DeviceQueue, Taken> = {
    name: 'push',
    shares: toShares(connections),
    claim: (turn) => claimDevice(database, turn),
    nextDue: (now) => nextDue(database, now),
    take: (queue, at) => takeNext(database, queue, at),
    async send(queue, taken, post, now) {
      const { subjectId, wanted, giveUpAt } = taken;
      const device = { id: queue.deviceId, personId: queue.personId };
      const message = await compose(database.read, { subjectId, wanted, device, now });
      if (message !== undefined) {
        return post(await toRequest(envelope, { to: queue, message, topic: subjectId, ttlMs: giveUpAt - now }));
      }
      await leaveUnsent(database, queue, taken);
      return undefined;
    },
    async settle(queue, taken, tried) {
      const outcome = await settle(database, log, { queue, taken, ...tried });
      counter?.inc({ outcome });
      return outcome !== 'gone' && tried.sent.retryAfterMs === undefined;
    },
    release: (queue) =>
      database.transaction(async (trx) => {
        await lockDevice(trx, database.engine, queue.deviceId);
        await releaseDevice(trx, queue);
      }),
  };
  const worker = createWorker(channel, options);
  return {
    ...worker,
    async signOut(to) {
      try {
        const goodbye = { to, message: { t: 'signed_out' }, topic: 'signed_out', ttlMs: GOODBYE_LIFE_MS } as const;
        log.debug(await worker.post(await toRequest(envelope, goodbye)), 'told a device that it is signed out');
      } catch (error) {
        log.warn({ err: error }, 'a signed-out device could not be told');
      }
    },
  };
}

export type Push = Awaited<ReturnType<typeof openPush>>;

/** Web Push with the hub's own key, which is made on the first start; `composers` by the prefix of their subjects. */
export async function openPush({
  settings,
  composers,
  publicUrl,
  ...parts
}: {
  settings: Pick<Settings, 'PUBLIC_URL' | 'PUSH_CONNECTIONS' | 'PUSH_HOSTS' | 'VAPID_SUBJECT'>;
  composers: Record<string, Compose>;
  publicUrl: () => string;
  database: Database;
  log: Log;
  metrics: { pushAttempts: NonNullable<PusherOptions['counter']> };
}) {
  const { database } = parts;
  const vapid = await createVapid({
    keys: await loadVapidKeys(database),
    subject: vapidSubject(settings.VAPID_SUBJECT, settings.PUBLIC_URL),
    clock: database.clock,
  });
  const endpoints = allowedEndpoints(settings.PUSH_HOSTS);
  const pusher = createPusher({
    ...parts,
    compose: composeBy(composers),
    connections: settings.PUSH_CONNECTIONS,
    counter: parts.metrics.pushAttempts,
    envelope: { vapid, publicUrl, isListed: endpoints.isListed },
  });
  return {
    ...pusher,
    routes(app: Http) {
      pushRoutes(app, { database, wake: pusher.wake });
      subscriptionRoutes(app, { database, vapidPublicKey: vapid.publicKey, endpoints, wake: pusher.wake });
    },
    devices: {
      sayGoodbye: (recipient: Recipient) => void pusher.signOut(recipient),
      /** Rings now what waited, where it is quiet no more for this person. */
      async quietChanged(personId: string) {
        await lookAgain(database, personId);
        pusher.wake();
      },
      remindersChanged: (personId: string) => rescheduleReminders(database, personId),
    },
    /** Once an hour: drops what is old, wants the weekly tests. */
    upkeep: {
      async 'devices that are due too late'() {
        if ((await lookAtLate(database, database.clock.now())) > 0) pusher.wake();
      },
      'old pushes': () => sweepPushes(database),
      async 'weekly test pushes'() {
        if ((await wantWeeklyTests(database)) > 0) pusher.wake();
      },
    },
  };
}
