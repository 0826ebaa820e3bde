import { randomInt } from 'node:crypto';
import { AppError } from '#shared/problem.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { CODE_TRIES } from './access-request.ts';
import { STEP_MS } from './link.ts';
import { numberHash } from './numbers.ts';
import { readEnrolment, unknownEnrolment } from './state.ts';

/**
 * Lets a device that asks to be let in in: the first device wins, the others are told to withdraw. The six digits are in this
 * reply only. Throws 404 `enrolment.unknown`, 409 `enrolment.already_allowed`, 410 `enrolment.expired`.
 */
export async function allow(
  database: Database,
  announce: DeviceAnnounce,
  id: string,
  caller: DeviceCaller,
): Promise<{ code: string; expiresAt: string }> {
  const now = database.clock.now();
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const won = await database.transaction((trx) =>
    trx
      .updateTable('enrolments')
      .set({ state: 'allowed', issuer_device_id: caller.id, code: numberHash(id, code), expires_at: now + STEP_MS })
      .where('id', '=', id)
      .where('kind', '=', 'knock')
      .where('person_id', '=', caller.person.id)
      .where('state', '=', 'open')
      .where('tries', '<', CODE_TRIES)
      .where('expires_at', '>', now)
      .returning('id')
      .executeTakeFirst(),
  );
  if (!won) throw await lost(database, id, caller);
  announce.accessRequestWithdraw(caller.person.id, { enrolmentId: id, allowedOn: caller.name });
  return { code, expiresAt: iso(now + STEP_MS) };
}

async function lost(database: Database, id: string, caller: DeviceCaller): Promise<AppError> {
  const { kind, state, allowedOn } = await readEnrolment(database, id, caller);
  if (kind !== 'knock') return unknownEnrolment();
  if (state === 'allowed' || state === 'used') {
    return new AppError(409, 'enrolment.already_allowed', `It was let in on ${allowedOn ?? 'another device'}.`, {
      extra: { allowedOn },
    });
  }
  return new AppError(410, 'enrolment.expired', 'Nobody waits at this door any more.');
}
