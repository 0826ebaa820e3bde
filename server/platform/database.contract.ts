import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AbortedTransactionError, sql } from 'kysely';
import { type Database, type Transaction, isUniqueViolation } from './database.ts';
import { type DatabaseOptions, openDatabase } from './engines/open.ts';
import { spawnAcknowledging } from './testing/spawn-acknowledging.ts';

export type Place = { options: DatabaseOptions; crash(): Promise<void>; stop(): Promise<void> };

/** What every engine promises; `place` makes a new, empty database and `crash` ends its server, if it has one. */
export function databaseContract(engine: string, place: () => Promise<Place>): void {
  describe(`the contract, on ${engine}`, () => contract(place));
}

function contract(place: () => Promise<Place>): void {
  let here: Place;
  let database: Database;

  before(async () => {
    here = await place();
    database = await openDatabase(here.options);
  });
  after(async () => {
    await database.close();
    await here.stop();
  });

  const put = (trx: Transaction, name: string, value = '') =>
    trx.insertInto('settings').values({ name, value }).execute();
  const names = async (prefix: string) => {
    const rows = await database.read
      .selectFrom('settings')
      .select('name')
      .where('name', 'like', `${prefix}%`)
      .orderBy('name')
      .execute();
    return rows.map((row) => row.name);
  };

  describe('a transaction', () => {
    test('is seen by `read` once it resolved, and returns what its work returned', async () => {
      const result = await database.transaction(async (trx) => {
        await put(trx, 'commit-1');
        return 'done';
      });
      deepStrictEqual([result, await names('commit-')], ['done', ['commit-1']]);
    });

    test('that throws changes nothing and rejects with what was thrown', async () => {
      const refusal = new Error('no');
      const outcome = database.transaction(async (trx) => {
        await put(trx, 'rollback-1');
        throw refusal;
      });
      await rejects(outcome, refusal);
      deepStrictEqual(await names('rollback-'), []);
    });

    test('is not seen by `read` before it is committed', async () => {
      const seen = await database.transaction(async (trx) => {
        await put(trx, 'early-1');
        return names('early-');
      });
      deepStrictEqual([seen, await names('early-')], [[], ['early-1']]);
    });

    test('is doomed by a failed statement, even when its work catches the error', async () => {
      const outcome = database.transaction(async (trx) => {
        await put(trx, 'doomed-1');
        await put(trx, 'doomed-1').catch(() => {});
      });
      await rejects(outcome, AbortedTransactionError);
      deepStrictEqual(await names('doomed-'), []);
    });

    test('that fails leaves those beside it intact', async () => {
      const work = async (trx: Transaction, number: number) => {
        await put(trx, `beside-${number}`);
        if (number % 2 === 1) throw new Error(`odd ${number}`);
      };
      const outcomes = await Promise.allSettled(
        [0, 1, 2, 3, 4].map((number) => database.transaction((trx) => work(trx, number))),
      );
      deepStrictEqual(
        outcomes.map((outcome) => outcome.status),
        ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
      );
      deepStrictEqual(await names('beside-'), ['beside-0', 'beside-2', 'beside-4']);
    });

    test('takes no statement after it has ended', async () => {
      let kept: Transaction | undefined;
      await database.transaction(async (trx) => void (kept = trx));
      await rejects(async () => kept && put(kept, 'after-1'));
      deepStrictEqual(await names('after-'), []);
    });

    test('may ask for row locks on every engine', async () => {
      await database.transaction((trx) => put(trx, 'lock-1', 'x'));
      const rows = await database.transaction((trx) =>
        trx.selectFrom('settings').selectAll().where('name', '=', 'lock-1').forUpdate().skipLocked().execute(),
      );
      deepStrictEqual(rows, [{ name: 'lock-1', value: 'x' }]);
    });
  });

  test('a row that is there already is a unique violation, another fault is not', async () => {
    await database.transaction((trx) => put(trx, 'unique-1'));
    const causeOf = (work: (trx: Transaction) => Promise<unknown>) =>
      database.transaction(work).catch((error: unknown) => error);
    const same = await causeOf((trx) => put(trx, 'unique-1'));
    const orphan = await causeOf((trx) =>
      trx.insertInto('group_members').values({ group_id: 'none', person_id: 'none' }).execute(),
    );
    deepStrictEqual([isUniqueViolation(same), isUniqueViolation(orphan), orphan instanceof Error], [true, false, true]);
  });

  test('instants, counts, sums and flags are numbers', async () => {
    const at = 1_763_765_318_123;
    const rows = await database.transaction(async (trx) => {
      await trx
        .insertInto('people')
        .values({ id: 'per_1', handle: 'ada', name: 'Ada', locale: null, created_at: at, owner: 1 })
        .execute();
      return trx
        .selectFrom('people')
        .select((eb) => [
          'created_at',
          'version',
          'owner',
          'locale',
          eb.fn.sum('created_at').over().as('sum'),
          eb.fn.countAll().over().as('count'),
        ])
        .select(sql<number>`exists (select 1)`.as('flag'))
        .execute();
    });
    deepStrictEqual(rows, [{ created_at: at, version: 0, owner: 1, locale: null, sum: at, count: 1, flag: 1 }]);
  });

  test('100 transactions at once on one counter lose no step, and `read` never sees a gap', async () => {
    const step = (trx: Transaction) =>
      trx
        .updateTable('settings')
        .set({ value: sql`cast(cast(value as integer) + 1 as text)` })
        .where('name', '=', 'counter')
        .returning('value')
        .executeTakeFirstOrThrow();
    await database.transaction((trx) => put(trx, 'counter', '0'));

    let done = false;
    const gaps: unknown[] = [];
    const watching = (async () => {
      while (!done) {
        const { rows } = await sql<{ raised: string; kept: number }>`
          select (select value from settings where name = 'counter') as raised, (select count(*) from settings where name like 'version-%') as kept`.execute(
          database.read,
        );
        if (Number(rows[0]?.raised) !== rows[0]?.kept) gaps.push(rows);
        await nextTurn();
      }
    })();
    const raise = async (trx: Transaction) => {
      const { value } = await step(trx);
      await put(trx, `version-${value.padStart(3, '0')}`);
      return Number(value);
    };
    const versions = await Promise.all(Array.from({ length: 100 }, () => database.transaction(raise)));
    done = true;
    await watching;

    const expected = Array.from({ length: 100 }, (_, index) => index + 1);
    deepStrictEqual([versions.toSorted((a, b) => a - b), (await names('version-')).length, gaps], [expected, 100, []]);
  });

  test('[ASK1] what was acknowledged survives kill -9 of the hub and of its server', async () => {
    const options = here.options;
    const acknowledged = await spawnAcknowledging({ options, prefix: 'crash', lanes: 20, rows: 10_000 }, 300);
    await here.crash();
    const again = await openDatabase(options);
    const kept = await again.read.selectFrom('settings').select('name').where('name', 'like', 'crash-%').execute();
    await again.close();
    const found = new Set(kept.map((row) => row.name));
    deepStrictEqual([acknowledged.length >= 300, acknowledged.filter((name) => !found.has(name))], [true, []]);
  });

  test('three nodes that start at once on an empty database all come up', async () => {
    const other = await place();
    const nodes = ['a', 'b', 'c'].map((prefix) =>
      spawnAcknowledging({ options: other.options, prefix, lanes: 2, rows: 2 }),
    );
    const acknowledged = (await Promise.all(nodes)).flat();
    await other.stop();
    strictEqual(acknowledged.length, 12);
  });

  test('a database that an edited or a newer version made is refused with one sentence', async () => {
    const forge = (statement: ReturnType<typeof sql>) => database.transaction((trx) => statement.execute(trx));
    const refusal = () =>
      openDatabase(here.options).then(
        (opened) => opened.close(),
        (error: Error) => error.message,
      );
    await forge(sql`update migrations set sha256 = 'x' || sha256 where number = 1`);
    const edited = await refusal();
    await forge(sql`update migrations set sha256 = substr(sha256, 2) where number = 1`);
    await forge(sql`insert into migrations (number, name, sha256, applied_at) values (9999, '9999_future.sql', '', 0)`);
    const newer = await refusal();
    await forge(sql`delete from migrations where number = 9999`);
    deepStrictEqual(
      [edited, newer, await refusal()],
      [
        'The migration 0001_init.sql was edited after this database applied it; restore the file and put the change into a new migration.',
        'The database was made by a newer version of Beckon (it has "9999_future.sql"); start that version or restore a backup.',
        undefined,
      ],
    );
  });

  test('a closed database refuses with 503', async () => {
    const closed = await openDatabase(here.options);
    await closed.ping();
    await closed.close();
    const refused = { status: 503, code: 'database.unavailable' };
    await rejects(
      closed.transaction(async () => {}),
      refused,
    );
    await rejects(closed.read.selectFrom('settings').selectAll().execute(), refused);
    await rejects(closed.ping(), refused);
  });
}
