import { sql, type Kysely } from 'kysely';
import type { z } from 'zod';
import type { PushMessage } from '#shared/push.ts';
import { Locale, Privacy as PrivacySchema } from '#shared/wire.ts';
import type { Database } from '../../platform/database.ts';
import type { Schema } from '../../platform/schema.ts';
import { inDigest } from './digest.ts';

/** Says what a push holds at this moment; undefined: it is no longer wanted. `app.ts` passes in those of the features. */
export type Compose = (
  db: Kysely<Schema>,
  push: {
    /** An inquiry, a notice, a test, or `digest`. */
    subjectId: string;
    wanted: 'ask' | 'withdraw';
    device: { id: string; personId: string };
    now: number;
  },
) => Promise<PushMessage | undefined>;

const WORDS = {
  en: {
    waiting: (count: number) => (count === 1 ? 'One waits for you' : `${count} wait for you`),
    open: 'Open Beckon to read them.',
    none: 'Answered',
    test: 'This is a test',
    arrives: 'Notifications reach this device.',
  },
  zh: {
    waiting: (count: number) => `${count} 件待处理`,
    open: '打开 Beckon 查看。',
    none: '已答复',
    test: '这是一次测试',
    arrives: '通知可以到达这台设备。',
  },
};

/** Composes by what stands in the subject's id, up to the underscore: `inq`, `ntc`, `tst`, `digest`. */
export function composeBy(composers: Record<string, Compose>): Compose {
  const all: Record<string, Compose> = { ...composers, digest: composeDigest, tst: composeTest };
  return async (db, push) => all[push.subjectId.split('_', 1)[0] ?? '']?.(db, push);
}

/** Many questions as one: how many wait for the person, for as long as one of the digest is open. */
const composeDigest: Compose = async (db, { wanted, device }) => {
  const person = await readNotified(db, device.personId);
  const inside = await inDigest(db, device.id);
  if (person === undefined || inside.length > 0 !== (wanted === 'ask')) return undefined;
  const { locale: lang, badge } = person;
  const words = WORDS[lang];
  return wanted === 'ask' && badge > 0
    ? { t: 'digest', title: words.waiting(badge), body: words.open, lang, count: badge, badge }
    : { t: 'withdraw', id: 'digest', title: words.none, body: '', lang, badge };
};

/** A test that the person asked for; nothing takes it back. */
const composeTest: Compose = async (db, { subjectId, wanted, device }) => {
  const person = await readNotified(db, device.personId);
  if (person === undefined || wanted !== 'ask') return undefined;
  const words = WORDS[person.locale];
  return { t: 'test', id: subjectId, title: words.test, body: words.arrives, lang: person.locale };
};

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
        .where('later', '=', 0)
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
