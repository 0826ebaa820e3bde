import type { Kysely } from 'kysely';
import { newId } from '#shared/ids.ts';
import type { EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { DAY_MS, iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { hashToken, newToken } from '../../platform/secrets/secrets.ts';
import { STEP_MS } from './state.ts';

/** Whom a link lets in, and which device made it. */
type LinkFor = { personId: string; issuerId: string | null };

/** The link that a signed-in device shows: 5 minutes, one new device, which must then be confirmed on the one that made it. */
export async function linkFromDevice(database: Database, publicUrl: string, whose: LinkFor): Promise<EnrolmentLink> {
  return database.transaction((trx) => insertLink(trx, publicUrl, 'device', whose, database.clock.now()));
}

/** A link that lets one device of a person in without another question: an invitation, or the way back after a lost phone. 24 hours. */
export async function linkForPerson(
  trx: Transaction,
  publicUrl: string,
  whose: LinkFor,
  now: number,
): Promise<Pick<EnrolmentLink, 'link' | 'expiresAt'>> {
  const { link, expiresAt } = await insertLink(trx, publicUrl, 'person', whose, now);
  return { link, expiresAt };
}

/**
 * While nobody is signed in anywhere: a new one-time link for their first device, 24 hours. Earlier ones stay
 * good, because another node may have printed one; the first that is used ends them all.
 */
export async function firstLink(
  { transaction, clock }: Database,
  publicUrl: string,
): Promise<EnrolmentLink | undefined> {
  const now = clock.now();
  return transaction(async (trx) => {
    const { id } = await trx.selectFrom('people').select('id').where('owner', '=', 1).executeTakeFirstOrThrow();
    if (!(await isUnused(trx, now))) return undefined;
    return insertLink(trx, publicUrl, 'first', { personId: id, issuerId: null }, now);
  });
}

/** True while no device of anybody is signed in: nobody can be asked to let one in, only a link of the hub does. */
export async function isUnused(db: Kysely<Schema>, now: number): Promise<boolean> {
  const devices = db.selectFrom('devices').select('id').where('revoked_at', 'is', null).where('expires_at', '>', now);
  return (await devices.limit(1).executeTakeFirst()) === undefined;
}

async function insertLink(
  trx: Transaction,
  publicUrl: string,
  kind: 'device' | 'person' | 'first',
  { personId, issuerId }: LinkFor,
  now: number,
): Promise<EnrolmentLink> {
  const secret = newToken('');
  const id = newId('enr', now);
  const expiresAt = now + (kind === 'device' ? STEP_MS : DAY_MS);
  await trx
    .insertInto('enrolments')
    .values({
      id,
      person_id: personId,
      kind,
      state: 'open',
      secret_hash: hashToken(secret),
      issuer_device_id: issuerId,
      device_name: '',
      user_agent: '',
      address: '',
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  // In the fragment: it reaches no server, log or Referer header.
  return { enrolmentId: id, link: `${publicUrl.replace(/\/$/, '')}/enroll#${secret}`, expiresAt: iso(expiresAt) };
}
