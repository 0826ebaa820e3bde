import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Yolo } from '#shared/policies/yolo.ts';
import type { Fault } from '#shared/problem.ts';
import { addDevice } from '../../devices/admit.ts';
import { openScene } from '../../devices/testing/scene.ts';
import { yoloRoutes } from './routes.ts';

type Reply = Yolo & { code?: string; faults?: Fault[] };

test('[POL6] YOLO is started, stopped and looked at on any device of its person, and on no other', async (t) => {
  const told: string[] = [];
  const announce = (personId: string) => void told.push(personId);
  const s = await openScene(t, {
    routes: (app, database) => yoloRoutes(app, { database, announce, wakePushes: () => undefined }),
  });
  const { token } = s.owner;
  const { body: ann } = await s.call<{ person: { id: string } }>('POST', '/v1/people', {
    token,
    body: { handle: 'ann' },
  });
  const [phone, stranger] = [
    await addDevice(s.database, s.owner.id, 'Phone'),
    await addDevice(s.database, ann.person.id, 'Hers'),
  ];
  const start = (body: object) => s.call<Reply>('POST', '/v1/yolo', { token, body });

  const bad = [
    { until: 60 },
    { calls: 'approve' },
    { calls: 'reject', until: 60 },
    { calls: 'approve', until: 90_000 },
    { questions: 'random', until: 60 },
    { calls: 'approve', until: 60, sources: ['src_01kamq0000000000000000tra1'] },
  ];
  const refused = [];
  for (const body of bad)
    refused.push((await start(body)).body.faults?.map(({ path, message }) => `${path} ${message}`));
  deepStrictEqual(refused, [
    [' settles nothing: name calls, questions or both'],
    ['/until must be seconds from now or an instant like 2027-01-31T12:00:00Z'],
    ['/calls must be "approve", "you-decide" or a decider'],
    ['/until is more than 24 hours away'],
    ['/sources must name one source: "random" is for one source only'],
    ['/sources/0 is no source of this hub'],
  ]);

  const { status, body: yolo } = await start({ calls: 'approve', until: 3600 });
  const device = { id: s.owner.deviceId, name: 'Laptop' };
  const { id, startedAt, untilAt } = yolo;
  deepStrictEqual(
    [status, yolo],
    [201, { id, calls: 'approve', startedAt, startedOn: device, untilAt, settledCount: 0 }],
  );
  const again = await start({ calls: 'approve', until: 60 });
  deepStrictEqual([again.status, again.body.code], [409, 'yolo.running']);

  const hers = [];
  for (const [method, url] of [
    ['GET', ''],
    ['POST', '/stop'],
    ['POST', '/seen'],
  ] as const)
    hers.push((await s.call<Reply>(method, `/v1/yolo/${id}${url}`, { token: stranger.accessToken })).body.code);
  const read = async (as: string) => (await s.call('GET', '/v1/yolo', { token: as })).body;
  deepStrictEqual(
    [hers, await read(stranger.accessToken), await read(phone.accessToken)],
    [Array(3).fill('yolo.unknown'), { past: [] }, { running: yolo, past: [] }],
  );

  const early = await s.call('POST', `/v1/yolo/${id}/seen`, { token });
  const { body: ended } = await s.call<Reply>('POST', `/v1/yolo/${id}/stop`, { token: phone.accessToken });
  deepStrictEqual(ended, { ...yolo, endedAt: ended.endedAt, stoppedOn: { id: phone.deviceId, name: 'Phone' } });
  deepStrictEqual([early.status, await read(token)], [204, { ended, past: [ended] }]);
  const report = { yolo: ended, approved: [], handedBack: 0, unanswered: 0, random: 0, decided: 0, asked: [] };
  deepStrictEqual((await s.call('GET', `/v1/yolo/${id}`, { token })).body, report);
  deepStrictEqual((await s.call('POST', `/v1/yolo/${id}/seen`, { token })).status, 204);
  deepStrictEqual([await read(token), told], [{ past: [ended] }, Array(3).fill(s.owner.id)]);
});
