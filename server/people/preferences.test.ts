import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '#shared/problem.ts';
import type { Me } from '#shared/wire.ts';
import { openDoor, type Door } from '../devices/testing/door.ts';
import { mergePreferences } from './preferences.ts';

const TRAIN = 'src_01kamq0000000000000000tra1';
const CODER = 'src_01kamq0000000000000000c0de';
const change = (door: Door, preferences: object) =>
  door.call<Me & { faults?: Fault[]; code?: string }>('PATCH', '/v1/people/me', {
    token: door.owner.token,
    body: { preferences },
  });
const read = async (door: Door) =>
  (await door.call<Me>('GET', '/v1/people/me', { token: door.owner.token })).body.preferences;

test('what a person chose is kept, is read with who they are, and is told to all their devices', async (context) => {
  const door = await openDoor(context);
  deepStrictEqual(await read(door), {});
  const { body } = await change(door, { density: 'compact', sources: { [TRAIN]: { questions: 'all' } } });
  const chosen = { density: 'compact' as const, sources: { [TRAIN]: { questions: 'all' as const } } };
  deepStrictEqual([body.preferences, await read(door)], [chosen, chosen]);
  deepStrictEqual(door.announced.at(-1), ['me', door.owner.id, { person: body.person, preferences: chosen }]);
});

test('two devices that change different things at once both get their way', async (context) => {
  const door = await openDoor(context);
  await Promise.all([
    change(door, { density: 'compact' }),
    change(door, { editor: 'plain' }),
    change(door, { sources: { [TRAIN]: { confirm: true } } }),
    change(door, { sources: { [CODER]: { questions: 'all' } } }),
  ]);
  deepStrictEqual(await read(door), {
    density: 'compact',
    editor: 'plain',
    sources: { [TRAIN]: { confirm: true }, [CODER]: { questions: 'all' } },
  });
});

test('null goes back to the page’s own way, and what says nothing is gone', () => {
  const before = { confirm: true, sources: { [TRAIN]: { questions: 'all' as const, confirm: false } } };
  deepStrictEqual(
    [
      { confirm: null },
      { sources: { [TRAIN]: { confirm: null } } },
      { sources: { [TRAIN]: { confirm: null, questions: null } } },
      { sources: { [TRAIN]: null, [CODER]: {} } },
      { confirm: null, sources: null },
    ].map((one) => mergePreferences(before, one)),
    [
      { sources: before.sources },
      { confirm: true, sources: { [TRAIN]: { questions: 'all' } } },
      { confirm: true },
      { confirm: true },
      {},
    ],
  );
});

test('a choice that nobody knows and a source that is none are refused, and nothing is kept', async (context) => {
  const door = await openDoor(context);
  const replies = [
    await change(door, { density: 'tiny' }),
    await change(door, { colour: 'red' }),
    await change(door, { confirm: true, sources: { [TRAIN]: { colour: 'red' } } }),
    await change(door, { sources: { train: { confirm: true } } }),
  ];
  deepStrictEqual(
    replies.map(({ status, body }) => [status, body.faults?.map(({ path }) => path)]),
    [
      [422, ['/preferences/density']],
      [422, ['/preferences/colour']],
      [422, [`/preferences/sources/${TRAIN}/colour`]],
      [422, ['/preferences/sources/train']],
    ],
  );
  const many = Object.fromEntries(
    Array.from({ length: 201 }, (_, at) => [`src_01kamq${String(at).padStart(20, '0')}`, { confirm: true }]),
  );
  const tooMany = await change(door, { sources: many });
  deepStrictEqual([tooMany.status, tooMany.body.code], [422, 'preferences.too_many_sources']);
  deepStrictEqual(await read(door), {});
});
