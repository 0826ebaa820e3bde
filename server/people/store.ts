import { lock } from '../platform/stored.ts';
import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#shared/problem.ts';
import { Locale, Privacy, type Person } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import { type Database, type Transaction } from '../platform/database.ts';
import { readPage, type Page } from '../platform/http/params.ts';
import type { Schema } from '../platform/schema.ts';

/** A person as the wire shows them. */
export function viewPerson(row: Selectable<Schema['people']>): Person {
  const locale = Locale.safeParse(row.locale);
  return {
    id: row.id,
    handle: row.handle,
    name: row.name,
    owner: row.owner === 1,
    ...(locale.success ? { locale: locale.data } : {}),
    privacy: Privacy.catch('nothing').parse(row.privacy),
    createdAt: iso(row.created_at),
  };
}

/** One page of people, oldest first. */
export async function listPeople(db: Kysely<Schema>, after: string, limit: number): Promise<Page<Person>> {
  const rows = db.selectFrom('people').selectAll().where('id', '>', after).orderBy('id');
  return readPage(rows, limit, (people) => people.map(viewPerson));
}

export async function findPersonByHandle(db: Kysely<Schema>, handle: string): Promise<Person | undefined> {
  const row = await db.selectFrom('people').selectAll().where('handle', '=', handle).executeTakeFirst();
  return row && viewPerson(row);
}

/** The person, or 404 `person.unknown`. */
export async function readPerson(db: Kysely<Schema>, id: string): Promise<Person> {
  const row = await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw unknownPerson();
  return viewPerson(row);
}

/**
 * Ties an account at a trusted issuer to a person: their only one, and nobody else's. 409 `account.tied` where either has
 * another, unless `replace`.
 */
export async function tieAccount(
  database: Database,
  personId: string,
  { issuer, subject, replace = false }: { issuer: string; subject: string; replace?: boolean | undefined },
): Promise<void> {
  const account = { jwt_issuer: issuer, jwt_subject: subject };
  await database.transaction(async (trx) => {
    // No unique index: a migration refuses no row of an older node.
    await lock(trx, 'accounts');
    const tied = await trx
      .selectFrom('people')
      .selectAll()
      .where(({ and, eb, or }) => or([and(account), and([eb('id', '=', personId), eb('jwt_issuer', 'is not', null)])]))
      .execute();
    const other = tied.find((row) => row.id !== personId || row.jwt_issuer !== issuer || row.jwt_subject !== subject);
    if (other && !replace)
      throw new AppError(
        409,
        'account.tied',
        `"${other.handle}" is tied to ${other.jwt_subject} at ${other.jwt_issuer} already; --replace takes that back.`,
      );
    const none = { jwt_issuer: null, jwt_subject: null };
    await trx
      .updateTable('people')
      .set(none)
      .where(({ and }) => and(account))
      .execute();
    await trx.updateTable('people').set(account).where('id', '=', personId).execute();
  });
}

export function unknownPerson(): AppError {
  return new AppError(404, 'person.unknown', 'There is no such person here.');
}

/**
 * Makes sure that nobody has this handle, or throws 409 `handle.taken`. People and groups share one
 * namespace that no unique index spans, so whoever takes a handle first takes the row of this lock.
 */
export async function claimHandle(trx: Transaction, handle: string): Promise<void> {
  await lock(trx, 'handles');
  const taken = await trx
    .selectFrom('people')
    .select('id')
    .where('handle', '=', handle)
    .unionAll(trx.selectFrom('groups').select('id').where('handle', '=', handle))
    .executeTakeFirst();
  if (taken)
    throw new AppError(409, 'handle.taken', `The handle "${handle}" is taken by a person or a group; choose another.`);
}
