import { pino } from 'pino';
import type { PushMessage } from '#shared/push.ts';
import { allowedEndpoints } from '../../../devices/subscription/endpoints.ts';
import { putSubscription } from '../../../devices/subscription/store.ts';
import type { Database } from '../../../platform/database.ts';
import { batch, commitWith, within } from '../../../platform/steps.ts';
import { addDevice, addInquiry, addSource, movableClock } from '../../testing/scene.ts';
import { addDevices } from '../../inquiry-devices.ts';
import { composeBy } from '../compose.ts';
import { createVapid, loadVapidKeys, type VapidKeys } from '../protocol/vapid.ts';
import { createPusher, type Pusher, type PusherOptions } from '../pusher.ts';
import { wantShown, wantWithdrawn } from '../want.ts';
import { pushService, type FakeBrowser, type PushService } from './push-service.ts';

export type Device = FakeBrowser & { id: string };

/** One person, their devices, and a push service on loopback; the clock moves only as the test says. */
export type Scene = {
  database: Database;
  service: PushService;
  clock: ReturnType<typeof movableClock>;
  keys: VapidKeys;
  personId: string;
  sourceId: string;
  /** Signed in and subscribed. */
  device(more?: Parameters<typeof addDevice>[2]): Promise<Device>;
  /** A pusher of its own, as another node would have. */
  pusher(more?: Partial<PusherOptions>): Promise<Pusher>;
  /** Opens an inquiry that is wanted on all devices. */
  ask(id?: string, lifeMs?: number): Promise<string>;
  /** As a resolution does it; returns to how many devices it goes. */
  withdraw(inquiryId: string, more?: { expired?: boolean }): Promise<number>;
  rows(subjectId: string): Promise<Record<string, unknown>[]>;
  attempts(subjectId: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};

export const ASK_LIFE_MS = 60_000;

export async function openScene(database: Database): Promise<Scene> {
  const keys = await loadVapidKeys(database);
  const service = await pushService(() => keys.publicKey);
  const clock = movableClock();
  const pushers: Pusher[] = [];
  const { personId, sourceId } = await addSource(database, null, clock.now());
  const own: Database = { ...database, clock };
  const endpoints = allowedEndpoints([service.origin]);

  return {
    database: own,
    service,
    clock,
    keys,
    personId,
    sourceId,
    async device(more = {}) {
      const id = await addDevice(own, personId, { ...more }, clock.now());
      const browser = service.browser();
      await putSubscription(own, id, { ...browser.subscription, vapidPublicKey: keys.publicKey });
      return Object.assign(browser, { id });
    },
    async pusher(more = {}) {
      const vapid = await createVapid({ keys, subject: 'mailto:ops@example.org', clock });
      const envelope = { vapid, publicUrl: () => 'https://hub.example', isListed: endpoints.isListed };
      const log = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
      const pusher = createPusher({ database: own, log, compose, envelope, clock, chance: () => 0, ...more });
      pushers.push(pusher);
      return pusher;
    },
    async ask(id, lifeMs = ASK_LIFE_MS) {
      const inquiryId = id ?? (await addInquiry(own, { personId, sourceId }, clock.now()));
      const now = clock.now();
      const wanted = wantShown({ subjectId: inquiryId, personIds: [personId], giveUpAt: now + lifeMs, now });
      await own.steps(() => commitWith({ told: addDevices(inquiryId, [personId], now), wanted }));
      return inquiryId;
    },
    withdraw: (subjectId, more = {}) =>
      own.transaction(async (trx) => {
        await trx.updateTable('inquiries').set({ resolution: '{}' }).where('id', '=', subjectId).execute();
        await trx.updateTable('recipients').set({ open: 0 }).where('inquiry_id', '=', subjectId).execute();
        const { flipped } = await within(
          trx,
          batch({ flipped: wantWithdrawn({ subjectId, now: clock.now(), ...more }) }),
        );
        return flipped.filter(({ wanted }) => wanted === 'withdraw').length;
      }),
    rows: (subjectId) =>
      own.read
        .selectFrom('pushes')
        .select(['device_id', 'wanted', 'sent', 'due_at'])
        .where('subject_id', '=', subjectId)
        .orderBy('device_id')
        .execute()
        .then((rows) => rows.map((row) => ({ ...row }))),
    attempts: (subjectId) =>
      own.read
        .selectFrom('push_attempts')
        .select(['number', 'kind', 'status', 'error'])
        .where('subject_id', '=', subjectId)
        .orderBy('device_id')
        .orderBy('number')
        .execute()
        .then((rows) => rows.map((row) => ({ ...row }))),
    async close() {
      await Promise.all(pushers.map((pusher) => pusher.stop()));
      await service.close();
    },
  };
}

/** Says no more than the sender needs; what real ones say is tested where they are. */
const compose = composeBy({ inq: async (_db, { subjectId, wanted }) => messageOf(subjectId, wanted) });

export function messageOf(id: string, t: 'ask' | 'withdraw', body = ''): PushMessage {
  const face = { id, title: t === 'ask' ? 'Ship it?' : 'Answered', body, lang: 'en', badge: 1 } as const;
  if (t === 'withdraw') return { t, ...face };
  return { t, ...face, actions: [], deadlineAt: '2026-11-21T00:00:00.000Z', urgency: 'normal' };
}
