import type { Subscription, SubscriptionState } from '#shared/push.ts';
import { AppError } from '#shared/problem.ts';
import { iso } from '../../platform/clock.ts';
import { isUniqueViolation, type Database, type Transaction } from '../../platform/database.ts';

/** What is needed to send to a browser. */
export type Recipient = { endpoint: string; keys: { p256dh: string; auth: string } };

export const SUBSCRIPTION = [
  'subscriptions.endpoint as endpoint',
  'subscriptions.created_at as subscribedAt',
  'shown_at as shownAt',
  'trouble',
] as const;
/** What `SUBSCRIPTION` selects; all null where a device has none. */
export type SubscriptionRow = {
  endpoint: string | null;
  subscribedAt: number | null;
  shownAt: number | null;
  trouble: string | null;
};

/** The subscription of a device as the wire shows it, or nothing. */
export function viewSubscription({
  endpoint,
  subscribedAt,
  shownAt,
  trouble,
}: SubscriptionRow): Pick<SubscriptionState, 'subscription'> {
  if (endpoint === null || subscribedAt === null) return {};
  return {
    subscription: {
      endpointHost: new URL(endpoint).host,
      createdAt: iso(subscribedAt),
      ...(shownAt === null ? {} : { shownAt: iso(shownAt) }),
      ...(trouble === null ? {} : { trouble }),
    },
  };
}

/** How it stands with one device's notifications. */
export async function readSubscription(
  reader: Database['read'],
  deviceId: string,
  vapidPublicKey: string,
): Promise<SubscriptionState> {
  const row = await reader
    .selectFrom('subscriptions')
    .select([...SUBSCRIPTION, 'weekly_test'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  return { vapidPublicKey, ...(row && viewSubscription(row)), weeklyTest: row?.weekly_test === 1 };
}

/**
 * Makes this subscription the device's only one, and the endpoint this device's alone: the browser was handed on. With
 * another endpoint than before, what waits for the device to be tried again is due at once.
 */
export async function putSubscription(
  database: Database,
  deviceId: string,
  { endpoint, keys: { p256dh, auth }, vapidPublicKey }: Subscription,
): Promise<void> {
  const now = database.clock.now();
  const given = { endpoint, host: new URL(endpoint).host, p256dh, auth, vapid_public_key: vapidPublicKey };
  const put = () =>
    database.transaction(async (trx) => {
      await trx
        .deleteFrom('subscriptions')
        .where('endpoint', '=', endpoint)
        .where('device_id', '<>', deviceId)
        .execute();
      const before = await trx
        .selectFrom('subscriptions')
        .select(['endpoint', 'created_at'])
        .where('device_id', '=', deviceId)
        .executeTakeFirst();
      const isNew = before?.endpoint !== endpoint;
      const createdAt = isNew ? now : before.created_at;
      // Another push service's wish to be left alone is not this one's.
      const anew = isNew ? { due_at: 0, rest_until: null } : {};
      const row = { ...given, ...anew, created_at: createdAt, trouble: null };
      await trx
        .insertInto('subscriptions')
        .values({ device_id: deviceId, ...row })
        .onConflict((conflict) => conflict.column('device_id').doUpdateSet(row))
        .execute();
      if (isNew)
        await trx
          .updateTable('pushes')
          .set({ due_at: now })
          .where('device_id', '=', deviceId)
          .where('due_at', '>', now)
          // What was never sent waits for something else, as the end of quiet hours.
          .where('attempt_count', '>', 0)
          .execute();
    });
  await put().catch((error: unknown) => {
    // Two devices with one endpoint at the same moment: the later one has it.
    if (!isUniqueViolation(error)) throw error;
    return put();
  });
}

/** Ends a device's notifications; returns what it had, for a last word to it. */
export async function takeSubscription(trx: Transaction, deviceId: string): Promise<Recipient | undefined> {
  const row = await trx
    .deleteFrom('subscriptions')
    .where('device_id', '=', deviceId)
    .returning(['endpoint', 'p256dh', 'auth'])
    .executeTakeFirst();
  return row && { endpoint: row.endpoint, keys: { p256dh: row.p256dh, auth: row.auth } };
}

/** Whether a visible test goes to the device each week; 409 `subscription.none` without a subscription. */
export async function chooseWeeklyTest(database: Database, deviceId: string, weekly: boolean): Promise<void> {
  const { numUpdatedRows } = await database.transaction((trx) =>
    trx
      .updateTable('subscriptions')
      .set({ weekly_test: weekly ? 1 : 0 })
      .where('device_id', '=', deviceId)
      .executeTakeFirst(),
  );
  if (numUpdatedRows === 0n) throw noSubscription();
}

export function noSubscription(): AppError {
  return new AppError(409, 'subscription.none', 'Turn notifications on on this device first.');
}
