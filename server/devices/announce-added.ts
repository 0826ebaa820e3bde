import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { ADDED } from './admit.ts';
import type { DeviceAnnounce } from './announce.ts';

/**
 * Announces the devices that the command line, another process, let in: RES5 holds for the operator's too. Each is
 * announced once, by whichever node comes first. To be called every few seconds.
 */
export async function announceAdded(database: Database, announce: DeviceAnnounce): Promise<void> {
  const open = await database.read
    .selectFrom('enrolments')
    .select('id')
    .where('kind', '=', ADDED)
    .where('state', '=', 'open')
    .execute();
  if (open.length === 0) return;
  const added = await database.transaction((trx) =>
    trx
      .updateTable('enrolments')
      .set({ state: 'used' })
      .where(
        'id',
        'in',
        open.map((row) => row.id),
      )
      .where('state', '=', 'open')
      .returning(['person_id', 'issuer_device_id', 'device_name', 'created_at'])
      .execute(),
  );
  for (const { person_id: personId, issuer_device_id: id, device_name: name, created_at: at } of added) {
    if (personId !== null && id !== null) announce.enrolled(personId, { device: { id, name }, at: iso(at) });
  }
}
