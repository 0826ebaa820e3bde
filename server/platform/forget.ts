import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';
import { deleteInParts } from './repeat.ts';

const AT_ONCE = 500;

/** What hangs on an inquiry, notice or YOLO and grows with the people: table, key and what it hangs by. */
const PUSHES = ['pushes', ['subject_id', 'device_id'], 'subject_id'] as const;
const BELOW = {
  inquiries: [
    ['recipients', ['inquiry_id', 'person_id'], 'inquiry_id'],
    ['inquiry_devices', ['inquiry_id', 'device_id'], 'inquiry_id'],
    PUSHES,
  ],
  notices: [['notice_recipients', ['person_id', 'notice_id'], 'notice_id'], PUSHES],
  yolos: [PUSHES],
} as const;

/** Forgets what is older than an instant, a portion at a time, with all that hangs on it and its pushes. Returns how many. */
export async function forget(
  database: Database,
  {
    table,
    column,
    before,
    unless = sql``,
  }: {
    table: 'inquiries' | 'notices' | 'yolos';
    column: 'resolved_at' | 'created_at' | 'ended_at';
    before: number;
    unless?: RawBuilder<unknown>;
  },
): Promise<number> {
  // The inquiries of one ask go together: its reply is made of all of them.
  const whole =
    table !== 'inquiries'
      ? sql``
      : sql`and not exists (select 1 from inquiries as part where part.ask_id = inquiries.ask_id
          and (part.resolved_at is null or part.resolved_at >= ${before}))`;
  let forgotten = 0;
  for (;;) {
    const old = sql<{
      id: string;
    }>`select id from ${sql.table(table)} where ${sql.ref(column)} < ${before} ${whole} ${unless} limit ${AT_ONCE}`;
    const ids = (await old.execute(database.read)).rows.map(({ id }) => id);
    if (ids.length === 0) return forgotten;
    // A cascade over what many people were asked would hold everybody up.
    for (const [name, key, by] of BELOW[table])
      await deleteInParts(database, name, [...key], sql`${sql.ref(by)} in (${sql.join(ids)})`);
    await database.transaction((trx) => trx.deleteFrom(table).where('id', 'in', ids).execute());
    forgotten += ids.length;
    if (ids.length < AT_ONCE) return forgotten;
  }
}
