import { AppError } from '#shared/problem.ts';
import type { Claimed, Enrolled } from '#shared/wire.ts';
import { iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { hashToken, newToken } from '../../platform/secrets/secrets.ts';
import { admit, announceEnrolled, type Newcomer } from '../admit.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { STEP_MS } from './link.ts';
import { drawNumbers } from './numbers.ts';
import { issuerIsIn } from './state.ts';

type Outcome = { enrolled: Enrolled } | { claimed: Claimed; issuerId: string; numbers: string[] } | 'used' | 'expired';

/**
 * Opens a link, once. One that the hub or the owner made lets the device in; one of a signed-in device gives the number that
 * must be picked there. Throws 410 `enrolment.used`, 410 `enrolment.expired`.
 */
export async function redeemLink(
  database: Database,
  announce: DeviceAnnounce,
  secret: string,
  newcomer: Newcomer,
): Promise<Enrolled | Claimed> {
  const now = database.clock.now();
  const outcome = await database.transaction((trx) => open(trx, hashToken(secret), newcomer, now));
  if (outcome === 'used')
    throw new AppError(
      410,
      'enrolment.used',
      'This link was opened before. If that was not you, sign the other device out; then make another link.',
    );
  if (outcome === 'expired')
    throw new AppError(410, 'enrolment.expired', 'This link ran out or was never made here; make another.');
  if ('enrolled' in outcome) {
    announceEnrolled(announce, outcome.enrolled, newcomer.deviceName, now);
    return outcome.enrolled;
  }
  const { claimed, issuerId, numbers } = outcome;
  announce.claimed(issuerId, { enrolmentId: claimed.enrolmentId, ...newcomer, numbers, expiresAt: claimed.expiresAt });
  return claimed;
}

async function open(trx: Transaction, secretHash: string, newcomer: Newcomer, now: number): Promise<Outcome> {
  const row = await trx
    .selectFrom('enrolments')
    .select(['id', 'kind', 'person_id', 'issuer_device_id', 'state', 'expires_at'])
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
  if (!row || row.person_id === null || row.state === 'refused') return 'expired';
  if (row.kind === 'device' && row.issuer_device_id !== null)
    return claim(trx, row.id, row.issuer_device_id, newcomer, now);
  if (!(await useUp(trx, row, now))) return row.expires_at > now ? 'used' : 'expired';
  return { enrolled: await admit(trx, row.person_id, newcomer, now, row.issuer_device_id) };
}

/** Whether this call is the one that used the link. */
async function useUp(trx: Transaction, { id, kind }: { id: string; kind: string }, now: number): Promise<boolean> {
  const used = await trx
    .updateTable('enrolments')
    .set({ state: 'used' })
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .where(issuerIsIn)
    // The first start may have printed several links; the first device that comes in closes them all.
    .where((row) => (kind === 'first' ? row('kind', '=', 'first') : row('id', '=', id)))
    .returning('id')
    .execute();
  return used.some((row) => row.id === id);
}

async function claim(
  trx: Transaction,
  id: string,
  issuerId: string,
  newcomer: Newcomer,
  now: number,
): Promise<Outcome> {
  const claimSecret = newToken('');
  const { number, numbers, stored } = drawNumbers(id);
  const expiresAt = now + STEP_MS;
  const won = await trx
    .updateTable('enrolments')
    .set({
      state: 'claimed',
      claim_hash: hashToken(claimSecret),
      code: stored,
      device_name: newcomer.deviceName,
      user_agent: newcomer.userAgent,
      address: newcomer.address,
      expires_at: expiresAt,
    })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .where(issuerIsIn)
    .returning('id')
    .executeTakeFirst();
  if (won)
    return { claimed: { enrolmentId: id, claim: claimSecret, number, expiresAt: iso(expiresAt) }, issuerId, numbers };
  const { state } = await trx.selectFrom('enrolments').select('state').where('id', '=', id).executeTakeFirstOrThrow();
  return state === 'open' || state === 'refused' ? 'expired' : 'used';
}
