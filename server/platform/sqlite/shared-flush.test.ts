import { deepStrictEqual, rejects } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { commitWith, statement as step } from '../steps.ts';
import { SqliteConnection } from './connection.ts';
import { type FlushLimits, SharedFlush } from './shared-flush.ts';

class RecordingConnection extends SqliteConnection {
  readonly commands: string[] = [];

  override exec(sql: string): void {
    this.commands.push(sql.split(/[ ;]/)[0] ?? sql);
    super.exec(sql);
  }
}

function flush(limits: Partial<FlushLimits> = {}) {
  const connection = new RecordingConnection(new DatabaseSync(':memory:'));
  const ample = { memberMs: 60_000, batchMembers: 64, batchMs: 60_000, busyMs: 60_000 };
  const shared = new SharedFlush(connection, { ...ample, ...limits });
  const statement = () => shared.run((member) => member.executeQuery(CompiledQuery.raw('select 1')));
  const put = (...names: string[]) => shared.runSteps(() => commitWith({ put: names.map((name) => insert(name)) }));
  const names = () => connection.query<{ name: string }>('select name from names', []).rows.map(({ name }) => name);
  connection.query('create table names (name text primary key)', []);
  return { statement, put, names, commands: connection.commands };
}

const insert = step('insert into names (name) values (?1)');

async function microtasks(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

test('a lone transaction commits in its own turn of the event loop', async () => {
  const { statement, commands } = flush();
  let settled = false;
  void statement().then(() => (settled = true));
  await microtasks(50);
  await nextTurn();
  await microtasks(50);
  deepStrictEqual([settled, commands], [true, ['begin', 'savepoint', 'release', 'commit']]);
});

test('what begins in the same turn shares the COMMIT, though the first had finished already', async () => {
  const { statement, commands } = flush();
  const first = statement();
  await microtasks(50);
  deepStrictEqual(commands, ['begin', 'savepoint', 'release']);
  await Promise.all([first, statement(), statement()]);
  deepStrictEqual(commands, [
    'begin',
    'savepoint',
    'release',
    'savepoint',
    'release',
    'savepoint',
    'release',
    'commit',
  ]);
});

for (const limits of [{ batchMembers: 1 }, { batchMs: 0 }]) {
  test(`a batch is closed at its limit: ${Object.keys(limits).join()}`, async () => {
    const { statement, commands } = flush(limits);
    await Promise.all([statement(), statement()]);
    deepStrictEqual(commands, ['begin', 'savepoint', 'release', 'commit', 'begin', 'savepoint', 'release', 'commit']);
  });
}

test('steps that begin a batch have no savepoint, and those behind a transaction one each', async () => {
  const { statement, put, names, commands } = flush();
  await Promise.all([put('a'), put('b'), statement(), put('c')]);
  deepStrictEqual(names(), ['a', 'b', 'c']);
  deepStrictEqual(commands, ['begin', 'savepoint', 'release', 'savepoint', 'release', 'commit']);
});

test('steps that begin a batch run again in a new one, each with its savepoint, when one fails after its first write', async () => {
  const { statement, put, names, commands } = flush();
  await Promise.all([put('a'), rejects(put('b', 'b')), put('c'), rejects(put('a')), statement()]);
  deepStrictEqual(names(), ['a', 'c']);
  const [stored, refused] = [
    ['savepoint', 'release'],
    ['savepoint', 'rollback'],
  ];
  const members = [stored, refused, stored, refused, stored].flat();
  deepStrictEqual(commands, ['begin', 'rollback', 'begin', ...members, 'commit']);
});

test('steps that fail after their first write are told so, whatever the limit of a batch', async () => {
  const { put, names, commands } = flush({ batchMembers: 1 });
  await Promise.all([put('a'), rejects(put('b', 'b')), put('c')]);
  const again = ['begin', 'rollback', 'begin', 'savepoint', 'rollback', 'commit'];
  deepStrictEqual(
    [names(), commands],
    [
      ['a', 'c'],
      ['begin', 'commit', ...again, 'begin', 'commit'],
    ],
  );
});
