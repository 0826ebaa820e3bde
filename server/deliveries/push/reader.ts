import { sql } from 'kysely';
import { Locale, Privacy } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';
import type { Privacy as PrivacyName } from './lock-screen.ts';

/** Who reads a notification; `badge` counts what waits for them. */
export type Reader = { handle: string; locale: 'en' | 'zh'; privacy: PrivacyName; badge: number };

/** How a person wants their notifications, and what waits for them; undefined: they were removed. */
export async function readReader(db: Database['read'], personId: string): Promise<Reader | undefined> {
  const row = await db
    .selectFrom('people')
    .select((eb) => [
      'handle',
      'locale',
      'privacy',
      eb
        .selectFrom('recipients')
        .select(({ fn }) => fn.countAll().as('count'))
        .whereRef('person_id', '=', 'people.id')
        // Written out: a plan made once for every parameter could not use the index of what is open.
        .where('open', '=', sql.lit(1))
        .as('badge'),
    ])
    .where('id', '=', personId)
    .executeTakeFirst();
  return (
    row && {
      handle: row.handle,
      locale: Locale.safeParse(row.locale).data ?? 'en',
      // What a later version may have written there is not shown at all.
      privacy: Privacy.safeParse(row.privacy).data ?? 'nothing',
      badge: Number(row.badge),
    }
  );
}
