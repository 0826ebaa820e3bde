import { newId } from '#shared/ids.ts';
import type { EnrolmentLink } from '#shared/wire.ts';
import { DAY_MS, iso } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { hashToken, newToken } from '../../platform/secrets/secrets.ts';

/** How long a link or an access request waits for its next step. */
export const STEP_MS = 5 * 60_000;
const LONG_LINK_MS = DAY_MS;

/** The link that a signed-in device shows: 5 minutes, one newcomer, who must then be confirmed on that device. */
export async function linkFromDevice(
  database: Database,
  publicUrl: string,
  issuer: { id: string; personId: string },
): Promise<EnrolmentLink> {
  return database.transaction((trx) =>
    insertLink(trx, {
      kind: 'device',
      personId: issuer.personId,
      issuerId: issuer.id,
      lifeMs: STEP_MS,
      publicUrl,
      now: database.clock.now(),
    }),
  );
}

/** A link that lets one device of a person in without another question: an invitation, or the way back after a lost phone. 24 hours. */
export async function linkForPerson(
  trx: Transaction,
  publicUrl: string,
  { personId, issuerId }: { personId: string; issuerId: string | null },
  now: number,
): Promise<EnrolmentLink> {
  return insertLink(trx, { kind: 'person', personId, issuerId, lifeMs: LONG_LINK_MS, publicUrl, now });
}

/**
 * While the owner is signed in nowhere: a new one-time link for their first device, 24 hours. Earlier ones stay
 * good, because another node may have printed one; the first that is used ends them all.
 */
export async function firstLink(
  database: Database,
  publicUrl: string,
  now: number,
): Promise<EnrolmentLink | undefined> {
  return database.transaction(async (trx) => {
    const owner = await trx.selectFrom('people').select('id').where('owner', '=', 1).executeTakeFirstOrThrow();
    const device = await trx
      .selectFrom('devices')
      .select('id')
      .where('person_id', '=', owner.id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (device) return undefined;
    return insertLink(trx, { kind: 'first', personId: owner.id, issuerId: null, lifeMs: LONG_LINK_MS, publicUrl, now });
  });
}

type NewLink = {
  kind: 'device' | 'person' | 'first';
  personId: string;
  issuerId: string | null;
  lifeMs: number;
  publicUrl: string;
  now: number;
};

async function insertLink(
  trx: Transaction,
  { kind, personId, issuerId, lifeMs, publicUrl, now }: NewLink,
): Promise<EnrolmentLink> {
  const secret = newToken('');
  const id = newId('enr', now);
  await trx
    .insertInto('enrolments')
    .values({
      id,
      person_id: personId,
      kind,
      state: 'open',
      secret_hash: hashToken(secret),
      code: null,
      claim_hash: null,
      issuer_device_id: issuerId,
      device_name: '',
      user_agent: '',
      address: '',
      created_at: now,
      expires_at: now + lifeMs,
    })
    .execute();
  // In the fragment: it reaches no server, log or Referer header.
  return { enrolmentId: id, link: `${publicUrl.replace(/\/$/, '')}/enroll#${secret}`, expiresAt: iso(now + lifeMs) };
}
