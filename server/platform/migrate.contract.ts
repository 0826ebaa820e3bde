import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type MigrationTarget, migrate, readMigrations } from './migrate.ts';

const MIGRATIONS = readMigrations(join(import.meta.dirname, 'migrations'));
/** The tables that 0011 copies, by their names before and after, and their keys. */
const COPIED = [
  ['tellings', 'inquiry_devices', 'inquiry_id, device_id'],
  ['recipients', 'recipients', 'inquiry_id, person_id'],
  ['group_members', 'group_members', 'group_id, person_id'],
  ['attempts', 'delivery_attempts', 'delivery_id, number'],
  ['notice_recipients', 'notice_recipients', 'notice_id, person_id'],
  ['pushes', 'pushes', 'subject_id, device_id'],
  ['push_attempts', 'push_attempts', 'subject_id, device_id, number'],
] as const;

/** What migrations keep, on either engine; `open` makes a new, empty database. */
export function migrationContract(engine: string, open: () => Promise<MigrationTarget & { close(): Promise<void> }>) {
  test(`tables that are copied keep every row and end with what they hang on, on ${engine}`, async () => {
    const target = await open();
    const rows = async (when: 'before' | 'after') => {
      const all: Record<string, unknown>[][] = [];
      for (const [before, after, key] of COPIED) {
        const some = await target.query(`select * from ${when === 'before' ? before : after} order by ${key}`);
        all.push(some.map((row) => ({ ...row })));
      }
      return all;
    };
    const counts = (all: unknown[][]) => all.map((some) => some.length);
    await migrate(target, MIGRATIONS.slice(0, 10));
    for (const [table, columns, values] of filled(40)) await target.exec(`insert into ${table} (${columns}) ${values}`);
    const before = await rows('before');
    await migrate(target, MIGRATIONS.slice(0, 11));
    deepStrictEqual(await rows('after'), before);
    await migrate(target, MIGRATIONS);
    deepStrictEqual(counts(before), [160, 80, 2, 40, 40, 160, 160]);
    await target.exec("delete from people where id = 'per_1'; delete from inquiries; delete from notices");
    const left = counts(await rows('after'));
    await target.close();
    // Pushes end with their inquiry by `forget`.
    deepStrictEqual(left, [0, 0, 1, 0, 0, 160, 160]);
  });
}

/** Rows for the tables of 0010: `count` inquiries and notices, each asked of two people with two devices each. */
function filled(count: number): [table: string, columns: string, select: string][] {
  const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const devices = `${numbers}, d (j) as (select 1 union all select j + 1 from d where j < 4)`;
  const inquiry = `'inq_' || (10000000 + i)`;
  const notice = `'ntc_' || (10000000 + i)`;
  const at = `1800000000000 + i * 1000`;
  return [
    ['people', 'id, handle, name, owner, created_at', "values ('per_1', 'a', 'A', 0, 1), ('per_2', 'b', 'B', 0, 1)"],
    ['groups', 'id, handle, name, created_at', "values ('grp_1', 'g', 'G', 1)"],
    ['group_members', 'group_id, person_id', "values ('grp_1', 'per_1'), ('grp_1', 'per_2')"],
    [
      'sources',
      'id, owner_id, name, key_hash, may_ask, webhook_secret, created_at',
      "values ('src_1', 'per_2', 'S', 'h', '[]', 's', 1)",
    ],
    [
      'devices',
      'id, person_id, name, token_hash, user_agent, address, created_at, seen_at, expires_at',
      `${devices} select 'dev_' || j, 'per_' || (1 + j % 2), 'D', 't' || j, '', '', 1, 1, 9000000000000 from d`,
    ],
    [
      'inquiries',
      'id, source_id, fingerprint, digest, asked, transport, asked_of, opened_at, deadline_at, latest_at, outcome, resolution, resolved_at, collected_at',
      `${numbers} select ${inquiry}, 'src_1', 'print ' || i, 'sha256:' || i, '{"title":"Ship it?","prompt":"Shall version ' || i || ' be shipped?"}',
        '{"privacy":"full"}', '["a","b"]', ${at}, ${at} + 60000, ${at} + 60000, 'answered', '{"outcome":"answered","text":"Yes"}', ${at} + 900, ${at} + 950 from n`,
    ],
    [
      'recipients',
      'person_id, inquiry_id, open',
      `${devices} select 'per_' || j, ${inquiry}, 0 from n cross join d where j < 3`,
    ],
    [
      'tellings',
      'inquiry_id, device_id, told_at, accepted_at, shown_at',
      `${devices} select ${inquiry}, 'dev_' || j, ${at}, ${at} + j, case when j < 3 then ${at} + 9 end from n cross join d`,
    ],
    [
      'pushes',
      'subject_id, device_id, wanted, sent, due_at, give_up_at, attempt_count',
      `${devices} select ${inquiry}, 'dev_' || j, 'nothing', null, null, ${at}, j from n cross join d`,
    ],
    [
      'push_attempts',
      'subject_id, device_id, number, kind, at, status, error, ms',
      `${devices} select ${inquiry}, 'dev_' || j, 1, 'ask', ${at}, 201, null, j from n cross join d`,
    ],
    [
      'deliveries',
      'id, source_id, inquiry_id, type, url, typed_by_owner, body, state, created_at, give_up_at',
      `${numbers} select 'dlv_' || (10000000 + i), 'src_1', ${inquiry}, 'inquiry.resolved', 'https://example.org', 1, '{}', 'delivered', ${at}, ${at} from n`,
    ],
    [
      'attempts',
      'delivery_id, number, at, status, error, ms',
      `${numbers} select 'dlv_' || (10000000 + i), 1, ${at}, 200, 'none', i from n`,
    ],
    [
      'notices',
      'id, source_id, title, content, created_at',
      `${numbers} select ${notice}, 'src_1', 'N', '{}', ${at} from n`,
    ],
    [
      'notice_recipients',
      'person_id, notice_id, read_at',
      `${numbers} select 'per_' || (1 + i % 2), ${notice}, case when i < 9 then ${at} end from n`,
    ],
  ];
}
