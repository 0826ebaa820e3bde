import { deepStrictEqual, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import type { Place } from './database.contract.ts';
import { type Database, isUniqueViolation } from './database.ts';
import { openDatabase } from './engines/open.ts';
import { batch, commitWith, keys, statement, type Steps, within } from './steps.ts';

const put = statement<{ name: string }>('insert into settings (name, value) values (?1, ?2) returning name');
const named = statement<{ name: string; value: string }>(
  'select name, value from settings where name in {keys ?1} order by name',
);
const begins = statement<{ name: string }>(
  'select name from settings where name >= ?1 and name < ?2 order by name for update',
);
const append = statement<{ value: string }>('update settings set value = value || ?2 where name = ?1 returning value');
const putEach = statement<{ name: string }>(
  `insert into settings (name, value) select key, cast(?2 as text) from {each ?1} returning name`,
);
const numbers = statement<{ flag: number; big: number; none: null; now: number }>(
  'select cast(1 as bigint) as flag, cast(?1 as bigint) as big, cast(?2 as bigint) as none, coalesce(cast(?3 as bigint), {now}) as now',
);

/** What steps promise on every engine. */
export function stepsContract(engine: string, place: () => Promise<Place>): void {
  describe(`steps, on ${engine}`, () => contract(place));
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

  const valuesOf = async (...names: string[]) => {
    const [rows] = await database.rows(named(keys(names)));
    return rows.map(({ name, value }) => `${name}=${value}`);
  };

  test('are seen once they are committed, and return what their work returned', async () => {
    const result = await database.steps(function* () {
      const { one, found } = yield* batch({ one: put('one', '1'), two: put('two', '2'), found: begins('o', 'p') });
      const { appended } = yield* commitWith({ appended: append(one[0]?.name ?? '', '!') });
      return [one[0], appended[0], found.length];
    });
    deepStrictEqual(
      [JSON.stringify(result), await valuesOf('one', 'two')],
      [JSON.stringify([{ name: 'one' }, { value: '1!' }, database.engine === 'postgres' ? 1 : 0]), ['one=1!', 'two=2']],
    );
  });

  test('give their rows by name, of lists and groups too, and none of what does not apply', async () => {
    const rows = await database.steps(() =>
      commitWith({
        none: undefined,
        many: [put('three', '3'), put('four', '4')],
        group: { nobody: named(keys(['nobody'])), none: undefined, four: named(keys(['four'])) },
        last: append('three', '!'),
      }),
    );
    deepStrictEqual(JSON.parse(JSON.stringify(rows)), {
      none: [],
      many: [[{ name: 'three' }], [{ name: 'four' }]],
      group: { nobody: [], none: [], four: [{ name: 'four', value: '4' }] },
      last: [{ value: '3!' }],
    });
  });

  test('take a list of texts, of none, of one and of several', async () => {
    const lists = [[], ['alone'], ['several', 'more']];
    const put = await database.steps(() => commitWith({ rows: lists.map((list) => putEach(list, list.join())) }));
    deepStrictEqual(
      put.rows.map((rows) => rows.map(({ name }) => name).toSorted()),
      lists.map((list) => list.toSorted()),
    );
    const found = await database.rows(...lists.map((list) => named(list)));
    deepStrictEqual(
      found.map((rows) => rows.map(({ name, value }) => `${name}=${value}`)),
      [[], ['alone=alone'], ['more=several,more', 'several=several,more']],
    );
  });

  test('read numbers as numbers, and the clock of the server where there is one', async () => {
    const at = database.engine === 'postgres' ? null : 5;
    const [[row]] = await database.rows(numbers(2 ** 52, null, at));
    const { now = 0, ...rest } = row ?? {};
    deepStrictEqual(rest, { ...rest, flag: 1, big: 2 ** 52, none: null });
    deepStrictEqual(at === null ? Math.abs(now - database.clock.now()) < 5_000 : now === 5, true);
  });

  test('that read only, or nothing at all, end as well', async () => {
    const reading = database.steps(function* () {
      const { rows } = yield* batch({ rows: named(keys(['nobody'])) });
      return rows.length;
    });
    // oxlint-disable-next-line require-yield
    const nothing = database.steps(function* (): Steps<string> {
      return 'done';
    });
    deepStrictEqual([await reading, await nothing], [0, 'done']);
  });

  const refused = new Error('refused');
  const failing: Record<string, (name: string) => Steps<unknown>> = {
    'in a statement': function* (name) {
      yield* batch({ put: put(name, '') });
      return yield* commitWith({ other: put(`${name} again`, ''), same: put(name, '') });
    },
    'in a single step': function* (name) {
      return yield* commitWith({ one: put(name, ''), same: put(name, '') });
    },
    'by what they throw before they write': function* (name) {
      yield* batch({ rows: named(keys([name])) });
      throw refused;
    },
    'by what they throw after they wrote': function* (name) {
      yield* batch({ put: put(name, '') });
      throw refused;
    },
  };
  for (const [how, work] of Object.entries(failing)) {
    test(`that fail ${how} change nothing, and those beside them are stored once`, async () => {
      const good = (name: string) =>
        database.steps(function* () {
          const { appended } = yield* batch({ put: put(name, ''), appended: append(name, 'x') });
          yield* commitWith({ more: append(name, 'y') });
          return appended[0]?.value;
        });
      const kysely = (name: string) =>
        database.transaction(async (trx) => void (await within(trx, batch({ put: put(name, 'k') }))));
      const outcomes = await Promise.allSettled([
        good(`a ${how}`),
        kysely(`b ${how}`),
        good(`c ${how}`),
        database.steps(() => work(`bad ${how}`)),
        good(`d ${how}`),
        kysely(`e ${how}`),
        database.steps(() => work(`f ${how}`)),
      ]);
      const said = outcomes.map((outcome) =>
        outcome.status === 'fulfilled'
          ? outcome.value
          : outcome.reason === refused || isUniqueViolation(outcome.reason),
      );
      deepStrictEqual(said, ['x', undefined, 'x', true, 'x', undefined, true]);
      deepStrictEqual(await valuesOf(...['a', 'b', 'bad', 'bad again', 'c', 'd', 'e', 'f'].map((n) => `${n} ${how}`)), [
        `a ${how}=xy`,
        `b ${how}=k`,
        `c ${how}=xy`,
        `d ${how}=xy`,
        `e ${how}=k`,
      ]);
    });
  }

  test('are a part of a transaction that runs them within itself', async () => {
    const part = database.transaction(async (trx) => {
      await within(trx, commitWith({ put: put('part', '') }));
      throw refused;
    });
    await rejects(part, refused);
    deepStrictEqual(await valuesOf('part'), []);
  });

  test('100 at once on one row, among transactions, lose no step', async () => {
    await database.steps(() => commitWith({ put: put('counter', '') }));
    const raised = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        if (at % 3 === 0)
          return database.transaction(async (trx) => {
            const sql = "update settings set value = value || 'x' where name = 'counter' returning value";
            const { rows } = await trx.executeQuery<{ value: string }>(CompiledQuery.raw(sql));
            return rows[0]?.value.length;
          });
        return database.steps(function* () {
          yield* batch({ rows: named(keys(['counter'])) });
          const { appended } = yield* commitWith({ appended: append('counter', 'x') });
          return appended[0]?.value.length;
        });
      }),
    );
    deepStrictEqual(
      raised.toSorted((a = 0, b = 0) => a - b),
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });

  test('refuse with 503 once the database is closed', async () => {
    const closed = await openDatabase(here.options);
    await closed.close();
    const unavailable = { status: 503, code: 'database.unavailable' };
    await rejects(
      closed.steps(() => commitWith({ put: put('closed', '') })),
      unavailable,
    );
    await rejects(closed.rows(named(keys([]))), unavailable);
  });
}
