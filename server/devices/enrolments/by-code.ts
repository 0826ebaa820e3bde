import { AppError } from '#shared/problem.ts';
import type { Enrolled } from '#shared/wire.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { sameText } from '../../platform/secrets/secrets.ts';
import { admit, announceEnrolled, type Newcomer } from '../admit.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { CODE_TRIES } from './access-request.ts';
import { numberHash } from './numbers.ts';
import { issuerIsIn } from './state.ts';

type Typed = { enrolmentId: string; code: string };
type Outcome =
  | { enrolled: Enrolled; deviceName: string }
  | { wrong: { left: number; personId: string | null } }
  | 'expired';

/**
 * The six digits typed on the newcomer. Until the access request is allowed, and after "not me", any digits are wrong digits:
 * the newcomer cannot tell a person who ignores it from a handle nobody has. Throws 422 `enrolment.wrong_code`, and
 * 410 `enrolment.expired` after 5 tries or 5 minutes.
 */
export async function redeemCode(database: Database, announce: DeviceAnnounce, typed: Typed): Promise<Enrolled> {
  const now = database.clock.now();
  const outcome = await database.transaction((trx) => tryCode(trx, typed, now));
  if (outcome === 'expired')
    throw new AppError(410, 'enrolment.expired', 'These digits are no longer taken; ask to be let in again.');
  if ('wrong' in outcome) {
    const { left, personId } = outcome.wrong;
    if (left === 0 && personId !== null) announce.accessRequestWithdraw(personId, { enrolmentId: typed.enrolmentId });
    throw new AppError(
      422,
      'enrolment.wrong_code',
      `These are not the digits that the other device shows; tries left: ${left}.`,
      { extra: { triesLeft: left } },
    );
  }
  announceEnrolled(announce, outcome.enrolled, outcome.deviceName, now);
  return outcome.enrolled;
}

async function tryCode(trx: Transaction, { enrolmentId, code }: Typed, now: number): Promise<Outcome> {
  // Counted before it is compared, so that no number of calls at once gets a sixth try.
  const row = await trx
    .updateTable('enrolments')
    .set((its) => ({ tries: its('tries', '+', 1) }))
    .where('id', '=', enrolmentId)
    .where('kind', '=', 'knock')
    .where('state', '!=', 'used')
    .where('tries', '<', CODE_TRIES)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (!row) return 'expired';
  const right = row.state === 'allowed' && row.code !== null && sameText(row.code, numberHash(enrolmentId, code));
  if (!right || row.person_id === null) return { wrong: { left: CODE_TRIES - row.tries, personId: row.person_id } };
  // The row is locked since it was counted: nothing can change its state in between.
  const used = await trx
    .updateTable('enrolments')
    .set({ state: 'used' })
    .where('id', '=', enrolmentId)
    .where(issuerIsIn)
    .returning('id')
    .executeTakeFirst();
  if (!used) return 'expired';
  const newcomer: Newcomer = { deviceName: row.device_name, userAgent: row.user_agent, address: row.address };
  return {
    enrolled: await admit(trx, row.person_id, newcomer, now, row.issuer_device_id),
    deviceName: row.device_name,
  };
}
