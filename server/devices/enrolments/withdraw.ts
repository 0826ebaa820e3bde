import { AppError } from '#shared/problem.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import type { Database } from '../../platform/database.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { readEnrolment } from './state.ts';

/**
 * "Not me" to an access request, from any device of the person, or a link taken back by the device that made it; again is
 * fine. Throws 404 `enrolment.unknown`, 409 `enrolment.used` when the device is in already.
 */
export async function withdrawEnrolment(
  database: Database,
  announce: DeviceAnnounce,
  id: string,
  caller: DeviceCaller,
): Promise<void> {
  const row = await database.transaction((trx) =>
    trx
      .updateTable('enrolments')
      .set({ state: 'refused' })
      .where('id', '=', id)
      .where('person_id', '=', caller.person.id)
      .where('state', 'in', ['open', 'claimed', 'confirmed', 'allowed'])
      .where((its) =>
        its.or([
          its('kind', '=', 'knock'),
          its.and([its('kind', '=', 'device'), its('issuer_device_id', '=', caller.id)]),
        ]),
      )
      .returning('kind')
      .executeTakeFirst(),
  );
  if (row) {
    if (row.kind === 'knock') announce.accessRequestWithdraw(caller.person.id, { enrolmentId: id });
    return;
  }
  const { state } = await readEnrolment(database, id, caller);
  if (state === 'used')
    throw new AppError(409, 'enrolment.used', 'That device is in already; sign it out in the list of devices.');
}
