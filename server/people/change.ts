import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { type ChangePreferences, OWN_SOURCES_MAX, type Preferences } from '#shared/preferences.ts';
import { AppError } from '#shared/problem.ts';
import type { ChangeMe } from '#shared/wire.ts';
import type { Database, Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { parsePreferences } from '../platform/time-zone.ts';
import { claimHandle, readPerson, unknownPerson } from './store.ts';

/** Changes what a person may change of themselves; 404 `person.unknown`, 409 `handle.taken`. */
export async function changePerson(
  database: Database,
  personId: string,
  { preferences, ...change }: z.infer<typeof ChangeMe>,
): Promise<void> {
  await database.transaction(async (trx) => {
    const person = await readPerson(trx, personId);
    if (change.handle !== undefined && change.handle !== person.handle) await claimHandle(trx, change.handle);
    if (preferences !== undefined) await changePreferences(trx, personId, preferences);
    if (Object.keys(change).length > 0)
      await trx.updateTable('people').set(change).where('id', '=', personId).execute();
  });
}

/** What this person chose; 404 `person.unknown`. */
export async function readPreferences(db: Kysely<Schema>, personId: string): Promise<Preferences> {
  const row = await db.selectFrom('people').select('preferences').where('id', '=', personId).executeTakeFirst();
  if (!row) throw unknownPerson();
  return parsePreferences(row.preferences);
}

/**
 * Merges a change into what this person chose, as RFC 7396 has it, so that two devices which change different
 * things both get their way; 422 `preferences.too_many_sources`.
 */
async function changePreferences(trx: Transaction, personId: string, change: ChangePreferences): Promise<void> {
  // Takes the person's row first: of two changes at once the second reads what the first wrote.
  await trx
    .updateTable('people')
    .set(({ ref }) => ({ preferences: ref('preferences') }))
    .where('id', '=', personId)
    .execute();
  const merged = mergePreferences(await readPreferences(trx, personId), change);
  if (Object.keys(merged.sources ?? {}).length > OWN_SOURCES_MAX)
    throw new AppError(
      422,
      'preferences.too_many_sources',
      `More than ${OWN_SOURCES_MAX} sources have a way of their own; reset some of them first.`,
    );
  const preferences = Object.keys(merged).length === 0 ? null : JSON.stringify(merged);
  await trx.updateTable('people').set({ preferences }).where('id', '=', personId).execute();
}

/** What is left after a change: sources without a choice of their own do not stay, and no zone comes but a chosen one. */
export function mergePreferences(
  before: Preferences,
  { sources: changed, timeZone: _ofDevice, chosenTimeZone: timeZone, ...own }: ChangePreferences,
): Preferences {
  const { sources: known = {}, ...mine } = before;
  const sources = { ...(changed === null ? {} : known) };
  for (const [id, change] of Object.entries(changed ?? {})) {
    sources[id] = change === null ? {} : merge(sources[id] ?? {}, change);
    if (Object.keys(sources[id]).length === 0) delete sources[id];
  }
  const kept = merge<Omit<Preferences, 'sources'>>(mine, { ...own, ...(timeZone === undefined ? {} : { timeZone }) });
  return { ...kept, ...(Object.keys(sources).length === 0 ? {} : { sources }) };
}

function merge<T extends object>(before: T, change: { [K in keyof T]?: T[K] | null | undefined }): T {
  const entries = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as T;
}
