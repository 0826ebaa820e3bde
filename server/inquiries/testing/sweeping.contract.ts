import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { collectOnce } from '../collected.ts';
import { CompiledQuery, createQueryId, sql, type RawBuilder, type RootOperationNode } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { forgetResolved, sweep, sweepJobs } from '../expire.ts';
import { removePerson } from '../../people/remove.ts';
import { addDevice } from '../../devices/admit.ts';
import { DAY_MS } from '../../platform/clock.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { restore, withdrawAskedOf, withdrawRevoked } from '../withdraw.ts';
import type { Place } from './place.ts';

const RESOLVED = 5_000;

/** What the sweep, which runs four times a second, may cost and whom one bad row may hold up; the same on every engine. */
export function sweepingContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(open);
  test('what is resolved falls due no more', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    await p.answer(id, { text: 'Yes' });
    const columns = ['lease_until', 'reach_due_at'] as const;
    deepStrictEqual(await p.database.read.selectFrom('inquiries').select(columns).execute(), [
      { lease_until: null, reach_due_at: null },
    ]);
  });

  test(`a sweep over ${RESOLVED} resolved inquiries reads none of them`, async (p) => {
    const id = await p.ask({ questions: [{ id: 'pw', type: 'text', prompt: 'Password?', secret: true }] });
    await answerInquiry(p.inquiries, p.phone, id, { values: { pw: 'hunter2' } });
    await copyResolved(p, id);
    strictEqual(await readBySweep(p), 0);
  });

  test('a sweep with nothing due is one statement', async (p) => {
    await p.ask({ prompt: 'Ship?' });
    const statements: string[] = [];
    const watched = p.database.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => (statements.push('read'), result),
    });
    await sweep({ ...p.inquiries, database: { ...p.database, read: watched } });
    deepStrictEqual(statements, ['read']);
  });

  test('[RES4] rows that cannot be resolved hold up neither other deadlines nor leases, warnings and secrets', async (p) => {
    await Promise.all(Array.from({ length: 101 }, () => p.ask({ prompt: 'Broken?', deadline: 5 })));
    await p.database.transaction((trx) => trx.updateTable('inquiries').set({ transport: 'no JSON' }).execute());
    const secret = await p.ask({ questions: [{ id: 'pw', type: 'text', prompt: 'Password?', secret: true }] });
    await answerInquiry(p.inquiries, p.phone, secret, { values: { pw: 'hunter2' } });
    await collectOnce(p.inquiries, secret);
    const due = await p.ask({ prompt: 'Ship?', deadline: 6 });
    const { inquiryId: left } = await ask(p.inquiries, { sourceId: p.sourceId, ask: { prompt: 'Wait?' }, waitMs: 1 });
    await p.ask({ prompt: 'Reach?', callback: { url: 'https://example.com/' } });
    p.pass(11 * 60_000);

    const jobs = sweepJobs(p.inquiries);
    const failed: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      for (const [name, job] of Object.entries(jobs)) {
        await job().catch(({ errors }: AggregateError) => failed.push(`${name} ${errors.length}`));
      }
    }
    const rows = await p.database.read
      .selectFrom('inquiries')
      .select(['outcome', 'reach_due_at', 'sealed'])
      .where('transport', '!=', 'no JSON')
      .execute();
    const byOutcome = rows.toSorted((a, b) => (String(a.outcome) < String(b.outcome) ? -1 : 1));
    deepStrictEqual(
      [failed, byOutcome],
      [
        // 100 in the first turn, the other in the second: what failed rests, or it would be tried at each turn.
        ['deadlines 100', 'reach warnings 100', 'deadlines 1', 'reach warnings 1'],
        [
          { outcome: 'answered', reach_due_at: null, sealed: null },
          { outcome: 'expired', reach_due_at: null, sealed: null },
          { outcome: null, reach_due_at: null, sealed: null },
          { outcome: 'withdrawn', reach_due_at: null, sealed: null },
        ],
      ],
    );
    deepStrictEqual(
      new Set(p.news.filter(({ event }) => event === 'withdraw').map((news) => news.inquiryId)),
      new Set([secret, due, left]),
    );
    p.pass(10_001);
    await rejects(jobs['deadlines']!(), (error: AggregateError) => error.errors.length === 100);
  });

  test('[RES1] [RES4] what an unread answer may still win stays open while this process is behind, and for no longer than it counts', async (p) => {
    let behind = true;
    const jobs = sweepJobs(p.inquiries, () => behind);
    const sweepNow = async () => {
      for (const job of Object.values(jobs)) await job();
    };
    const resolved = async () =>
      (await p.database.read.selectFrom('inquiries').select('outcome').orderBy('id').execute()).map(
        (row) => row.outcome,
      );
    await p.ask({ prompt: 'Unread?', deadline: 5 });
    p.pass(6_000);
    await sweepNow();
    const seen = [await resolved()];
    p.pass(14_000);
    await sweepNow();
    seen.push(await resolved());
    await p.ask({ prompt: 'Read?', deadline: 5 });
    p.pass(6_000);
    behind = false;
    await sweepNow();
    seen.push(await resolved());
    deepStrictEqual(seen, [[null], ['expired'], ['expired', 'expired']]);
  });

  test('secrets that were collected together are erased 100 in a transaction', async (p) => {
    const id = await p.ask({ questions: [{ id: 'pw', type: 'text', prompt: 'Password?', secret: true }] });
    await answerInquiry(p.inquiries, p.phone, id, { values: { pw: 'hunter2' } });
    await collectOnce(p.inquiries, id);
    await copyResolved(p, id, 249);
    p.pass(11 * 60_000);
    const sealed = () => count(p.database, sql`inquiries where sealed is not null`);
    const jobs = sweepJobs(p.inquiries);
    const found: unknown[] = [await sealed()];
    for (let turn = 0; turn < 3; turn += 1) {
      await jobs['due']!();
      found.push(await jobs['secrets']!(), await sealed());
    }
    deepStrictEqual(found, [250, true, 150, true, 50, false, 0]);
  });

  test('an inquiry that thousands were asked is forgotten a part at a time', async (p) => {
    const id = await p.ask({ prompt: 'Ship?' });
    await p.answer(id, { text: 'Yes' });
    await p.database.transaction((trx) =>
      sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 1200)
        insert into inquiry_devices (inquiry_id, device_id) select ${id}, 'dev_' || number from numbers`.execute(trx),
    );
    const devices = () => count(p.database, sql`inquiry_devices where device_id like 'dev_%' and shown_at is null`);
    const before = await devices();
    const { counted, left } = counting(p.database, devices);
    p.pass(2 * DAY_MS);
    deepStrictEqual([await forgetResolved(counted, 1), await count(p.database, sql`inquiries`)], [1, 0]);
    const parts = [before, ...left].map((rows, place, all) => (all[place - 1] ?? rows) - rows);
    deepStrictEqual([before >= 1200, Math.max(...parts) <= 500, left.at(-1)], [true, true, 0]);
  });

  test('[RES4] rows that cannot be read keep neither what a revoked source has open, nor a restored hub, nor a person', async (p) => {
    const made = { handle: 'jonas', name: 'Jonas', created_at: 0, locale: null, preferences: null, made_by: null };
    await p.database.transaction(async (trx) => {
      const jonas = { id: 'prs_jonas', ...made };
      await trx.insertInto('people').values(jonas).execute();
    });
    const { source } = await createSourceForEverybody(p.database, p.phone.personId, 'Revoked');
    const askAs = async (sourceId: string, prompt: string, to: string) =>
      (await ask(p.inquiries, { sourceId, ask: { prompt, to: [to] }, waitMs: 0 })).inquiryId;
    // More than are read at once, and each broken somewhere else.
    await Promise.all(Array.from({ length: 101 }, () => askAs(source.id, 'Broken?', 'jonas')));
    const columns = ['asked', 'transport', 'asked_of', 'approved', 'escalated'] as const;
    const broken = await p.database.read.selectFrom('inquiries').select('id').orderBy('id').execute();
    for (const [at, { id }] of broken.entries())
      await p.database.transaction((trx) =>
        trx
          .updateTable('inquiries')
          .set({ [columns[at % columns.length]!]: '{"broken' })
          .where('id', '=', id)
          .execute(),
      );
    const outcomes = async (ids: string[]) =>
      (await p.database.read.selectFrom('inquiries').select('outcome').where('id', 'in', ids).execute()).map(
        ({ outcome }) => outcome,
      );
    const [well, ofJonas, other] = [
      await askAs(source.id, 'Well?', 'owner'),
      await askAs(p.sourceId, 'Of Jonas?', 'jonas'),
      await p.ask({ prompt: 'Restored?' }),
    ];
    const seen = [];
    await p.database.transaction((trx) =>
      trx.updateTable('sources').set({ revoked_at: 1 }).where('id', '=', source.id).execute(),
    );
    await withdrawRevoked(p.inquiries, source.id);
    await withdrawRevoked(p.inquiries);
    seen.push(await outcomes([well]), await outcomes([ofJonas]));
    await removePerson(p.database, 'prs_jonas', withdrawAskedOf(p.inquiries));
    seen.push(await outcomes([ofJonas]), await count(p.database, sql`people where id = 'prs_jonas'`));
    seen.push(await restore(p.inquiries), await outcomes([other]));
    deepStrictEqual(
      [seen, new Set(await outcomes(broken.map(({ id }) => id)))],
      [[['withdrawn'], [null], ['withdrawn'], 0, 1, ['withdrawn']], new Set([null])],
    );
  });

  test('a person who was asked thousands of times is removed a part at a time, and nobody else loses anything', async (p) => {
    const made = { handle: 'jonas', name: 'Jonas', created_at: 0, locale: null, preferences: null, made_by: null };
    await p.database.transaction((trx) =>
      trx
        .insertInto('people')
        .values({ id: 'prs_jonas', ...made })
        .execute(),
    );
    await addDevice(p.database, 'prs_jonas', 'Tablet');
    const id = await p.ask({ prompt: 'Ship?', to: ['owner', 'jonas'] });
    await p.answer(id, { text: 'Yes' });
    await copyResolved(p, id, 1200);
    await p.database.transaction(async (trx) => {
      await sql`insert into recipients (person_id, inquiry_id, open)
        select person_id, inquiries.id, 0 from recipients, inquiries where inquiry_id = ${id} and inquiries.id <> ${id}`.execute(
        trx,
      );
      await sql`insert into inquiry_devices (inquiry_id, device_id)
        select inquiries.id, devices.id from inquiries, devices where inquiries.id <> ${id}`.execute(trx);
    });
    const asked = (who: string) => count(p.database, sql`recipients where person_id ${sql.raw(who)} 'prs_jonas'`);
    const told = (who: string) =>
      count(
        p.database,
        sql`inquiry_devices where device_id in (select id from devices where person_id ${sql.raw(who)} 'prs_jonas')`,
      );
    const [mine, others, of] = [await asked('='), await asked('<>'), await told('<>')];
    const { counted, left } = counting(p.database, () => asked('='));
    await removePerson(counted, 'prs_jonas', withdrawAskedOf(p.inquiries));
    deepStrictEqual([mine, left, await asked('<>'), await told('<>')], [1201, [1201, 701, 201, 0], others, of]);
    strictEqual(await count(p.database, sql`people where id = 'prs_jonas'`), 0);
  });
}

async function count({ read }: Database, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(read);
  return Number(rows[0]?.count);
}

/** A database that notes how many rows each of its transactions left. */
function counting(database: Database, count: () => Promise<number>): { counted: Database; left: number[] } {
  const left: number[] = [];
  const transaction: Database['transaction'] = async (work) => {
    const result = await database.transaction(work);
    const now = await count();
    if (now !== left.at(-1)) left.push(now);
    return result;
  };
  return { counted: { ...database, transaction }, left };
}

/** Copies a resolved inquiry, due times of its life included: a node of an older version may have left them. */
async function copyResolved({ database }: Place, id: string, times = RESOLVED): Promise<void> {
  const { rows } = await sql<Record<string, unknown>>`select * from inquiries where id = ${id}`.execute(database.read);
  const changed: Record<string, string> = { id: "'inq_' || number", lease_until: '1', reach_due_at: '1' };
  const names = Object.keys(rows[0] ?? {});
  await database.transaction((trx) =>
    sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(times)})
      insert into inquiries (${sql.raw(names.join())})
      select ${sql.raw(names.map((name) => changed[name] ?? name).join())} from inquiries, numbers where id = ${id}`.execute(
      trx,
    ),
  );
}

/** How many rows or entries of an index the reads of one sweep pass, as the engine explains them. */
async function readBySweep({ database, inquiries }: Place): Promise<number> {
  const statements: RootOperationNode[] = [];
  const watched = database.read.withPlugin({
    transformQuery: ({ node }) => (statements.push(node), node),
    transformResult: async ({ result }) => result,
  });
  await sweep({ ...inquiries, database: { ...database, read: watched } });
  let read = 0;
  for (const node of statements) {
    const query = database.read.getExecutor().compileQuery(node, createQueryId());
    const explain = async <R>(how: string) =>
      (await database.read.executeQuery<R>(CompiledQuery.raw(`${how} ${query.sql}`, [...query.parameters]))).rows;
    if (database.engine === 'postgres') {
      const rows = await explain<{ 'QUERY PLAN': [{ Plan: Plan }] }>('explain (analyze, format json)');
      for (const row of rows) read += scanned(row['QUERY PLAN'][0].Plan);
    } else {
      for (const { detail } of await explain<{ detail: string }>('explain query plan')) {
        if (/^(SCAN|SEARCH) inquiries/.test(detail))
          read += await entries(database, /^SEARCH inquiries USING .*INDEX (\w+)/.exec(detail)?.[1]);
      }
    }
  }
  return read;
}

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };

function scanned(plan: Plan): number {
  const own = plan['Node Type'].endsWith('Scan') ? plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + scanned(part), own);
}

/** How much a partial index holds; without one, the table. */
async function entries({ read }: Database, index: string | undefined): Promise<number> {
  const { rows } = await sql<{ sql: string }>`select sql from sqlite_master where name = ${index ?? ''}`.execute(read);
  const condition = /where .*/.exec(rows[0]?.sql ?? '')?.[0] ?? '';
  const held = await sql<{ count: number }>`select count(*) as count from inquiries ${sql.raw(condition)}`.execute(
    read,
  );
  return held.rows[0]?.count ?? 0;
}
