import { newId } from '#shared/ids.ts';
import type { Enrolled } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { admit, type Newcomer } from './admit.ts';
import type { DeviceAnnounce } from './announce.ts';

const KIND = 'operator';

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
        kind: KIND,
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

/**
 * Announces the devices that the command line, another process, let in: RES5 holds for the operator's too. Each is
 * announced once, by whichever node comes first. To be called every few seconds.
 */
export async function announceAdded(database: Database, announce: DeviceAnnounce): Promise<void> {
  const open = await database.read.selectFrom('enrolments').select('id').where('kind', '=', KIND).where('state', '=', 'open').execute();
  if (open.length === 0) return;
  const added = await database.transaction((trx) =>
    trx
      .updateTable('enrolments')
      .set({ state: 'used' })
      .where('id', 'in', open.map((row) => row.id))
      .where('state', '=', 'open')
      .returning(['person_id', 'issuer_device_id', 'device_name', 'created_at'])
      .execute(),
  );
  for (const { person_id: personId, issuer_device_id: id, device_name: name, created_at: at } of added) {
    if (personId !== null && id !== null) announce.enrolled(personId, { device: { id, name }, at: iso(at) });
  }
}
