import { deepStrictEqual, notStrictEqual, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { databaseContract } from './database.contract.ts';
import { stepsContract } from './steps.contract.ts';
import type { Database, Transaction } from './database.ts';
import { openDatabase } from './engines/open.ts';
import { migrationContract } from './migrate.contract.ts';
import { readMigrations } from './migrate.ts';
import { batch, commitWith, type Statement, statement } from './steps.ts';
import { CheckedPool } from './postgres/pool.ts';
import { migrationTarget } from './postgres/prepare.ts';
import { Servers, toClientConfig } from './postgres/servers.ts';
import { privatePostgres } from './testing/postgres.ts';

const server = await privatePostgres({ deadlock_timeout: '50ms' });
after(() => server.stop());

const emptyDatabase = async () => {
  const { url, drop } = await server.createDatabase();
  return { options: { dataDir: '/nowhere', databaseUrl: url }, drop };
};

const place = async () => {
  const { options, drop } = await emptyDatabase();
  const crash = async () => {
    await server.kill();
    await server.start();
  };
  return { options, crash, stop: drop };
};
databaseContract('Postgres', place);
stepsContract('Postgres', place);

migrationContract('Postgres', async () => {
  const { options, drop } = await emptyDatabase();
  const client = new pg.Client(toClientConfig(options.databaseUrl));
  await client.connect();
  const close = async () => {
    await client.end();
    await drop();
  };
  return { ...migrationTarget(client), close };
});

const putIn = statement<{ name: string }>("insert into settings (name, value) values (?1, '') returning name");
const begunAt = statement<{ at: number }>('select extract(epoch from now()) as at');
const dividedBy = statement<{ one: number }>('select 1 / cast(?1 as integer) as one');
const put = (trx: Transaction, name: string, value = '') =>
  trx.insertInto('settings').values({ name, value }).execute();

describe('Postgres', () => {
  let database: Database;
  let options: { dataDir: string; databaseUrl: string };
  before(async () => {
    ({ options } = await emptyDatabase());
    database = await openDatabase(options);
  });
  after(() => database.close());

  test('reads of one moment share a round trip, those before the first write of steps too, and one that fails fails alone', async () => {
    const alone = database.rows(begunAt()).then(([[row]]) => row?.at);
    const inSteps = () =>
      database.steps(function* () {
        const { first } = yield* batch({ first: begunAt() });
        const { later } = yield* commitWith({ later: begunAt(), put: putIn(`shared ${Math.random()}`) });
        return [first[0]?.at, later[0]?.at !== first[0]?.at];
      });
    const shared = await Promise.all([alone, inSteps(), inSteps(), database.rows(begunAt(), begunAt())]);
    const [at] = shared;
    deepStrictEqual(shared, [at, [at, true], [at, true], [[{ at }], [{ at }]]]);

    const outcomes = await Promise.allSettled([1, 0, 1].map((divisor) => database.rows(dividedBy(divisor))));
    const said = outcomes.map((one) =>
      one.status === 'fulfilled' ? one.value : (one.reason as { code: string }).code,
    );
    deepStrictEqual(said, [[[{ one: 1 }]], '22012', [[{ one: 1 }]]]);
  });

  test('a deadlock is tried again until both transactions are through', async () => {
    await database.transaction(async (trx) => {
      await put(trx, 'a', '0');
      await put(trx, 'b', '0');
    });
    const bothHoldOne = Promise.withResolvers<void>();
    let holding = 0;
    const raise = (trx: Transaction, name: string) =>
      trx
        .updateTable('settings')
        .set({ value: sql`cast(cast(value as integer) + 1 as text)` })
        .where('name', '=', name)
        .execute();
    const crosswise = (first: string, second: string) =>
      database.transaction(async (trx) => {
        await raise(trx, first);
        if ((holding += 1) === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await raise(trx, second);
      });
    await Promise.all([crosswise('a', 'b'), crosswise('b', 'a')]);
    const rows = await database.read
      .selectFrom('settings')
      .selectAll()
      .where('name', 'in', ['a', 'b'])
      .orderBy('name')
      .execute();
    deepStrictEqual(
      [rows, holding > 2],
      [
        [
          { name: 'a', value: '2' },
          { name: 'b', value: '2' },
        ],
        true,
      ],
    );
  });

  test('transactions are READ COMMITTED whatever the server prefers', async () => {
    await sql`alter database ${sql.ref(new URL(options.databaseUrl).pathname.slice(1))} set default_transaction_isolation = 'serializable'`.execute(
      database.read,
    );
    const other = await openDatabase(options);
    const { rows } = await other.transaction((trx) => sql`show transaction_isolation`.execute(trx));
    await other.close();
    deepStrictEqual(rows, [{ transaction_isolation: 'read committed' }]);
  });

  test('a server that dies is a 503 on use, also in the middle of a transaction, and is used again when it is back', async () => {
    const unavailable = { status: 503, code: 'database.unavailable' };
    const dead = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    const inTheMiddle = database.transaction(async (trx) => {
      await put(trx, 'lost');
      open.resolve();
      await dead.promise;
      await put(trx, 'lost too');
    });
    const outcome = rejects(inTheMiddle, unavailable);
    await open.promise;
    await server.kill();
    // Its processes outlive it by a moment, in which they still reply.
    const replies = () =>
      database.ping().then(
        () => true,
        () => false,
      );
    while (await replies());
    // By then the client inside the transaction has noticed too, with nothing asked of it.
    await rejects(database.ping(), unavailable);
    dead.resolve();
    await outcome;
    await rejects(database.read.selectFrom('settings').selectAll().execute(), unavailable);
    await rejects(
      database.transaction((trx) => put(trx, 'refused')),
      unavailable,
    );
    let tries = 0;
    const inSteps = (first: Statement) =>
      database.steps(function* () {
        tries += 1;
        yield* batch({ first });
        yield* commitWith({ put: putIn('refused too') });
      });
    for (const first of [putIn('refused'), begunAt()]) await rejects(inSteps(first), unavailable);
    // Who waited for a connection and got none is told so, and does not wait once more.
    deepStrictEqual(tries, 2);

    await server.start();
    await database.transaction((trx) => put(trx, 'again'));
    const rows = await database.read
      .selectFrom('settings')
      .select('name')
      .where('name', 'in', ['lost', 'lost too', 'refused', 'again'])
      .execute();
    deepStrictEqual(rows, [{ name: 'again' }]);
  });

  test('a connection whose server stopped speaking is given up and never used again', async (t) => {
    const { options: empty } = await emptyDatabase();
    const pool = new CheckedPool(new Servers(empty.databaseUrl), undefined, { statementMs: 2_000 });
    t.after(() => pool.end());
    const backend = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid ?? 0;
    const silent = await backend();
    process.kill(silent, 'SIGSTOP');
    t.after(() => process.kill(silent, 'SIGCONT'));
    await rejects(pool.query('select 1'), { status: 503, code: 'database.unavailable' });
    notStrictEqual(await backend(), silent);
    await rejects(pool.query('select pg_sleep(60)'), { status: 503, code: 'database.too_slow' });
  });

  test('a caller waits longer for a connection in use than for a server that does not answer', async (t) => {
    const { options: empty } = await emptyDatabase();
    const pool = new CheckedPool(new Servers(empty.databaseUrl), undefined, { max: 1 });
    t.after(() => pool.end());
    const [, rows] = await Promise.all([pool.query('select pg_sleep(5.5)'), pool.query('select 1 as one')]);
    deepStrictEqual(rows, [{ one: 1 }]);
  });

  test('a frozen node keeps a row for seconds: reads and changes elsewhere go on, and its own are done when it is back', async (t) => {
    const { options: empty } = await emptyDatabase();
    const [frozen, other] = await Promise.all([openDatabase(empty), openDatabase(empty)]);
    t.after(() => Promise.all([frozen.close(), other.close()]));
    await other.transaction(async (trx) => {
      await put(trx, 'person', '0');
      await put(trx, 'somebody else', '0');
    });
    const raise = (name: string) => (trx: Transaction) =>
      trx
        .updateTable('settings')
        .set({ value: sql`cast(cast(value as integer) + 1 as text)` })
        .where('name', '=', name)
        .execute();
    let tries = 0;
    const locked = Promise.withResolvers<void>();
    const thawed = Promise.withResolvers<void>();
    const asleep = frozen.transaction(async (trx) => {
      await raise('person')(trx);
      locked.resolve();
      if ((tries += 1) === 1) await thawed.promise;
      await put(trx, `awake ${Math.random()}`);
    });
    await locked.promise;
    const waiting = Array.from({ length: 50 }, () => other.transaction(raise('person')));
    let isKept = true;
    void Promise.allSettled(waiting.map((one) => one.then(() => (isKept = false))));
    const beside = [other.read.selectFrom('settings').selectAll().execute(), other.ping()];
    deepStrictEqual(await Promise.all(beside.map((one) => one.then(() => isKept))), [true, true]);
    await other.transaction(raise('somebody else'));
    // Postgres has let go of a session that went quiet in a transaction: what it kept is free while it is frozen.
    const outcomes = await Promise.allSettled(waiting);
    thawed.resolve();
    await asleep;
    const [person] = await other.read.selectFrom('settings').select('value').where('name', '=', 'person').execute();
    deepStrictEqual([outcomes.filter(({ status }) => status === 'rejected'), person], [[], { value: '51' }]);
  });

  test('a node that freezes while the reply to a step is on its way does its steps when it is back', async (t) => {
    const { options: empty } = await emptyDatabase();
    const node = await openDatabase(empty);
    t.after(() => node.close());
    // On a connection that stands already, so that the first step is sent at once.
    await node.steps(() => commitWith({ put: putIn('before') }));
    let tries = 0;
    const done = await node.steps(function* () {
      // The reply and the end of the session, 2 s later, are then read in one go, before anything more was sent.
      if ((tries += 1) === 1) setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500));
      yield* batch({ put: putIn('first') });
      const { rows } = yield* commitWith({ rows: putIn('second') });
      return rows;
    });
    deepStrictEqual([tries, done], [2, [{ name: 'second' }]]);
  });

  test('nodes that migrate at the same moment take turns', async () => {
    const { options: empty } = await emptyDatabase();
    const nodes = await Promise.all(Array.from({ length: 5 }, () => openDatabase(empty)));
    const { rows } = await sql`select number from migrations order by number`.execute(nodes[0]?.read ?? database.read);
    await Promise.all(nodes.map((node) => node.close()));
    deepStrictEqual(
      rows,
      readMigrations(join(import.meta.dirname, 'migrations')).map(({ number }) => ({ number })),
    );
  });

  test('a table that a newer node gives a column is read and written on, in and out of transactions', async (t) => {
    const { options: empty } = await emptyDatabase();
    const node = await openDatabase(empty);
    t.after(() => node.close());
    const inTransaction = () =>
      node.transaction(async (trx) => {
        await put(trx, `row ${Math.random()}`);
        return trx.selectFrom('groups').selectAll().where('id', '=', 'none').execute();
      });
    const alone = () => node.read.selectFrom('people').selectAll().where('id', '=', 'none').execute();
    // On several connections at once, each of which keeps its own plans.
    const all = () => Promise.all([inTransaction(), alone(), inTransaction(), alone()]);
    await all();
    await node.transaction((trx) => sql`alter table groups add column later text`.execute(trx));
    await node.transaction((trx) => sql`alter table people add column later text`.execute(trx));
    deepStrictEqual(await all(), [[], [], [], []]);
    const { rows } = await sql`select count(*) as count from settings where name like 'row %'`.execute(node.read);
    deepStrictEqual(rows, [{ count: 4 }]);
  });

  test('a node keeps to its connections, however much is read and written at once', async (t) => {
    const { options: empty } = await emptyDatabase();
    const node = await openDatabase({ ...empty, connections: 4 });
    t.after(() => node.close());
    const busy = sql`select pg_sleep(0.02)`;
    const writes = Array.from({ length: 10 }, () => node.transaction((trx) => busy.execute(trx)));
    await Promise.all([...writes, ...Array.from({ length: 10 }, () => busy.execute(node.read)), node.ping()]);
    const { rows } =
      await sql`select count(*) as count from pg_stat_activity where datname = current_database()`.execute(node.read);
    deepStrictEqual(rows, [{ count: 4 }]);
  });

  test("the clock is the server's", async () => {
    const before = Date.now();
    const { rows } = await sql<{ at: number }>`select extract(epoch from clock_timestamp()) * 1000 as at`.execute(
      database.read,
    );
    const distance = Math.abs(database.clock.now() - (rows[0]?.at ?? 0));
    ok(distance <= Date.now() - before + 50, `${distance} ms apart`);
  });
});

describe('openDatabase refuses with one sentence', () => {
  const refusalOf = (databaseUrl: string) =>
    openDatabase({ dataDir: '/nowhere', databaseUrl }).catch((error: Error) => error.message);

  test('a server that may lose what it acknowledged', async (t) => {
    const forgetful = await privatePostgres({ fsync: 'off' });
    t.after(() => forgetful.stop());
    const { options } = await emptyDatabase();
    const name = new URL(options.databaseUrl).pathname.slice(1);
    const database = await openDatabase(options);
    await sql`alter database ${sql.ref(name)} set synchronous_commit = off`.execute(database.read);
    await database.close();
    deepStrictEqual(
      [await refusalOf(forgetful.url), await refusalOf(options.databaseUrl)],
      ['fsync', 'synchronous_commit'].map(
        (setting) =>
          `Postgres runs with ${setting}=off and may lose what it acknowledged; set ${setting}=on and start the hub again.`,
      ),
    );
  });

  test('an address that is none, or where nobody or nothing of that name is', async () => {
    const stranger = new URL(server.url);
    stranger.pathname = '/nothing';
    deepStrictEqual(
      [
        await refusalOf('mysql://x'),
        await refusalOf('postgres://ada:secret@127.0.0.1:1/x'),
        await refusalOf(stranger.href),
      ],
      [
        'DATABASE_URL must begin with postgres://, for instance postgres://user:password@host:5432/beckon.',
        'Postgres at 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1); start it or correct DATABASE_URL.',
        `Postgres at ${stranger.host} cannot be reached (database "nothing" does not exist); start it or correct DATABASE_URL.`,
      ],
    );
  });
});
