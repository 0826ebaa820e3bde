import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { revokeDevice } from '../devices/revoke.ts';
import type { Database } from '../platform/database.ts';
import { StartYolo } from '#shared/policies/yolo.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { readForSource } from '../inquiries/read.ts';
import { startYolo, stopYolo } from '../automation/yolo/yolo.ts';
import type { DeviceCaller } from '../platform/http/access.ts';
import { putPolicies } from '../automation/rules/change.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { connectRedis, type Redis } from '../platform/nodes/redis.ts';
import { freshDatabase } from '../platform/testing/postgres.ts';
import { privateRedis, type PrivateRedis } from '../platform/testing/redis.ts';
import { openPeople, startHub, type People, type TestHub } from './testing/hub.ts';
import { openOn, openPage, openReadyPage, until } from './testing/page.ts';
import { race } from './testing/race.ts';

type Node = { hub: TestHub; database: Database; redis: Redis };
let postgres: Awaited<ReturnType<typeof freshDatabase>>;
let server: PrivateRedis;
let a: Node;
let b: Node;
let people: People;

const ends: (() => Promise<void>)[] = [];

before(async () => {
  postgres = await freshDatabase();
  ends.push(postgres.drop);
  server = await privateRedis();
  ends.push(() => server.stop());
  a = await startNode();
  b = await startNode();
  people = await openPeople(a.database);
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

async function startNode(through: (redis: Redis) => Redis = (redis) => redis): Promise<Node> {
  const database = await openDatabase({ dataDir: '', databaseUrl: postgres.url });
  ends.push(() => database.close());
  const connected = await connectRedis({ url: server.url });
  ends.push(() => connected.close());
  const redis = through(connected);
  const hub = await startHub({ database, redis, heartbeatMs: 200 });
  ends.push(() => hub.stop());
  return { database, redis, hub };
}

test('[RES1] [RES2] [WDR1] two nodes: 300 inquiries answered by 5 of 20 devices at once have one winner each, and all agree', async () => {
  await race([a.hub, b.hub], people, { devices: 20, inquiries: 300, answerers: 5 });
});

test('[SEC1] a revoke on one node ends the sockets on the other at once', async () => {
  const device = await people.device();
  const page = await openReadyPage(b.hub.url, device.token);
  await revokeDevice(a.database, a.hub.live.devices, device.personId, device.id);
  await until(() => !page.socket.connected, 'the page to be out');
  assert.deepEqual(page.of('revoked'), [{ deviceId: device.id }]);
});

test('what is said to one device reaches its pages on the other node, and no other device of its person', async () => {
  const [laptop, phone] = [await people.device(), await people.device()];
  const [onA, onB] = [await openReadyPage(a.hub.url, laptop.token), await openReadyPage(b.hub.url, laptop.token)];
  const other = await openReadyPage(b.hub.url, phone.token);
  const claimed = {
    enrolmentId: 'enr_1',
    deviceName: 'Tablet',
    userAgent: '',
    address: '',
    numbers: ['1'],
    expiresAt: '',
  };
  a.hub.live.devices.toDevice(laptop.id, 'claimed', claimed);
  await until(() => onB.of('claimed').length === 1, 'the other node to hear');
  const inquiryId = await people.ask(a.hub.inquiries);
  await until(() => other.of('inquiry').length === 1, 'what was sent after it');
  assert.deepEqual([onA.of('claimed'), onB.of('claimed'), other.of('claimed')], [[claimed], [claimed], []]);
  await onA.send('answer', { inquiryId, text: 'yes' });
  for (const page of [onA, onB, other]) page.close();
});

test('a node subscribes to the people whose pages it has, and to nothing for each of their devices', async () => {
  const channels: string[] = [];
  const node = await startNode((redis) => ({
    ...redis,
    sSubscribe(channel, hear) {
      channels.push(channel);
      redis.sSubscribe(channel, hear);
    },
  }));
  channels.length = 0;
  const devices = [await people.device(), await people.device()];
  const pages = await Promise.all(devices.map(({ token }) => openReadyPage(node.hub.url, token)));
  assert.deepEqual(channels, [`beckon-live#/#person:${devices[0]!.personId}#`]);
  for (const page of pages) page.close();
});

test('a node hears of its own people, and not of those who are elsewhere', async () => {
  const heard = [0, 0, 0, 0];
  const counting = (at: number) => (redis: Redis) => ({
    ...redis,
    sSubscribe: (channel: string, hear: Parameters<Redis['sSubscribe']>[1]) =>
      redis.sSubscribe(channel, (...message) => {
        heard[at]!++;
        hear(...message);
      }),
  });
  const nodes = await Promise.all(heard.map((_, at) => startNode(counting(at))));
  const pages = await Promise.all(
    nodes.map(async ({ hub }, at) => {
      await people.person(`guest${at}`);
      return openReadyPage(hub.url, (await people.device(`guest${at}`)).token);
    }),
  );
  heard.fill(0);
  const counts: number[][] = [];
  const expected = [
    [0, 1, 0, 0],
    [0, 2, 0, 0],
    [0, 2, 1, 1],
    // What a node says itself comes back to it where it listens too, after its own pages were told.
    [1, 2, 1, 1],
  ];
  for (const [at, guests] of [['guest1'], ['guest1'], ['guest2', 'guest3'], ['guest0']].entries()) {
    await people.ask(nodes[0]!.hub.inquiries, { to: guests });
    const told = (): number => pages.reduce((sum, page) => sum + page.of('inquiry').length, 0);
    await until(() => told() === at + 1 + Number(at > 1), 'the guests to be told');
    await until(() => heard.every((count, node) => count >= (expected[at]?.[node] ?? 0)), 'their nodes to hear');
    counts.push([...heard]);
  }
  assert.deepEqual(counts, expected);
  for (const page of pages) page.close();
});

test('[LIV1] [race] what is announced before the node hears of a person comes with a second snapshot', async () => {
  const held = Promise.withResolvers<void>();
  const slow = await startNode((redis) => ({
    ...redis,
    sSubscribe: (...channel) => void held.promise.then(() => redis.sSubscribe(...channel)),
    listening: () => held.promise.then(redis.listening),
  }));
  const page = openPage(slow.hub.url, (await people.device()).token);
  await until(() => page.of('snapshot').length === 1, 'the first snapshot');
  const inquiryId = await people.ask(a.hub.inquiries);
  held.resolve();
  await until(() => page.of('snapshot').length === 2, 'the second snapshot');
  assert.deepEqual([page.of('inquiry'), openOn(page)], [[], [inquiryId]]);
  await page.send('answer', { inquiryId, text: 'yes' });
  page.close();
});

test('[LIV1] with Redis killed each node serves its own, a heartbeat tells of the rest, and with Redis back both hear all', async () => {
  const [onA, onB] = [
    await openReadyPage(a.hub.url, (await people.device()).token),
    await openReadyPage(b.hub.url, (await people.device()).token),
  ];
  await server.kill();
  await until(() => a.redis.degraded() && b.redis.degraded(), 'both nodes to notice');
  const inquiryId = await people.ask(a.hub.inquiries);
  await until(() => onA.of('inquiry').length === 1, 'the inquiry on its own node');
  const { version } = onA.of('inquiry')[0]!;
  await until(() => onB.of('heartbeat').some((beat) => beat.version === version), 'the heartbeat on the other');
  assert.deepEqual(onB.of('inquiry'), []);
  await onB.send('sync', {});
  assert.deepEqual(openOn(onB), [inquiryId]);

  const revoked = await people.device();
  const out = await openReadyPage(b.hub.url, revoked.token);
  await revokeDevice(a.database, a.hub.live.devices, revoked.personId, revoked.id);
  await until(() => !out.socket.connected, 'the revoked page to be out at the next heartbeat');

  await server.start();
  await until(() => !a.redis.degraded() && !b.redis.degraded(), 'both nodes to be back');
  await onA.send('answer', { inquiryId, text: 'yes' });
  await until(() => onB.of('withdraw').length === 1, 'the withdraw on the other node');
  assert.deepEqual(openOn(onB), []);
  for (const page of [onA, onB]) page.close();
});

test('what another node cannot have sent is dropped and ends nothing', async () => {
  const page = await openReadyPage(b.hub.url, (await people.device()).token);
  const { personId } = await people.device();
  for (const message of [
    '',
    '{',
    'null',
    '[]',
    '{"type":99}',
    '{"uid":"x","nsp":"/","type":3}',
    '{"nsp":"/","type":8}',
  ]) {
    for (const channel of ['beckon-live#/#', `beckon-live#/#person:${personId}#`])
      void a.redis.sPublish(channel, message);
  }
  const inquiryId = await people.ask(a.hub.inquiries);
  await until(() => page.of('inquiry').length === 1, 'what was sent after it');
  await page.send('answer', { inquiryId, text: 'yes' });
  page.close();
});

const CALL = { actions: [{ name: 'Bash', args: {}, allowed: ['approve' as const, 'reject' as const] }] };

/** Asks at a node, and says what settled it. */
async function settledBy({ hub }: Node): Promise<string | undefined> {
  const id = await people.ask(hub.inquiries, { ...CALL, prompt: undefined });
  const { resolution } = await readForSource(hub.inquiries, id, people.sourceId);
  return resolution?.by.kind === 'policy' ? resolution.by.label : resolution?.by.kind;
}

test('[POL2] [POL5] a rule put on one node counts on the other at once, which refuses a list that was read before', async () => {
  const { id, personId } = await people.device();
  const which = { of: 'person', personId } as const;
  const rule = (name: string): Rule => ({ name, when: { tool: 'Bash' }, then: 'approve' });
  const put = ({ database }: Node, version: number, rules: Rule[]) =>
    putPolicies(database, which, { version, rules }, id).then(
      () => 'put',
      ({ code }: { code: string }) => code,
    );
  const steps = [await settledBy(b), await settledBy(a)];
  steps.push(await put(a, 0, [rule('one')]), await settledBy(b), await settledBy(a));
  steps.push(await put(b, 0, []), await settledBy(b));
  steps.push(...(await Promise.all([put(a, 1, [rule('two')]), put(b, 1, [rule('two')])])).toSorted());
  steps.push(await settledBy(b), await settledBy(a), await put(b, 2, []), await settledBy(a), await settledBy(b));
  assert.deepEqual(steps, [
    undefined,
    undefined,
    'put',
    'one',
    'one',
    'policies.changed',
    'one',
    'policies.changed',
    'put',
    'two',
    'two',
    'put',
    undefined,
    undefined,
  ]);
});

test('[POL6] YOLO that is stopped on one node while the other settles: what its stop counts is all there ever is', async () => {
  const { id, personId } = await people.device();
  const person = { id: personId, handle: 'owner', name: '', owner: true, locale: undefined };
  const device: DeviceCaller = { kind: 'device', id, name: 'Laptop', person };
  const on = ({ database }: Node) => ({ database, announce: () => undefined, wakePushes: () => undefined });
  const yolo = await startYolo(on(a), device, StartYolo.parse({ calls: 'approve', until: 60 }));
  assert.equal(await settledBy(b), 'YOLO');
  const asking = Array.from({ length: 30 }, () => settledBy(b));
  const ended = await stopYolo(on(a), device, yolo.id);
  const late = await settledBy(b);
  const settled = (await Promise.all(asking)).filter((by) => by === 'YOLO').length;
  assert.deepEqual([ended.settledCount, late], [settled + 1, undefined]);
});
