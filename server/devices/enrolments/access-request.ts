import type { Kysely } from 'kysely';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { AccessRequest } from '#shared/live.ts';
import type { AccessRequested } from '#shared/wire.ts';
import { iso } from '../../platform/clock.ts';
import { lock, type Database } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { hashToken } from '../../platform/secrets/secrets.ts';
import type { Newcomer } from '../admit.ts';
import type { DeviceAnnounce } from '../announce.ts';
import { STEP_MS } from './link.ts';

/** The time over which access requests are counted. */
const WINDOW_MS = 10 * 60_000;
const PER_HANDLE = 5;
const PER_ADDRESS = 20;

/**
 * A newcomer asks to be let in as the person with this handle. A handle that nobody has gets the same reply and the
 * same row, so that nothing tells who is here. Throws 429 `enrolment.too_many`.
 */
export async function requestAccess(
  database: Database,
  announce: DeviceAnnounce,
  handle: string,
  newcomer: Newcomer,
): Promise<AccessRequested> {
  const now = database.clock.now();
  const wanted = handle.trim().toLowerCase();
  const refused = new AppError(
    429,
    'enrolment.too_many',
    'Too many devices asked to be let in; try again in ten minutes, or use a link from a device that is in.',
  );
  // Looked at before the lock too, so that a flood does not queue for it.
  if (await tooMany(database.read, wanted, newcomer.address, now)) throw refused;
  const known = await database.transaction(async (trx) => {
    // Counted by one at a time: each counts what the one before it stored, on any node.
    await lock(trx, 'access_requests');
    if (await tooMany(trx, wanted, newcomer.address, now)) return undefined;
    const person = await trx.selectFrom('people').select('id').where('handle', '=', wanted).executeTakeFirst();
    const id = newId('enr', now);
    await trx
      .insertInto('enrolments')
      .values({
        id,
        person_id: person?.id ?? null,
        kind: 'knock',
        state: 'open',
        secret_hash: null,
        code: null,
        claim_hash: claimedHandle(wanted),
        issuer_device_id: null,
        device_name: newcomer.deviceName,
        user_agent: newcomer.userAgent,
        address: newcomer.address,
        created_at: now,
        expires_at: now + STEP_MS,
      })
      .execute();
    return { id, personId: person?.id };
  });
  if (!known) throw refused;
  const reply = { enrolmentId: known.id, expiresAt: iso(now + STEP_MS) };
  if (known.personId !== undefined) announce.accessRequest(known.personId, { ...reply, ...newcomer });
  return reply;
}

/** The access requests that wait for this person, for a device that was not connected when they came. */
export async function openAccessRequests(database: Database, personId: string): Promise<AccessRequest[]> {
  const rows = await database.read
    .selectFrom('enrolments')
    .selectAll()
    .where('kind', '=', 'knock')
    .where('person_id', '=', personId)
    .where('state', '=', 'open')
    .where('tries', '<', CODE_TRIES)
    .where('expires_at', '>', database.clock.now())
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    enrolmentId: row.id,
    deviceName: row.device_name,
    userAgent: row.user_agent,
    address: row.address,
    expiresAt: iso(row.expires_at),
  }));
}

/** Six digits may be typed this often for one access request. */
export const CODE_TRIES = 5;

// What a newcomer claims to be is hashed like any claim: handles that nobody has must not fill the database with text.
function claimedHandle(handle: string): string {
  return hashToken(`handle:${handle}`);
}

async function tooMany(trx: Kysely<Schema>, handle: string, address: string, now: number): Promise<boolean> {
  const claim = claimedHandle(handle);
  const rows = await trx
    .selectFrom('enrolments')
    .select(['claim_hash', 'address'])
    .where('kind', '=', 'knock')
    .where('created_at', '>', now - WINDOW_MS)
    .where((row) => row.or([row('claim_hash', '=', claim), row('address', '=', address)]))
    .execute();
  return (
    rows.filter((row) => row.claim_hash === claim).length >= PER_HANDLE ||
    rows.filter((row) => row.address === address).length >= PER_ADDRESS
  );
}
