import { sql } from 'kysely';
import type { PasskeyNews } from '#shared/schemas/passkeys.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { deleteInParts } from '../../platform/repeat.ts';

/** Removes the passkeys whose day is over, and tells their people; each is told by whichever node removed it. */
export async function removeDue(
  database: Database,
  tell: (personId: string, news: PasskeyNews) => void,
): Promise<void> {
  const now = database.clock.now();
  const { read } = database;
  if (!(await read.selectFrom('passkeys').select('id').where('removal_at', '<=', now).executeTakeFirst())) return;
  const removed = await database.transaction((trx) =>
    trx.deleteFrom('passkeys').where('removal_at', '<=', now).returning(['person_id', 'name']).execute(),
  );
  for (const { person_id, name } of removed) tell(person_id, { what: 'removed', name, at: iso(now) });
}

/** Drops the challenges that nobody met in time. */
export async function forgetChallenges(database: Database): Promise<void> {
  await deleteInParts(database, 'passkey_challenges', ['id'], sql`expires_at < ${database.clock.now()}`);
}
