import type { Database } from '../platform/database.ts';
import type { Announce } from './admit.ts';
import { unknownDevice } from './store.ts';
import { takeSubscription, type Recipient } from './subscription/store.ts';

/** One last push to a device that is signed out; best effort. `deliveries` implements it. */
export type SayGoodbye = (recipient: Recipient) => void;

/**
 * Signs a device of this person out at once, with the links it made and the access requests it allowed.
 * Throws 404 `device.unknown`.
 */
export async function revokeDevice(
  database: Database,
  announce: Announce,
  personId: string,
  deviceId: string,
  sayGoodbye?: SayGoodbye,
): Promise<void> {
  const { revoked, subscription } = await database.transaction(async (trx) => {
    const row = await trx
      .updateTable('devices')
      .set({ revoked_at: database.clock.now(), live_until: 0 })
      .where('id', '=', deviceId)
      .where('person_id', '=', personId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!row) return { revoked: false };
    // Otherwise whoever held the lost phone comes back by what it made or allowed.
    await trx
      .updateTable('enrolments')
      .set({ state: 'refused' })
      .where('issuer_device_id', '=', deviceId)
      .where('state', 'in', ['open', 'claimed', 'confirmed', 'allowed'])
      .execute();
    return { revoked: true, subscription: await takeSubscription(trx, deviceId) };
  });
  if (!revoked) throw unknownDevice();
  announce.revoked(deviceId);
  if (subscription) sayGoodbye?.(subscription);
}

/** Gives one of a person's own devices another name; 404 `device.unknown`. */
export async function renameDevice(
  database: Database,
  personId: string,
  deviceId: string,
  name: string,
): Promise<void> {
  const row = await database.transaction((trx) =>
    trx
      .updateTable('devices')
      .set({ name })
      .where('id', '=', deviceId)
      .where('person_id', '=', personId)
      .where('revoked_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!row) throw unknownDevice();
}
