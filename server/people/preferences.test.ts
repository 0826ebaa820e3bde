import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '#shared/problem.ts';
import type { Me } from '#shared/wire.ts';
import { openScene, type Scene } from '../devices/testing/scene.ts';
import { HUB_TIME_ZONE } from '../platform/time-zone.ts';
import { mergePreferences } from './change.ts';

const TRAIN = 'src_01kamq0000000000000000tra1';
const CODER = 'src_01kamq0000000000000000c0de';
const change = (scene: Scene, preferences: object) =>
  scene.call<Me & { faults?: Fault[]; code?: string }>('PATCH', '/v1/people/me', {
    token: scene.owner.token,
    body: { preferences },
  });
const read = async (scene: Scene) =>
  (await scene.call<Me>('GET', '/v1/people/me', { token: scene.owner.token })).body.preferences;

test('what a person chose is kept, is read with who they are, and is told to all their devices', async (context) => {
  const scene = await openScene(context);
  deepStrictEqual(await read(scene), {});
  const { body } = await change(scene, {
    density: 'compact',
    sources: { [TRAIN]: { questions: 'all' } },
    putOff: ['inq_2'],
  });
  const chosen = {
    density: 'compact' as const,
    putOff: ['inq_2'],
    sources: { [TRAIN]: { questions: 'all' as const } },
  };
  deepStrictEqual([body.preferences, await read(scene)], [chosen, chosen]);
  deepStrictEqual(scene.announced.at(-1), ['me', scene.owner.id, { person: body.person, preferences: chosen }]);
});

test('two devices that change different things at once both get their way', async (context) => {
  const scene = await openScene(context);
  await Promise.all([
    change(scene, { density: 'compact' }),
    change(scene, { editor: 'plain' }),
    change(scene, { undoSeconds: 0 }),
    change(scene, { sources: { [TRAIN]: { confirm: true } } }),
    change(scene, { sources: { [CODER]: { questions: 'all' } } }),
  ]);
  deepStrictEqual(await read(scene), {
    density: 'compact',
    editor: 'plain',
    undoSeconds: 0,
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
  const scene = await openScene(context);
  const replies = [
    await change(scene, { density: 'tiny' }),
    await change(scene, { undoSeconds: 11 }),
    await change(scene, { undoSeconds: 2.5 }),
    await change(scene, { putOff: Array.from({ length: 51 }, (_, at) => `inq_${at}`) }),
    await change(scene, { colour: 'red' }),
    await change(scene, { confirm: true, sources: { [TRAIN]: { colour: 'red' } } }),
    await change(scene, { sources: { train: { confirm: true } } }),
  ];
  deepStrictEqual(
    replies.map(({ status, body }) => [status, body.faults?.map(({ path }) => path)]),
    [
      [422, ['/preferences/density']],
      [422, ['/preferences/undoSeconds']],
      [422, ['/preferences/undoSeconds']],
      [422, ['/preferences/putOff']],
      [422, ['/preferences/colour']],
      [422, [`/preferences/sources/${TRAIN}/colour`]],
      [422, ['/preferences/sources/train']],
    ],
  );
  const many = Object.fromEntries(
    Array.from({ length: 201 }, (_, at) => [`src_01kamq${String(at).padStart(20, '0')}`, { confirm: true }]),
  );
  const tooMany = await change(scene, { sources: many });
  deepStrictEqual([tooMany.status, tooMany.body.code], [422, 'preferences.too_many_sources']);
  deepStrictEqual(await read(scene), {});
});

test('quiet hours are replaced as a whole, and those of whom they are hear of it', async (context) => {
  const scene = await openScene(context);
  const quiet = { spans: [{ from: '22:00', to: '07:00' }], through: { high: true } };
  await change(scene, { quiet });
  deepStrictEqual(await read(scene), { quiet });
  const weekend = { spans: [{ from: '00:00', to: '00:00', days: ['sat', 'sun'] }] };
  await change(scene, { quiet: weekend, chosenTimeZone: 'Europe/Berlin' });
  deepStrictEqual(await read(scene), { quiet: weekend, timeZone: 'Europe/Berlin' });
  for (const spans of [[], [{ from: '7:00', to: '08:00' }], [{ from: '07:00' }]])
    deepStrictEqual((await change(scene, { quiet: { spans } })).status, 422);
  await change(scene, { quiet: null, chosenTimeZone: null });
  deepStrictEqual([await read(scene), scene.quieted], [{}, Array(3).fill(scene.owner.id)]);
});

test('[POL11] a time zone is changed by a choice alone: what an older page says of its device is taken, and nothing comes of it', async (context) => {
  const scene = await openScene(context);
  const quiet = { spans: [{ from: '22:00', to: '07:00' }] };
  const zoneAfter = async (preferences: object) => {
    const { status, body } = await change(scene, preferences);
    return [status, status === 200 ? body.preferences.timeZone : body.faults?.map(({ path }) => path)];
  };
  const found = [
    await zoneAfter({ timeZone: 'Asia/Tokyo' }),
    await zoneAfter({ chosenTimeZone: 'Europe/Berlin' }),
    await zoneAfter({ timeZone: 'Asia/Tokyo' }),
    await zoneAfter({ timeZone: null }),
    await zoneAfter({ timeZone: 'Mars/Base' }),
    await zoneAfter({ timeZone: { of: ['this'] }, quiet }),
    await zoneAfter({ chosenTimeZone: 'Mars/Base' }),
    await zoneAfter({ chosenTimeZone: '' }),
    await zoneAfter({ timeZone: 'Asia/Tokyo', chosenTimeZone: 'America/New_York' }),
    await zoneAfter({ chosenTimeZone: null, quiet: null }),
  ];
  const refused = [422, ['/preferences/chosenTimeZone']];
  const { body } = await scene.call<Me>('GET', '/v1/people/me', { token: scene.owner.token });
  deepStrictEqual(
    [found, body.preferences, body.hubTimeZone, scene.quieted.length],
    [
      [
        [200, undefined],
        ...Array(5).fill([200, 'Europe/Berlin']),
        refused,
        refused,
        [200, 'America/New_York'],
        [200, undefined],
      ],
      {},
      HUB_TIME_ZONE,
      4,
    ],
  );
});

test('[DLV5] reminders are chosen for all of a person’s questions, and what is open hears of a change', async (t) => {
  const scene = await openScene(t);
  const found = [];
  for (const reminders of ['repeat', 'once', 'often', null]) {
    const { status } = await change(scene, { reminders });
    found.push([status, await read(scene)]);
  }
  deepStrictEqual(
    [found, scene.quieted],
    [
      [
        [200, { reminders: 'repeat' }],
        [200, { reminders: 'once' }],
        [422, { reminders: 'once' }],
        [200, {}],
      ],
      Array(3).fill(`${scene.owner.id} reminders`),
    ],
  );
});
