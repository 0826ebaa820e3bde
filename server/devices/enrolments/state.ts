import type { ExpressionBuilder } from 'kysely';
import { AppError } from '#shared/problem.ts';
import { EnrolmentState } from '#shared/wire.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { CODE_TRIES } from './access-request.ts';
import { storedNumbers } from './numbers.ts';

/** How far an access request of this person, or a link that this device made, has come; 404 `enrolment.unknown`. */
export async function readEnrolment(database: Database, id: string, caller: DeviceCaller): Promise<EnrolmentState> {
  const row = await database.read
    .selectFrom('enrolments')
    .leftJoin('devices', 'devices.id', 'enrolments.issuer_device_id')
    .selectAll('enrolments')
    .select('devices.name as issuer_name')
    .where('enrolments.id', '=', id)
    .where('enrolments.person_id', '=', caller.person.id)
    .where((its) =>
      its.or([
        its('kind', '=', 'knock'),
        its.and([its('kind', '=', 'device'), its('issuer_device_id', '=', caller.id)]),
      ]),
    )
    .executeTakeFirst();
  if (!row) throw unknownEnrolment();
  const over =
    row.state !== 'used' &&
    row.state !== 'refused' &&
    (row.expires_at <= database.clock.now() || row.tries >= CODE_TRIES);
  const state = over ? 'expired' : EnrolmentState.shape.state.parse(row.state);
  return {
    enrolmentId: row.id,
    kind: row.kind === 'knock' ? 'knock' : 'link',
    state,
    deviceName: row.device_name,
    userAgent: row.user_agent,
    address: row.address,
    ...(row.kind === 'knock' && row.issuer_name !== null ? { allowedOn: row.issuer_name } : {}),
    ...(state === 'claimed' && row.code !== null ? { numbers: storedNumbers(row.code) } : {}),
    expiresAt: iso(row.expires_at),
  };
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
