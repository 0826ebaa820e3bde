import type { Kysely, Selectable } from 'kysely';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { Passkey } from '#shared/schemas/passkeys.ts';
import { DAY_MS, iso } from '../../platform/clock.ts';
import { isUniqueViolation, type Database, type Transaction } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { within } from '../../platform/steps.ts';
import { refusedProof, spendChallenge, type Signer } from './challenge.ts';
import { codeHash, makeCodes } from './codes.ts';
import type { Relying } from './relying.ts';
import { spend, type Verified, type verifyNew } from './verify.ts';

/** More are of no use to anybody. */
const MOST = 20;

type Row = Selectable<Schema['passkeys']>;

/** The passkeys of a person, oldest first, and how many printed codes they have left. */
export async function readPasskeys(read: Kysely<Schema>, personId: string, { rpId }: Relying) {
  const rows = await rowsOf(read, personId);
  return { items: rows.map((row) => viewPasskey(row, rpId)), codesLeft: await codesLeft(read, personId) };
}

export function rowsOf(read: Kysely<Schema>, personId: string): Promise<Row[]> {
  return read.selectFrom('passkeys').selectAll().where('person_id', '=', personId).orderBy('id').execute();
}

export async function codesLeft(read: Kysely<Schema>, personId: string): Promise<number> {
  const { count } = await read
    .selectFrom('passkey_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function viewPasskey(row: Row, rpId: string | undefined): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: iso(row.created_at),
    ...(row.used_at === null ? {} : { usedAt: iso(row.used_at) }),
    synced: row.device_type !== 'singleDevice',
    ...(row.rp_id === rpId ? {} : { elsewhere: row.rp_id }),
    ...(row.removal_at === null ? {} : { removalAt: iso(row.removal_at) }),
  };
}

/** Of which calls the owner wants a passkey. */
export async function readScopes(read: Kysely<Schema>): Promise<string[]> {
  const rows = await read.selectFrom('passkey_scopes').select('scope').orderBy('scope').execute();
  return rows.map(({ scope }) => scope);
}

/** Keeps a passkey that was verified, and uses its challenge up. */
export async function addPasskey(
  database: Database,
  { personId }: Signer,
  name: string,
  { spent, row }: Awaited<ReturnType<typeof verifyNew>>,
): Promise<Passkey> {
  const now = database.clock.now();
  try {
    return await database.transaction(async (trx) => {
      await lockPerson(trx, personId);
      await within(trx, spendChallenge(spent, now));
      if ((await rowsOf(trx, personId)).length >= MOST)
        throw new AppError(409, 'passkey.too_many', `You have ${MOST} passkeys. Remove one first.`);
      const values = { id: newId('pky', now), person_id: personId, name, created_at: now, ...row };
      const stored = await trx.insertInto('passkeys').values(values).returningAll().executeTakeFirstOrThrow();
      return viewPasskey(stored, row.rp_id);
    });
  } catch (error) {
    // It is somebody's already, and nobody is told whose.
    if (isUniqueViolation(error)) throw refusedProof();
    throw error;
  }
}

/** Gives one of a person's own passkeys another name; 404 `passkey.unknown`. */
export async function renamePasskey(
  database: Database,
  { personId, id, name }: { personId: string; id: string; name: string },
  { rpId }: Relying,
): Promise<Passkey> {
  const row = await database.transaction((trx) =>
    trx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('person_id', '=', personId)
      .returningAll()
      .executeTakeFirst(),
  );
  if (!row) throw unknownPasskey();
  return viewPasskey(row, rpId);
}

/**
 * Removes one of a person's own passkeys on what they have proved, and returns its name. Throws 404 `passkey.unknown`; while
 * the owner wants passkeys, 409 `passkey.last` where fewer than two, or one with printed codes, would be left.
 */
export async function removePasskey(
  database: Database,
  { personId }: Signer,
  id: string,
  verified: Verified,
): Promise<string> {
  const now = database.clock.now();
  return database.transaction(async (trx) => {
    await lockPerson(trx, personId);
    await within(trx, spend(verified, now));
    const row = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('person_id', '=', personId)
      .returning('name')
      .executeTakeFirst();
    if (!row) throw unknownPasskey();
    if ((await readScopes(trx)).length > 0 && !(await hasSpare(trx, personId)))
      throw new AppError(
        409,
        'passkey.last',
        'The owner wants a passkey for some calls, so two have to be left, or one and printed codes. Add another one first.',
      );
    return row.name;
  });
}

/** Whether somebody who loses one passkey can still answer: two of them, or printed codes beside one. */
export async function hasSpare(read: Kysely<Schema>, personId: string): Promise<boolean> {
  const { length } = await rowsOf(read, personId);
  return length > 1 || (length === 1 && (await codesLeft(read, personId)) > 0);
}

/** New printed codes in place of the old ones. */
export async function renewCodes(database: Database, { personId }: Signer, verified: Verified): Promise<string[]> {
  const codes = makeCodes();
  const now = database.clock.now();
  await database.transaction(async (trx) => {
    await lockPerson(trx, personId);
    await within(trx, spend(verified, now));
    await trx.deleteFrom('passkey_codes').where('person_id', '=', personId).execute();
    const rows = codes.map((code) => ({ code_hash: codeHash(code), person_id: personId, created_at: now }));
    await trx.insertInto('passkey_codes').values(rows).execute();
  });
  return codes;
}

/** A passkey that the owner wants removed goes after a day, in which its person or the owner can keep it. */
export async function askRemoval(database: Database, id: string, wanted: boolean): Promise<Named> {
  const removal_at = wanted ? database.clock.now() + DAY_MS : null;
  const row = await database.transaction((trx) =>
    trx
      .updateTable('passkeys')
      // The day of one that is asked for again does not begin anew.
      .set((eb) => ({ removal_at: wanted ? eb.fn.coalesce('removal_at', eb.val(removal_at)) : null }))
      .where('id', '=', id)
      .returning(['person_id', 'name'])
      .executeTakeFirst(),
  );
  if (!row) throw unknownPasskey();
  return { personId: row.person_id, name: row.name };
}

/** Whose passkey this is; 404 `passkey.unknown`. */
export async function personOf(read: Kysely<Schema>, id: string): Promise<string> {
  const row = await read.selectFrom('passkeys').select('person_id').where('id', '=', id).executeTakeFirst();
  if (!row) throw unknownPasskey();
  return row.person_id;
}

type Named = { personId: string; name: string };

export function unknownPasskey(): AppError {
  return new AppError(404, 'passkey.unknown', 'You have no such passkey.');
}

/** Two removals of one person at once would both find the other passkey there. */
async function lockPerson(trx: Transaction, personId: string): Promise<void> {
  await trx
    .updateTable('people')
    .set(({ ref }) => ({ version: ref('version') }))
    .where('id', '=', personId)
    .execute();
}
