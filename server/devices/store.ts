import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#shared/problem.ts';
import type { Device, LeftBehind } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { DeviceCaller } from '../platform/http/access.ts';
import type { Schema } from '../platform/schema.ts';
import { SUBSCRIPTION, viewSubscription, type SubscriptionRow } from './subscription/store.ts';

/** Whose devices are meant, and on which one they are looked at. */
type Viewer = { id?: string; person: { id: string } };

/** The devices that a person is signed in on, oldest first. */
export async function listDevices(database: Database, caller: Viewer): Promise<Device[]> {
  const rows = await signedIn(database, caller).orderBy('devices.id').execute();
  return rows.map((row) => viewDevice(row, caller, database.clock.now()));
}

/** One of a person's own devices, or 404 `device.unknown`. */
export async function readDevice(database: Database, id: string, caller: DeviceCaller): Promise<Device> {
  const row = await signedIn(database, caller).where('devices.id', '=', id).executeTakeFirst();
  if (!row) throw unknownDevice();
  return viewDevice(row, caller, database.clock.now());
}

/** What this device made or changed last, and what is still in use. */
export async function madeBy(db: Kysely<Schema>, deviceId: string): Promise<LeftBehind> {
  const [devices, people, sources, gates, lists] = await Promise.all([
    db
      .selectFrom('devices')
      .select(['id', 'name'])
      .where('made_by', '=', deviceId)
      .where('revoked_at', 'is', null)
      .execute(),
    db.selectFrom('people').select(['id', 'handle']).where('made_by', '=', deviceId).execute(),
    db
      .selectFrom('sources')
      .select(['id', 'name'])
      .where('made_by', '=', deviceId)
      .where('revoked_at', 'is', null)
      .execute(),
    db.selectFrom('gates').select('name').where('made_by', '=', deviceId).execute(),
    db.selectFrom('policies').select('person_id').where('made_by', '=', deviceId).execute(),
  ]);
  const policies = lists.map(({ person_id }) => ({ of: person_id === null ? ('hub' as const) : ('person' as const) }));
  return { devices, people, sources, gates, policies };
}

export function unknownDevice(): AppError {
  return new AppError(404, 'device.unknown', 'You are not signed in on such a device.');
}

function signedIn({ read, clock }: Database, { person }: Viewer) {
  return read
    .selectFrom('devices')
    .leftJoin('subscriptions', 'subscriptions.device_id', 'devices.id')
    .selectAll('devices')
    .select(SUBSCRIPTION)
    .where('person_id', '=', person.id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock.now());
}

type DeviceRow = Selectable<Schema['devices']> & SubscriptionRow;

function viewDevice(row: DeviceRow, caller: Viewer, now: number): Device {
  return {
    id: row.id,
    name: row.name,
    userAgent: row.user_agent,
    createdAt: iso(row.created_at),
    seenAt: iso(row.seen_at),
    expiresAt: iso(row.expires_at),
    live: row.live_until > now,
    current: row.id === caller.id,
    ...viewSubscription(row),
  };
}
