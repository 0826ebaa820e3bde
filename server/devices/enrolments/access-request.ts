import { randomInt } from 'node:crypto';
import { lock } from '../../platform/stored.ts';
import type { Kysely } from 'kysely';
import { newId } from '#shared/ids.ts';
import { fault, invalid } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import type { AccessRequest, AccessRequested } from '#shared/schemas/enrolments.ts';
import { iso } from '../../platform/clock.ts';
import { type Database, type Transaction } from '../../platform/database.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import type { Schema } from '../../platform/schema.ts';
import { hashToken, sameText } from '../../platform/secrets/secrets.ts';
import { admit, type Admitted, type Announce, retireRequests } from '../admit.ts';
import type { NewDevice } from '../new-device.ts';
import { numberHash } from './numbers.ts';
import {
  CODE_TRIES,
  isOpenFor,
  issuerIsIn,
  NEW_DEVICE,
  over,
  readEnrolment,
  STEP_MS,
  unknownEnrolment,
} from './state.ts';

/** The time over which access requests are counted. */
const WINDOW_MS = 10 * 60_000;
const PER_HANDLE = 5;
const PER_ADDRESS = 20;

/**
 * A new device asks to sign in as the person with this handle. A handle that nobody has gets the same reply and the
 * same row, so that nothing tells who is here. What the same device asked before is replaced until it is allowed. Throws
 * 429 `enrolment.too_many`.
 */
export async function requestAccess(
  database: Database,
  announce: Announce,
  handle: string,
  device: NewDevice,
): Promise<AccessRequested> {
  const now = database.clock.now();
  const wanted = handle.trim().toLowerCase();
  const id = newId('enr', now);
  // Looked at before the lock too, so that a flood does not queue for it.
  await refuseTooMany(database.read, wanted, device.address, now);
  const { person, replaced } = await database.transaction(async (trx) => {
    // Counted by one at a time: each counts what the one before it stored, on any node.
    await lock(trx, 'access_requests');
    await refuseTooMany(trx, wanted, device.address, now);
    const named = await trx.selectFrom('people').select('id').where('handle', '=', wanted).executeTakeFirst();
    const before = await retireRequests(trx, { ...device, claimHash: claimedHandle(wanted) }, ['open']);
    await trx
      .insertInto('enrolments')
      .values({
        id,
        person_id: named?.id ?? null,
        kind: 'knock',
        state: 'open',
        claim_hash: claimedHandle(wanted),
        device_name: device.deviceName,
        user_agent: device.userAgent,
        address: device.address,
        created_at: now,
        expires_at: now + STEP_MS,
      })
      .execute();
    return { person: named, replaced: before };
  });
  const reply = { enrolmentId: id, expiresAt: iso(now + STEP_MS) };
  if (person)
    for (const enrolmentId of replaced) announce.toPerson(person.id, 'access_request_withdraw', { enrolmentId });
  if (person) announce.toPerson(person.id, 'access_request', { ...reply, ...device });
  return reply;
}

/** What waits for this person's yes, a source that wants a key too, for a device that was not connected when it came. */
export async function openAccessRequests(database: Database, personId: string): Promise<AccessRequest[]> {
  const rows = await database.read
    .selectFrom('enrolments')
    .select(['id as enrolmentId', ...NEW_DEVICE, 'expires_at as expiresAt', 'kind', 'host', 'code', 'created_at'])
    .where('kind', 'in', ['knock', 'source'])
    .where(isOpenFor(personId, database.clock.now()))
    .orderBy('id')
    .execute();
  return rows.map(({ kind, host, code, created_at: at, expiresAt, ...row }) => ({
    ...row,
    expiresAt: iso(expiresAt),
    ...(kind === 'source' ? { source: viewRequest({ host, code, at }) } : {}),
  }));
}

/**
 * Lets a device that asks for access in: the first device wins, the others are told to withdraw. The six digits are in
 * this reply only. Throws 404 `enrolment.unknown`, 409 `enrolment.already_allowed`, 410 `enrolment.expired`.
 */
export async function allow(
  database: Database,
  announce: Announce,
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
      .where(isOpenFor(caller.person.id, now))
      .returning('id')
      .executeTakeFirst(),
  );
  if (!won) throw await lost(database, id, caller);
  announce.toPerson(caller.person.id, 'access_request_withdraw', { enrolmentId: id, allowedOn: caller.name });
  return { code, expiresAt: iso(now + STEP_MS) };
}

/**
 * The six digits typed on the new device. Until the access request is allowed, and after "not me", any digits are wrong digits:
 * the device cannot tell a person who ignores it from a handle nobody has. Throws 422 `enrolment.wrong_code`, and
 * 410 `enrolment.expired` after 5 tries or 5 minutes.
 */
export async function redeemCode(
  database: Database,
  announce: Announce,
  enrolmentId: string,
  code: string,
): Promise<Admitted> {
  const outcome = await database.transaction((trx) => tryCode(trx, enrolmentId, code, database.clock.now()));
  if (outcome === 'over') throw over('These digits have expired; ask to sign in again.');
  if ('enrolled' in outcome) return outcome;
  const { left, personId } = outcome;
  if (left === 0 && personId !== null) announce.toPerson(personId, 'access_request_withdraw', { enrolmentId });
  const detail = `These are not the digits that the other device shows; tries left: ${left}.`;
  throw new AppError(422, 'enrolment.wrong_code', detail, { extra: { triesLeft: left } });
}

async function tryCode(
  trx: Transaction,
  enrolmentId: string,
  code: string,
  now: number,
): Promise<Admitted | { left: number; personId: string | null } | 'over'> {
  // Counted before it is compared, so that no number of calls at once gets a sixth try.
  const row = await trx
    .updateTable('enrolments')
    .set((its) => ({ tries: its('tries', '+', 1) }))
    .where('id', '=', enrolmentId)
    .where('kind', '=', 'knock')
    .where('state', '!=', 'used')
    .where('tries', '<', CODE_TRIES)
    .where('expires_at', '>', now)
    .returning(['person_id as personId', 'state', 'code', 'tries', 'issuer_device_id', ...NEW_DEVICE])
    .executeTakeFirst();
  if (!row) return 'over';
  const { personId } = row;
  const right = row.state === 'allowed' && row.code !== null && sameText(row.code, numberHash(enrolmentId, code));
  if (!right || personId === null) return { left: CODE_TRIES - row.tries, personId };
  // The row is locked since it was counted: nothing can change its state in between.
  const used = await trx
    .updateTable('enrolments')
    .set({ state: 'used' })
    .where('id', '=', enrolmentId)
    .where(issuerIsIn)
    .returning('id')
    .executeTakeFirst();
  return used ? admit(trx, personId, row, now, row.issuer_device_id) : 'over';
}

/** What a request for a key says of itself beside. */
export function viewRequest({ host, code, at }: { host: string | null; code: string | null; at: number }) {
  return { ...(host === null ? {} : { host }), userCode: code ?? '', askedAt: iso(at) };
}

/** Why this request can no longer be allowed. */
export async function lost(database: Database, id: string, caller: DeviceCaller): Promise<AppError> {
  const { kind, state, allowedOn } = await readEnrolment(database, id, caller);
  if (kind === 'link') return unknownEnrolment();
  if (kind === 'source_request' && state === 'open')
    return invalid([fault('/userCode', 'enrolment.form', 'is missing: the code that both screens show')]);
  if (state !== 'allowed' && state !== 'used') return over('This access request has expired.');
  const detail = `It was approved on ${allowedOn ?? 'another device'}.`;
  return new AppError(409, 'enrolment.already_allowed', detail, { extra: { allowedOn } });
}

// What a new device says it is is hashed like any claim: handles that nobody has must not fill the database with text.
function claimedHandle(handle: string): string {
  return hashToken(`handle:${handle}`);
}

async function refuseTooMany(db: Kysely<Schema>, handle: string, address: string, now: number): Promise<void> {
  const claim = claimedHandle(handle);
  const rows = await db
    .selectFrom('enrolments')
    .select(['claim_hash', 'address'])
    .where('kind', '=', 'knock')
    .where('created_at', '>', now - WINDOW_MS)
    .where((row) => row.or([row('claim_hash', '=', claim), row('address', '=', address)]))
    .execute();
  if (
    rows.filter((row) => row.claim_hash === claim).length >= PER_HANDLE ||
    rows.filter((row) => row.address === address).length >= PER_ADDRESS
  )
    throw new AppError(
      429,
      'enrolment.too_many',
      'Too many devices asked to sign in; try again in ten minutes, or use a link from a signed-in device.',
    );
}
