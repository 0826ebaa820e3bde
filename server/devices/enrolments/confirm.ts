import { AppError } from '#shared/problem.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import type { Database } from '../../platform/database.ts';
import { STEP_MS } from './link.ts';
import { isNumber } from './numbers.ts';
import { unknownEnrolment } from './state.ts';

/**
 * The device that made the link picks the number that the newcomer shows. One pick decides: a wrong one ends the
 * link, 422 `enrolment.wrong_number`. Throws 404 `enrolment.unknown`, 410 `enrolment.expired`.
 */
export async function confirm(database: Database, id: string, number: string, caller: DeviceCaller): Promise<void> {
  const now = database.clock.now();
  const outcome = await database.transaction(async (trx) => {
    const row = await trx
      .selectFrom('enrolments')
      .select(['code'])
      .where('id', '=', id)
      .where('kind', '=', 'device')
      .where('issuer_device_id', '=', caller.id)
      .executeTakeFirst();
    if (!row) return 'unknown';
    const right = row.code !== null && isNumber(row.code, id, number);
    const decided = await trx
      .updateTable('enrolments')
      .set(right ? { state: 'confirmed', expires_at: now + STEP_MS } : { state: 'refused' })
      .where('id', '=', id)
      .where('state', '=', 'claimed')
      .where('code', '=', row.code)
      .where('expires_at', '>', now)
      .returning('id')
      .executeTakeFirst();
    if (!decided) return 'over';
    return right ? 'confirmed' : 'wrong';
  });
  if (outcome === 'unknown') throw unknownEnrolment();
  if (outcome === 'over')
    throw new AppError(
      410,
      'enrolment.expired',
      'Nobody waits behind this link: it was not opened yet, ran out, or was decided before.',
    );
  if (outcome === 'wrong')
    throw new AppError(
      422,
      'enrolment.wrong_number',
      'That is not the number the new device shows, so it was kept out. Make another link to try again.',
    );
}
