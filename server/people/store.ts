import type { Kysely, Selectable } from 'kysely';
import { AppError } from '#shared/problem.ts';
import { Locale, Privacy, type Person } from '#shared/wire.ts';
import { iso } from '../platform/clock.ts';
import type { Schema } from '../platform/schema.ts';

/** A person as the wire shows them. */
export function personOf(row: Selectable<Schema['people']>): Person {
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
export async function listPeople(
  db: Kysely<Schema>,
  after: string,
  limit: number,
): Promise<{ items: Person[]; nextCursor?: string }> {
  const rows = await db
    .selectFrom('people')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(personOf);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, nextCursor: last.id } : { items };
}

export async function findPersonByHandle(db: Kysely<Schema>, handle: string): Promise<Person | undefined> {
  const row = await db.selectFrom('people').selectAll().where('handle', '=', handle).executeTakeFirst();
  return row && personOf(row);
}

/** The person, or 404 `person.unknown`. */
export async function readPerson(db: Kysely<Schema>, id: string): Promise<Person> {
  const row = await db.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw unknownPerson();
  return personOf(row);
}

export function unknownPerson(): AppError {
  return new AppError(404, 'person.unknown', 'There is no such person here.');
}
