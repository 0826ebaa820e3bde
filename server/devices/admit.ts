import type { HubToDevice } from '#shared/live.ts';
import { newId } from '#shared/ids.ts';
import type { Enrolled } from '#shared/schemas/enrolments.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { hashToken, newToken } from '../platform/secrets/secrets.ts';
import { readPerson } from '../people/store.ts';
import type { NewDevice } from './new-device.ts';

/** The kind of enrolment that the operator makes. */
const ADDED = 'operator';
export const DEVICE_LIFE_MS = 90 * DAY_MS;

type Event<Name extends keyof HubToDevice> = Parameters<HubToDevice[Name]>[0];
type Tell = <Name extends keyof HubToDevice>(id: string, name: Name, event: Event<Name>) => void;

/** Tells pages what was committed; `live` implements it. Hints only: each can also be read over HTTP. */
export type Announce = {
  toPerson: Tell;
  toDevice: Tell;
  /** This device is out: tell it and close its sockets. */
  revoked(deviceId: string): void;
};

/** The reply to a device that is let in, and what its person's other devices are told once that is committed (RES5). */
export type Admitted = {
  enrolled: Enrolled;
  announcement: { personId: string; event: Event<'enrolled'> };
  /** Its access requests that nobody needs to answer any more. */
  retired: string[];
};

/** Lets a device in for a person: its token is in this reply and nowhere else. `madeBy` is the device that let it in. */
export async function admit(
  trx: Transaction,
  personId: string,
  { deviceName, userAgent, address }: NewDevice,
  now: number,
  madeBy: string | null = null,
): Promise<Admitted> {
  const person = await readPerson(trx, personId);
  const accessToken = newToken('bkd_');
  const deviceId = newId('dev', now);
  await trx
    .insertInto('devices')
    .values({
      id: deviceId,
      person_id: personId,
      name: deviceName,
      token_hash: hashToken(accessToken),
      user_agent: userAgent,
      address,
      created_at: now,
      seen_at: now,
      expires_at: now + DEVICE_LIFE_MS,
      made_by: madeBy,
    })
    .execute();
  const announcement = { personId, event: { device: { id: deviceId, name: deviceName }, at: iso(now) } };
  const retired = await retireRequests(trx, { personId, deviceName, userAgent, address }, ['open', 'allowed']);
  return { enrolled: { deviceId, accessToken, person }, announcement, retired };
}

/** Ends the access requests in these states that one newcomer made; returns their ids. */
export async function retireRequests(
  trx: Transaction,
  { deviceName, userAgent, address, ...whose }: NewDevice & ({ personId: string } | { claimHash: string }),
  states: ('open' | 'allowed')[],
): Promise<string[]> {
  const retired = await trx
    .updateTable('enrolments')
    .set({ state: 'refused' })
    .where('kind', '=', 'knock')
    .where('state', 'in', states)
    .where('device_name', '=', deviceName)
    .where('user_agent', '=', userAgent)
    .where('address', '=', address)
    .where((row) =>
      'personId' in whose ? row('person_id', '=', whose.personId) : row('claim_hash', '=', whose.claimHash),
    )
    .returning('id')
    .execute();
  return retired.map(({ id }) => id);
}

/** Lets a device in on the operator's word, for scripts and tests; a running hub announces it with `announceAdded`. */
export async function addDevice(database: Database, personId: string, deviceName: string): Promise<Enrolled> {
  const device: NewDevice = { deviceName, userAgent: 'command line', address: "the hub's machine" };
  return database.transaction(async (trx) => {
    const now = database.clock.now();
    const { enrolled } = await admit(trx, personId, device, now);
    await trx
      .insertInto('enrolments')
      .values({
        id: newId('enr', now),
        person_id: personId,
        kind: ADDED,
        state: 'open',
        issuer_device_id: enrolled.deviceId,
        device_name: deviceName,
        user_agent: device.userAgent,
        address: device.address,
        created_at: now,
        expires_at: now,
      })
      .execute();
    return enrolled;
  });
}

/**
 * Announces the devices that the command line, another process, let in: RES5 holds for the operator's too. Each is
 * announced once, by whichever node comes first. To be called every few seconds.
 */
export async function announceAdded(database: Database, announce: Pick<Announce, 'toPerson'>): Promise<void> {
  const open = await database.read
    .selectFrom('enrolments')
    .select('id')
    .where('kind', '=', ADDED)
    .where('state', '=', 'open')
    .execute();
  if (open.length === 0) return;
  const ids = open.map(({ id }) => id);
  const added = await database.transaction((trx) =>
    trx
      .updateTable('enrolments')
      .set({ state: 'used' })
      .where('id', 'in', ids)
      .where('state', '=', 'open')
      .returning(['person_id', 'issuer_device_id', 'device_name', 'created_at'])
      .execute(),
  );
  for (const { person_id: personId, issuer_device_id: id, device_name: name, created_at: at } of added) {
    if (personId !== null && id !== null)
      announce.toPerson(personId, 'enrolled', { device: { id, name }, at: iso(at) });
  }
}
