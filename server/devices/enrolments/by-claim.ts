import { AppError } from '#shared/problem.ts';
import type { Claimed, Enrolled } from '#shared/wire.ts';
import { iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { hashToken } from '../../platform/secrets/secrets.ts';
import { admit, announceEnrolled, type Newcomer } from '../admit.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { shownNumber } from './numbers.ts';
import { issuerIsIn } from './state.ts';

type Claim = { enrolmentId: string; claim: string };
type Outcome = { enrolled: Enrolled; deviceName: string } | { waiting: Claimed } | 'used' | 'refused' | 'expired';

/**
 * The newcomer that opened a link asks whether it was confirmed: its number again until then, its token once.
 * Throws 410 `enrolment.refused`, `enrolment.used` or `enrolment.expired`.
 */
export async function redeemClaim(
  database: Database,
  announce: DeviceAnnounce,
  claim: Claim,
): Promise<Enrolled | Claimed> {
  const now = database.clock.now();
  const outcome = await database.transaction((trx) => collect(trx, claim, now));
  if (outcome === 'refused') throw new AppError(410, 'enrolment.refused', 'The other device said no.');
  if (outcome === 'used') throw new AppError(410, 'enrolment.used', 'This device was let in before.');
  if (outcome === 'expired')
    throw new AppError(410, 'enrolment.expired', 'The other device did not confirm in time; open a new link.');
  if ('waiting' in outcome) return outcome.waiting;
  announceEnrolled(announce, outcome.enrolled, outcome.deviceName, now);
  return outcome.enrolled;
}

async function collect(trx: Transaction, { enrolmentId, claim }: Claim, now: number): Promise<Outcome> {
  const claimHash = hashToken(claim);
  const row = await trx
    .updateTable('enrolments')
    .set({ state: 'used' })
    .where('id', '=', enrolmentId)
    .where('kind', '=', 'device')
    .where('claim_hash', '=', claimHash)
    .where('state', '=', 'confirmed')
    .where('expires_at', '>', now)
    .where(issuerIsIn)
    .returningAll()
    .executeTakeFirst();
  if (row && row.person_id !== null) {
    const newcomer: Newcomer = { deviceName: row.device_name, userAgent: row.user_agent, address: row.address };
    return {
      enrolled: await admit(trx, row.person_id, newcomer, now, row.issuer_device_id),
      deviceName: row.device_name,
    };
  }
  const waiting = await trx
    .selectFrom('enrolments')
    .selectAll()
    .where('id', '=', enrolmentId)
    .where('kind', '=', 'device')
    .where('claim_hash', '=', claimHash)
    .executeTakeFirst();
  if (waiting?.state === 'used' || waiting?.state === 'refused') return waiting.state;
  if (!waiting || waiting.expires_at <= now || waiting.code === null) return 'expired';
  return {
    waiting: { enrolmentId, claim, number: shownNumber(waiting.code, enrolmentId), expiresAt: iso(waiting.expires_at) },
  };
}
