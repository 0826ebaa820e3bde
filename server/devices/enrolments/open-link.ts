import { AppError } from '#shared/problem.ts';
import type { Claimed } from '#shared/schemas/enrolments.ts';
import { iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { hashToken, newToken } from '../../platform/secrets/secrets.ts';
import { admit, type Admitted, type Announce } from '../admit.ts';
import type { NewDevice } from '../new-device.ts';
import { drawNumbers, isNumber, shownNumber } from './numbers.ts';
import { issuerIsIn, NEW_DEVICE, over, STEP_MS, unknownEnrolment } from './state.ts';

/**
 * Opens a link, once. One that the hub or the owner made lets the device in; one of a signed-in device gives the number that
 * must be picked there. Throws 410 `enrolment.used`, 410 `enrolment.expired`.
 */
export async function redeemLink(
  database: Database,
  announce: Announce,
  secret: string,
  device: NewDevice,
): Promise<Admitted | Claimed> {
  const now = database.clock.now();
  const opened = await database.transaction(async (trx) => {
    const row = await trx
      .selectFrom('enrolments')
      .select(['id', 'kind', 'person_id as personId', 'issuer_device_id as issuerId', 'state', 'expires_at'])
      .where('secret_hash', '=', hashToken(secret))
      .executeTakeFirst();
    if (!row || row.personId === null || row.state === 'refused') throw neverMade();
    if (row.kind === 'device' && row.issuerId !== null) return claim(trx, row.id, row.issuerId, device, now);
    if (await useUp(trx, row, now)) return admit(trx, row.personId, device, now, row.issuerId);
    throw row.expires_at > now ? openedBefore() : neverMade();
  });
  if ('enrolled' in opened) return opened;
  const { claimed, issuerId, numbers } = opened;
  announce.toDevice(issuerId, 'claimed', {
    enrolmentId: claimed.enrolmentId,
    ...device,
    numbers,
    expiresAt: claimed.expiresAt,
  });
  return claimed;
}

/**
 * The device that made the link picks the number that the new device shows. One pick decides: a wrong one ends the
 * link, 422 `enrolment.wrong_number`. Throws 404 `enrolment.unknown`, 410 `enrolment.expired`.
 */
export async function confirm(database: Database, id: string, number: string, caller: DeviceCaller): Promise<void> {
  const now = database.clock.now();
  const isRight = await database.transaction(async (trx) => {
    const row = await trx
      .selectFrom('enrolments')
      .select('code')
      .where('id', '=', id)
      .where('kind', '=', 'device')
      .where('issuer_device_id', '=', caller.id)
      .executeTakeFirst();
    if (!row) throw unknownEnrolment();
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
    if (!decided) throw over('Nobody waits behind this link: it was not opened yet, ran out, or was decided before.');
    return right;
  });
  if (!isRight)
    throw new AppError(
      422,
      'enrolment.wrong_number',
      'That is not the number the new device shows, so it was not signed in. Make another link to try again.',
    );
}

/**
 * The device that opened a link asks whether it was confirmed: its number again until then, its token once.
 * Throws 410 `enrolment.refused`, `enrolment.used` or `enrolment.expired`.
 */
export async function redeemClaim(
  database: Database,
  enrolmentId: string,
  secret: string,
): Promise<Admitted | Claimed> {
  const now = database.clock.now();
  return database.transaction(async (trx) => {
    const confirmed = await trx
      .updateTable('enrolments')
      .set({ state: 'used' })
      .where('id', '=', enrolmentId)
      .where('kind', '=', 'device')
      .where('claim_hash', '=', hashToken(secret))
      .where('state', '=', 'confirmed')
      .where('expires_at', '>', now)
      .where(issuerIsIn)
      .returning(['person_id', 'issuer_device_id', ...NEW_DEVICE])
      .executeTakeFirst();
    if (confirmed && confirmed.person_id !== null)
      return admit(trx, confirmed.person_id, confirmed, now, confirmed.issuer_device_id);
    const row = await trx
      .selectFrom('enrolments')
      .select(['state', 'code', 'expires_at'])
      .where('id', '=', enrolmentId)
      .where('kind', '=', 'device')
      .where('claim_hash', '=', hashToken(secret))
      .executeTakeFirst();
    if (row?.state === 'refused') throw over('The other device said no.', 'refused');
    if (row?.state === 'used') throw over('This device signed in before.', 'used');
    if (!row || row.expires_at <= now || row.code === null)
      throw over('The other device did not confirm in time; open a new link.');
    const number = shownNumber(row.code, enrolmentId);
    return { enrolmentId, claim: secret, number, expiresAt: iso(row.expires_at) };
  });
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

async function claim(trx: Transaction, id: string, issuerId: string, device: NewDevice, now: number) {
  const secret = newToken('');
  const { number, numbers, stored } = drawNumbers(id);
  const expiresAt = now + STEP_MS;
  const won = await trx
    .updateTable('enrolments')
    .set({
      state: 'claimed',
      claim_hash: hashToken(secret),
      code: stored,
      device_name: device.deviceName,
      user_agent: device.userAgent,
      address: device.address,
      expires_at: expiresAt,
    })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .where(issuerIsIn)
    .returning('id')
    .executeTakeFirst();
  if (won) return { claimed: { enrolmentId: id, claim: secret, number, expiresAt: iso(expiresAt) }, issuerId, numbers };
  const { state } = await trx.selectFrom('enrolments').select('state').where('id', '=', id).executeTakeFirstOrThrow();
  throw state === 'open' || state === 'refused' ? neverMade() : openedBefore();
}

function neverMade(): AppError {
  return over('This link ran out or was never made here; make another.');
}

function openedBefore(): AppError {
  return over(
    'This link was opened before. If that was not you, sign the other device out; then make another link.',
    'used',
  );
}
