import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, describe, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { databaseContract } from './database.contract.ts';
import { stepsContract } from './steps.contract.ts';
import type { Database, Transaction } from './database.ts';
import { openDatabase } from './engines/open.ts';
import type { TimeSources } from './sqlite/clock.ts';
import { openSqlite, sqlitePath } from './sqlite/open.ts';
import type { FlushLimits } from './sqlite/shared-flush.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'beckon-sqlite-'));

const place = async () => {
  const dataDir = newFolder();
  return { options: { dataDir }, crash: async () => {}, stop: async () => rmSync(dataDir, { recursive: true }) };
};
databaseContract('SQLite', place);
stepsContract('SQLite', place);

/** Limits that no slow machine meets by chance; each test lowers the one it is about. */
const AMPLE: FlushLimits = { memberMs: 60_000, batchMembers: 64, batchMs: 60_000, busyMs: 60_000 };

async function opened(
  t: TestContext,
  limits: Partial<FlushLimits> = {},
  machine?: TimeSources,
): Promise<{ database: Database; dataDir: string }> {
  const dataDir = newFolder();
  const database = await openSqlite({ dataDir, limits: { ...AMPLE, ...limits }, ...(machine ? { machine } : {}) });
  t.after(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  return { database, dataDir };
}

const put = (trx: Transaction, name: string) => trx.insertInto('settings').values({ name, value: '' }).execute();
const namesIn = async (database: Database) =>
  (await database.read.selectFrom('settings').select('name').orderBy('name').execute()).map((row) => row.name);
const statuses = async (outcomes: Promise<unknown>[]) =>
  (await Promise.allSettled(outcomes)).map((outcome) => outcome.status);

describe('the shared flush', () => {
  test('runs one member to its end before the next begins', async (t) => {
    const { database } = await opened(t);
    const steps: string[] = [];
    const member = (name: string) =>
      database.transaction(async (trx) => {
        for (const step of [1, 2, 3]) {
          steps.push(`${name}${step}`);
          await put(trx, `${name}${step}`);
        }
      });
    await Promise.all([member('a'), member('b')]);
    deepStrictEqual(steps, ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
  });

  test('[ASK1] lets no result and no error out before the COMMIT of its batch', async (t) => {
    const { database } = await opened(t);
    const told: string[] = [];
    const outcomes = [
      database.transaction((trx) => put(trx, 'a')).then(() => told.push('a')),
      database.transaction(async () => Promise.reject(new Error('b'))).catch(() => told.push('b')),
      database.transaction(async (trx) => {
        for (let statement = 0; statement < 50; statement += 1) await put(trx, `c${statement}`);
        return [...told];
      }),
    ];
    deepStrictEqual([(await Promise.all(outcomes))[2], told], [[], ['a', 'b']]);
  });

  test('[ASK1] fails every member when its COMMIT fails, and goes on with the next batch', async (t) => {
    const { database, dataDir } = await opened(t);
    await database.transaction((trx) =>
      sql`create table late (id text primary key, of text references late (id) deferrable initially deferred)`.execute(
        trx,
      ),
    );
    const outcomes = [
      database.transaction((trx) => put(trx, 'before')),
      database.transaction((trx) => sql`insert into late (id, of) values ('a', 'nobody')`.execute(trx)),
      database.transaction(async () => Promise.reject(new Error('its own'))),
      database.transaction((trx) => put(trx, 'behind')),
    ];
    const refusals = (await Promise.allSettled(outcomes)).map(
      (outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code,
    );
    const other = new DatabaseSync(sqlitePath(dataDir));
    other.exec('begin immediate; rollback');
    other.close();
    await database.transaction((trx) => put(trx, 'next'));
    deepStrictEqual([refusals, await namesIn(database)], [Array(4).fill('database.unavailable'), ['next']]);
  });

  for (const ending of ['rollback', "insert or rollback into settings (name, value) values ('before', '')"]) {
    test(`[ASK1] fails every member when SQLite has dropped the outer transaction: ${ending.slice(0, 18)}`, async (t) => {
      const { database } = await opened(t);
      const outcomes = [
        database.transaction((trx) => put(trx, 'before')),
        database.transaction(async (trx) => {
          await sql
            .raw(ending)
            .execute(trx)
            .catch(() => {});
          await put(trx, 'astray').catch(() => {});
        }),
        database.transaction((trx) => put(trx, 'next')),
      ];
      deepStrictEqual(
        [await statuses(outcomes), await namesIn(database)],
        [['rejected', 'rejected', 'fulfilled'], ['next']],
      );
    });
  }

  test('rolls back a member that awaits something else for too long, and only that one', async (t) => {
    const { database } = await opened(t, { memberMs: 2_000 });
    const overdue = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();
    const slow = database.transaction(async (trx) => {
      await put(trx, 'slow');
      late = overdue.promise.then(() => put(trx, 'late'));
      await late;
    });
    const beside = database.transaction((trx) => put(trx, 'beside'));
    await rejects(slow, { status: 503, code: 'database.too_slow' });
    await beside;
    overdue.resolve();
    await rejects(late, { code: 'database.too_slow' });
    deepStrictEqual(await namesIn(database), ['beside']);
  });

  test('rolls back a member whose own statements take too long', async (t) => {
    const { database } = await opened(t, { memberMs: 50 });
    const endless = database.transaction(async (trx) => {
      for (let statement = 0; ; statement += 1) await put(trx, `endless${statement}`);
    });
    await rejects(endless, { code: 'database.too_slow' });
    deepStrictEqual(await namesIn(database), []);
  });

  test('follows a step of the clock however much is open, which takes longer than any other member may', async (t) => {
    const at = { wall: 1_000_000_000_000 };
    const still = () => 0;
    const { database } = await opened(t, { memberMs: 20 }, { wall: () => at.wall, monotonic: still, uptime: still });
    const session = { owner: 'o', node: 'n', initialize: '{}', seen_at: 1 };
    for (let part = 0; part < 100; part++)
      await database.transaction((trx) =>
        trx
          .insertInto('mcp_sessions')
          .values(Array.from({ length: 300 }, (_, one) => ({ ...session, id: `${part} ${one}` })))
          .execute(),
      );
    at.wall += 3_600_000;
    await database.followClock?.();
    const moved = database.read.selectFrom('mcp_sessions').select(({ fn }) => fn.countAll().as('count'));
    deepStrictEqual(await moved.where('seen_at', '=', 3_600_001).execute(), [{ count: 30_000 }]);
  });

  test('keeps a member though the process stood still meanwhile', async (t) => {
    const { database } = await opened(t, { memberMs: 50 });
    await database.transaction(async (trx) => {
      await put(trx, 'before');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      await put(trx, 'after');
    });
    deepStrictEqual(await namesIn(database), ['after', 'before']);
  });

  test('closes a batch at its limit', async (t) => {
    const { database } = await opened(t, { batchMembers: 2 });
    const told: string[] = [];
    const first = database.transaction((trx) => put(trx, 'a')).then(() => told.push('a'));
    const second = database.transaction((trx) => put(trx, 'b'));
    const third = database.transaction(async () => [...told]);
    await Promise.all([first, second]);
    deepStrictEqual(await third, ['a']);
  });

  test('waits for another process that writes without blocking this one, then refuses', async (t) => {
    const beside = async (busyMs: number) => {
      const { database, dataDir } = await opened(t, { busyMs });
      const other = new DatabaseSync(sqlitePath(dataDir));
      t.after(() => other.close());
      other.exec('begin immediate');
      return { database, other };
    };
    const hasty = await beside(200);
    await rejects(
      hasty.database.transaction((trx) => put(trx, 'refused')),
      { status: 503, code: 'database.busy' },
    );
    deepStrictEqual(await namesIn(hasty.database), []);

    const { database, other } = await beside(60_000);
    const waiting = database.transaction((trx) => put(trx, 'waited'));
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    other.exec('commit');
    await waiting;
    deepStrictEqual(await namesIn(database), ['waited']);
  });
});

test('[ASK1] the embedded database flushes at every commit', async (t) => {
  const { database } = await opened(t);
  const pragma = (trx: Transaction, name: string) =>
    sql<Record<string, unknown>>`${sql.raw(`pragma ${name}`)}`
      .execute(trx)
      .then(({ rows }) => Object.values(rows[0] ?? {})[0]);
  const settings = await database.transaction(async (trx) => {
    const found: unknown[] = [];
    for (const name of ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync', 'foreign_keys'])
      found.push(await pragma(trx, name));
    return found;
  });
  deepStrictEqual(settings, ['wal', 2, 1, 1, 1]);
});

test('`read` of the embedded database cannot write', async (t) => {
  const { database } = await opened(t);
  await rejects(sql`delete from settings`.execute(database.read), /readonly/);
  await rejects(
    database.read.transaction().execute(async () => {}),
    /no transactions/,
  );
});

test('a file that is no database is refused with one sentence', async (t) => {
  const dataDir = newFolder();
  t.after(() => rmSync(dataDir, { recursive: true }));
  writeFileSync(
    sqlitePath(dataDir),
    'a letter to grandmother, which is long enough to have a header of its own'.repeat(10),
  );
  await rejects(openDatabase({ dataDir }), {
    status: 500,
    code: 'database.damaged',
    message: `The database ${sqlitePath(dataDir)} is damaged (file is not a database): stop the hub, put the newest backup in its place and start with --restored; "beckon check" lists what is damaged.`,
  });
  mkdirSync(join(dataDir, 'deep'));
  strictEqual(
    await openDatabase({ dataDir: join(dataDir, 'deep', 'deeper') }).then((database) => database.close()),
    undefined,
  );
});

test('a database that can be read and not written is not ready until it can', async (t) => {
  const { database, dataDir } = await opened(t);
  const run = (text: string) => database.transaction((trx) => sql.raw(text).execute(trx));
  const ready = () =>
    database.ping().then(
      () => true,
      () => false,
    );
  const written = () => statSync(`${sqlitePath(dataDir)}-wal`).size;
  await database.ping();
  // What the last probe found stands for a moment; each one reaches the disk.
  for (const before = written(); written() === before; await pause(5)) await database.ping();
  await run(`create trigger full before insert on settings begin select raise(abort, 'disk full'); end`);
  while (await ready()) await pause(5);
  await run('drop trigger full');
  while (!(await ready())) await pause(5);
});

test('a log that one large transaction filled is cut to 64 MiB', async (t) => {
  const { database, dataDir } = await opened(t);
  const log = () => statSync(`${sqlitePath(dataDir)}-wal`).size / 2 ** 20;
  await database.transaction((trx) =>
    sql`insert into settings (name, value) values ('large', hex(zeroblob(40000000)))`.execute(trx),
  );
  const filled = log();
  await database.transaction((trx) => put(trx, 'a'));
  await database.transaction((trx) => put(trx, 'b'));
  deepStrictEqual([filled > 64, log() <= 64], [true, true]);
});
