import { sql } from 'kysely';
import type { z } from 'zod';
import { Locale, Privacy as PrivacySchema } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';

export type Privacy = z.infer<typeof PrivacySchema>;
/** Who is notified; `badge` counts what waits for them. */
export type Notified = { handle: string; locale: 'en' | 'zh'; privacy: Privacy; badge: number };

const STRICTNESS: Privacy[] = ['full', 'title', 'source', 'nothing'];

/** How a person wants their notifications, and what waits for them; undefined: they were removed. */
export async function readNotified(db: Database['read'], personId: string): Promise<Notified | undefined> {
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
      privacy: PrivacySchema.safeParse(row.privacy).data ?? 'nothing',
      badge: Number(row.badge),
    }
  );
}

/** The stricter of what a sender and a person allow on a lock screen (PRV1). */
export function stricter(sender: Privacy, person: Privacy): Privacy {
  return STRICTNESS.indexOf(sender) > STRICTNESS.indexOf(person) ? sender : person;
}

/** At most so many characters, with an ellipsis where something is missing. */
export function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest
    ? text
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
