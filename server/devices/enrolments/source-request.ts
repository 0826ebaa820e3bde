import { randomInt } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { networkOf } from '../../platform/http/rate-limits.ts';
import type { Schema } from '../../platform/schema.ts';
import { hashToken, newToken, sameText } from '../../platform/secrets/secrets.ts';
import { lock } from '../../platform/stored.ts';
import { createAllowed, freeName } from '../../sources/create.ts';
import type { Announce } from '../admit.ts';
import { lost, viewRequest } from './access-request.ts';
import { CODE_TRIES, isOpenFor, issuerIsIn } from './state.ts';

const LIFE_MS = 10 * 60_000;
/** Requests of one network in ten minutes, and those of everybody that wait: whoever floods fills no screen. */
const PER_NETWORK = 10;
const OPEN_IN_ALL = 20;
/** How long a client leaves between two polls, and by how much that grows each time it does not. */
const PACE_S = 5;
/** Timers of clients run a little early. */
const LENIENT_MS = 500;
/** No vowels, so that no word comes of it, and no letter that looks like a digit (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** An agent that wants a key: as which source, on which machine, by which program, from where. */
export type Asking = { name: string; host: string | undefined; client: string; userAgent: string; address: string };
export type Granting = { deviceCode: string; userCode: string; expiresInS: number; paceS: number };

/**
 * Asks the owner, on every device, whether this agent may have a key. The device code is in this reply only; it gets the
 * key once somebody said yes. Throws 429 `enrolment.too_many`.
 */
export async function requestSource(database: Database, announce: Announce, asking: Asking): Promise<Granting> {
  const now = database.clock.now();
  const deviceCode = newToken('');
  const userCode = drawCode();
  const { host = null, client, userAgent, address } = asking;
  // Looked at before the lock too, so that a flood does not queue for it.
  await refuseTooMany(database.read, address, now);
  const { id, personId, deviceName } = await database.transaction(async (trx) => {
    await lock(trx, 'source_requests');
    await refuseTooMany(trx, address, now);
    const owner = await trx.selectFrom('people').select('id').where('owner', '=', 1).executeTakeFirstOrThrow();
    const made = { id: newId('enr', now), personId: owner.id, deviceName: await freeName(trx, asking.name) };
    await trx
      .insertInto('enrolments')
      .values({
        id: made.id,
        person_id: made.personId,
        kind: 'source',
        state: 'open',
        secret_hash: hashToken(deviceCode),
        claim_hash: clientHash(client),
        code: userCode,
        device_name: made.deviceName,
        host,
        pace: PACE_S,
        user_agent: userAgent,
        address,
        created_at: now,
        expires_at: now + LIFE_MS,
      })
      .execute();
    return made;
  });
  announce.toPerson(personId, 'access_request', {
    enrolmentId: id,
    expiresAt: iso(now + LIFE_MS),
    deviceName,
    userAgent,
    address,
    source: viewRequest({ host, code: userCode, at: now }),
  });
  return { deviceCode, userCode, expiresInS: LIFE_MS / 1000, paceS: PACE_S };
}

/**
 * Gives the agent its key, with the code that whoever says yes has compared: the first device wins, the others are told to
 * withdraw. Throws 404 `enrolment.unknown`, 409 `enrolment.already_allowed`, 410 `enrolment.expired`, and 422
 * `enrolment.wrong_code`; five wrong codes end the request.
 */
export async function allowSource(
  database: Database,
  announce: Announce,
  { id, userCode }: { id: string; userCode: string },
  caller: DeviceCaller,
): Promise<{ expiresAt: string }> {
  const outcome = await database.transaction((trx) =>
    tryCode(trx, { id, userCode, caller, now: database.clock.now() }),
  );
  if (outcome === undefined) throw await lost(database, id, caller);
  if ('expiresAt' in outcome) {
    announce.toPerson(caller.person.id, 'access_request_withdraw', { enrolmentId: id, allowedOn: caller.name });
    return { expiresAt: iso(outcome.expiresAt) };
  }
  const { left } = outcome;
  if (left === 0) announce.toPerson(caller.person.id, 'access_request_withdraw', { enrolmentId: id });
  const detail = `This is not the code of this request; tries left: ${left}.`;
  throw new AppError(422, 'enrolment.wrong_code', detail, { extra: { triesLeft: left } });
}

async function tryCode(
  trx: Transaction,
  { id, userCode, caller, now }: { id: string; userCode: string; caller: DeviceCaller; now: number },
): Promise<{ expiresAt: number } | { left: number } | undefined> {
  // Counted before it is compared, so that no number of calls at once gets a sixth try.
  const row = await trx
    .updateTable('enrolments')
    .set((its) => ({ tries: its('tries', '+', 1) }))
    .where('id', '=', id)
    .where('kind', '=', 'source')
    .where(isOpenFor(caller.person.id, now))
    .returning(['code', 'tries', 'expires_at as expiresAt'])
    .executeTakeFirst();
  if (!row) return undefined;
  if (!sameText(bare(row.code ?? ''), bare(userCode))) return { left: CODE_TRIES - row.tries };
  await trx
    .updateTable('enrolments')
    .set({ state: 'allowed', issuer_device_id: caller.id })
    .where('id', '=', id)
    .execute();
  return row;
}

/**
 * What the holder of a device code gets: its source, made at this very moment and once, or why not yet or no more. Whoever
 * asks sooner than its pace is to leave five seconds more from then on.
 */
export async function collectSource(
  database: Database,
  { deviceCode, client }: { deviceCode: string; client: string },
): Promise<NewSourceReply | 'pending' | 'too_soon' | 'refused' | 'expired' | 'unknown'> {
  const now = database.clock.now();
  return database.transaction(async (trx) => {
    const polled = async (isPaced: boolean) =>
      trx
        .updateTable('enrolments')
        .set((its) => ({ polled_at: now, ...(isPaced ? {} : { pace: its('pace', '+', PACE_S) }) }))
        .where('kind', '=', 'source')
        .where('secret_hash', '=', hashToken(deviceCode))
        .where('claim_hash', '=', clientHash(client))
        .$if(isPaced, (some) =>
          some.where((row) =>
            row.or([
              row('polled_at', 'is', null),
              row(row('polled_at', '+', sql<number>`pace * 1000`), '<=', now + LENIENT_MS),
            ]),
          ),
        )
        .returning(['id', 'state', 'tries', 'expires_at as expiresAt'])
        .executeTakeFirst();
    const inTime = await polled(true);
    const row = inTime ?? (await polled(false));
    if (!row || row.state === 'used') return 'unknown';
    if (row.state === 'refused') return 'refused';
    if (row.expiresAt <= now || (row.state === 'open' && row.tries >= CODE_TRIES)) return 'expired';
    if (!inTime) return 'too_soon';
    return row.state === 'allowed' ? useUp(trx, row.id, now) : 'pending';
  });
}

async function useUp(trx: Transaction, id: string, now: number): Promise<NewSourceReply | 'refused'> {
  // The row is locked since it was polled: nothing can change its state in between.
  const used = await trx
    .updateTable('enrolments')
    .set({ state: 'used' })
    .where('id', '=', id)
    .where(issuerIsIn)
    .returning(['person_id as ownerId', 'issuer_device_id as madeBy', 'device_name as name'])
    .executeTakeFirst();
  if (!used || used.ownerId === null) return 'refused';
  return createAllowed(trx, { ...used, ownerId: used.ownerId, now });
}

async function refuseTooMany(db: Kysely<Schema>, address: string, now: number): Promise<void> {
  const rows = await db
    .selectFrom('enrolments')
    .select(['address', 'state'])
    .where('kind', '=', 'source')
    .where('expires_at', '>', now)
    .execute();
  const network = networkOf(address);
  const own = rows.filter((row) => networkOf(row.address) === network).length;
  if (own < PER_NETWORK && rows.filter(({ state }) => state === 'open').length < OPEN_IN_ALL) return;
  const detail =
    'Too many agents asked for a key; try again in ten minutes, or make one on the page of the hub, under Connect.';
  throw new AppError(429, 'enrolment.too_many', detail);
}

function drawCode(): string {
  const four = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${four()}-${four()}`;
}

/** A code as it is compared: people leave the dash out, and type small letters. */
function bare(code: string): string {
  return code.toUpperCase().replace(/[^A-Z]/g, '');
}

// Hashed like any claim, so that strangers fill no row with text.
function clientHash(client: string): string {
  return hashToken(`client:${client}`);
}
