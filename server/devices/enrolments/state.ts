import { sql, type ExpressionBuilder } from 'kysely';
import { AppError } from '#shared/problem.ts';
import { EnrolmentState } from '#shared/schemas/enrolments.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { HOUR_MS, iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { deleteInParts } from '../../platform/repeat.ts';
import type { Schema } from '../../platform/schema.ts';
import type { Announce } from '../admit.ts';
import { storedNumbers } from './numbers.ts';

/** How long a link or an access request waits for its next step. */
export const STEP_MS = 5 * 60_000;
/** Six digits may be typed this often for one access request. */
export const CODE_TRIES = 5;
// Longer than access requests are counted, and so that who comes a little late is told why.
const KEEP_MS = HOUR_MS;

/** What is asked of a person, by the column, which says "knock" as it always did. */
const KINDS: Record<string, 'access_request' | 'source_request'> = {
  knock: 'access_request',
  source: 'source_request',
};

/** What a row tells of the device that wants in. */
export const NEW_DEVICE = [
  'device_name as deviceName',
  'enrolments.user_agent as userAgent',
  'enrolments.address as address',
] as const;

/** How far an access request of this person, or a link that this device made, has come; 404 `enrolment.unknown`. */
export async function readEnrolment(database: Database, id: string, caller: DeviceCaller): Promise<EnrolmentState> {
  const row = await database.read
    .selectFrom('enrolments')
    .leftJoin('devices', 'devices.id', 'enrolments.issuer_device_id')
    .select(['enrolments.id as enrolmentId', 'kind', 'state', 'code', 'tries', 'enrolments.expires_at as expiresAt'])
    .select([...NEW_DEVICE, 'devices.name as issuer'])
    .where('enrolments.id', '=', id)
    .where(isOwn(caller))
    .executeTakeFirst();
  if (!row) throw unknownEnrolment();
  const { kind, state: stored, code, tries, expiresAt, issuer, ...seen } = row;
  const decided = stored === 'used' || stored === 'refused';
  const over = !decided && (expiresAt <= database.clock.now() || tries >= CODE_TRIES);
  const state = over ? 'expired' : EnrolmentState.shape.state.parse(stored);
  return {
    ...seen,
    kind: KINDS[kind] ?? 'link',
    state,
    ...(kind in KINDS && issuer !== null ? { allowedOn: issuer } : {}),
    ...(state === 'claimed' && code !== null ? { numbers: storedNumbers(code) } : {}),
    expiresAt: iso(expiresAt),
  };
}

/**
 * "Not me" to an access request, from any device of the person, or a link taken back by the device that made it; again is
 * fine. Throws 404 `enrolment.unknown`, 409 `enrolment.used` when the device is in already.
 */
export async function withdrawEnrolment(
  database: Database,
  announce: Announce,
  id: string,
  caller: DeviceCaller,
): Promise<void> {
  const row = await database.transaction((trx) =>
    trx
      .updateTable('enrolments')
      .set({ state: 'refused' })
      .where('id', '=', id)
      .where('state', 'in', ['open', 'claimed', 'confirmed', 'allowed'])
      .where(isOwn(caller))
      .returning('kind')
      .executeTakeFirst(),
  );
  if (row && row.kind in KINDS) announce.toPerson(caller.person.id, 'access_request_withdraw', { enrolmentId: id });
  if (row) return;
  const { state, kind } = await readEnrolment(database, id, caller);
  if (state !== 'used') return;
  const detail =
    kind === 'source_request'
      ? 'That source has its key already; revoke it in the list of sources.'
      : 'That device is signed in already; remove it in the list of devices.';
  throw new AppError(409, 'enrolment.used', detail);
}

/** Removes links and access requests that ran out more than an hour ago; returns how many. */
export async function sweepEnrolments(database: Database): Promise<number> {
  return deleteInParts(database, 'enrolments', ['id'], sql`expires_at <= ${database.clock.now() - KEEP_MS}`);
}

/**
 * Holds while the device that made or allowed it is not revoked. Part of each statement that lets a device in: a call
 * under way may make a link in the very moment in which its device is revoked.
 */
export function issuerIsIn(eb: ExpressionBuilder<Schema, 'enrolments'>) {
  const issuer = eb
    .selectFrom('devices')
    .select('devices.id')
    .whereRef('devices.id', '=', 'enrolments.issuer_device_id')
    .where('revoked_at', 'is', null);
  return eb.or([eb('issuer_device_id', 'is', null), eb.exists(issuer)]);
}

export function unknownEnrolment(): AppError {
  return new AppError(404, 'enrolment.unknown', 'There is no such link or access request for you here.');
}

/** 410: this link or access request leads nowhere any more. */
export function over(detail: string, reason: 'expired' | 'used' | 'refused' = 'expired'): AppError {
  return new AppError(410, `enrolment.${reason}`, detail);
}

/** Holds for a request to this person that nobody has allowed or refused, and that has not run out. */
export function isOpenFor(personId: string, now: number) {
  return (eb: ExpressionBuilder<Schema, 'enrolments'>) =>
    eb.and([eb.and({ person_id: personId, state: 'open' }), eb('tries', '<', CODE_TRIES), eb('expires_at', '>', now)]);
}

// A request to the caller's person, or a link that the caller made.
function isOwn(caller: DeviceCaller) {
  return (eb: ExpressionBuilder<Schema, 'enrolments'>) =>
    eb.and([
      eb('enrolments.person_id', '=', caller.person.id),
      eb.or([eb('kind', 'in', Object.keys(KINDS)), eb.and({ kind: 'device', issuer_device_id: caller.id })]),
    ]);
}
