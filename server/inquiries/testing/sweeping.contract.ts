import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { collectOnce } from '../collected.ts';
import { CompiledQuery, createQueryId, sql, type RootOperationNode } from 'kysely';
import type { Database } from '../../platform/database.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import { sweep, sweepJobs } from '../expire.ts';
import type { Place } from './place.ts';

const RESOLVED = 5_000;

/** What the sweep, which runs four times a second, may cost and whom one bad row may hold up; the same on every engine. */
export function sweepingContract(open: (t: TestContext) => Promise<Place>): void {
  test('what is resolved falls due no more', async (t) => {
    const p = await open(t);
    const id = await p.ask({ prompt: 'Ship?' });
    await answerInquiry(p.inquiries, p.phone, id, { text: 'Yes' });
    const columns = ['lease_until', 'reach_due_at'] as const;
    deepStrictEqual(await p.database.read.selectFrom('inquiries').select(columns).execute(), [
      { lease_until: null, reach_due_at: null },
    ]);
  });

  test(`a sweep over ${RESOLVED} resolved inquiries reads none of them`, async (t) => {
    const p = await open(t);
    const id = await p.ask({ questions: [{ id: 'pw', type: 'text', prompt: 'Password?', secret: true }] });
    await answerInquiry(p.inquiries, p.phone, id, { values: { pw: 'hunter2' } });
    await copyResolved(p, id);
    strictEqual(await readBySweep(p), 0);
  });

  test('a sweep with nothing due is one statement', async (t) => {
    const p = await open(t);
    await p.ask({ prompt: 'Ship?' });
    const statements: string[] = [];
    const watched = p.database.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => (statements.push('read'), result),
    });
    await sweep({ ...p.inquiries, database: { ...p.database, read: watched } });
    deepStrictEqual(statements, ['read']);
  });

  test('[RES4] rows that cannot be resolved hold up neither other deadlines nor leases, warnings and secrets', async (t) => {
    const p = await open(t);
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
}

/** Copies a resolved inquiry, due times of its life included: a node of an older version may have left them. */
async function copyResolved({ database }: Place, id: string): Promise<void> {
  const { rows } = await sql<Record<string, unknown>>`select * from inquiries where id = ${id}`.execute(database.read);
  const changed: Record<string, string> = { id: "'inq_' || number", lease_until: '1', reach_due_at: '1' };
  const names = Object.keys(rows[0] ?? {});
  await database.transaction((trx) =>
    sql`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(RESOLVED)})
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
