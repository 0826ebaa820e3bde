import { newId } from '#shared/ids.ts';
import type { Enrolled } from '#shared/wire.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { hashToken, newToken } from '../platform/secrets/secrets.ts';
import { readPerson } from '../people/store.ts';
import type { DeviceAnnounce } from './announce.ts';

/** The kind of enrolment that the operator makes. */
export const ADDED = 'operator';
export const DEVICE_LIFE_MS = 90 * DAY_MS;

/** What is known of a device before it is let in. */
export type Newcomer = { deviceName: string; userAgent: string; address: string };

/** Lets a device in for a person: its token is in this reply and nowhere else. `madeBy` is the device that let it in. */
export async function admit(
  trx: Transaction,
  personId: string,
  newcomer: Newcomer,
  now: number,
  madeBy: string | null = null,
): Promise<Enrolled> {
  const person = await readPerson(trx, personId);
  const accessToken = newToken('bkd_');
  const deviceId = newId('dev', now);
  await trx
    .insertInto('devices')
    .values({
      id: deviceId,
      person_id: personId,
      name: newcomer.deviceName,
      token_hash: hashToken(accessToken),
      user_agent: newcomer.userAgent,
      address: newcomer.address,
      created_at: now,
      seen_at: now,
      expires_at: now + DEVICE_LIFE_MS,
      revoked_at: null,
      made_by: madeBy,
    })
    .execute();
  return { deviceId, accessToken, person };
}

/** Tells the other devices of the person, once the device is committed (RES5). */
export function announceEnrolled(announce: DeviceAnnounce, enrolled: Enrolled, deviceName: string, now: number): void {
  announce.enrolled(enrolled.person.id, { device: { id: enrolled.deviceId, name: deviceName }, at: iso(now) });
}

/** Lets a device in on the operator's word, for scripts and tests; a running hub announces it with `announceAdded`. */
export async function addDevice(database: Database, personId: string, deviceName: string): Promise<Enrolled> {
  const newcomer: Newcomer = { deviceName, userAgent: 'command line', address: "the hub's machine" };
  return database.transaction(async (trx) => {
    const now = database.clock.now();
    const enrolled = await admit(trx, personId, newcomer, now);
    await trx
      .insertInto('enrolments')
      .values({
        id: newId('enr', now),
        person_id: personId,
        kind: ADDED,
        state: 'open',
        secret_hash: null,
        code: null,
        claim_hash: null,
        issuer_device_id: enrolled.deviceId,
        device_name: newcomer.deviceName,
        user_agent: newcomer.userAgent,
        address: newcomer.address,
        created_at: now,
        expires_at: now,
      })
      .execute();
    return enrolled;
  });
}
