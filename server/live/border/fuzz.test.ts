import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import type { Database } from '../../platform/database.ts';
import { openPeople, sqliteDatabase, startHub, type People, type TestDevice, type TestHub } from '../testing/hub.ts';
import { openReadyPage, until, type TestPage } from '../testing/page.ts';

let database: Database;
let drop: () => Promise<void>;
let hub: TestHub;
let people: People;
let device: TestDevice;
let inquiryId: string;
let foreignId: string;
const crashes: unknown[] = [];
const note = (error: unknown) => crashes.push(error);

before(async () => {
  ({ database, drop } = await sqliteDatabase());
  people = await openPeople(database);
  await people.person('mallory');
  hub = await startHub({ database });
  device = await people.device();
  inquiryId = await people.ask(hub.inquiries, {
    actions: [{ name: 'deploy', args: { port: 1 }, allowed: ['approve', 'edit'] }],
  });
  foreignId = await people.ask(hub.inquiries, { to: ['mallory'] });
  process.on('unhandledRejection', note);
});
after(async () => {
  process.off('unhandledRejection', note);
  await hub.stop();
  await drop();
});

const NAMES = ['answer', 'shown', 'opened', 'dismissed', 'draft', 'extend', 'sync', 'notice_read'];
const VALUES: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x',
  [],
  {},
  [[[[]]]],
  '\u0000',
  '\ud800',
  '\u202eevil\u2066',
  '👩‍👩‍👧‍👦',
  'ب'.repeat(100),
  "'; drop table inquiries; --",
  'a'.repeat(70_000),
  { ['__proto__']: 1 },
  { constructor: { prototype: 1 } },
  Array(1000).fill({ type: 'approve' }),
  { type: 'edit', argsText: '{"a":' },
  { inquiryId: 'inq_1' },
];

function draw(seed: bigint): () => number {
  let state = seed;
  return () => {
    // SplitMix64
    state = (state + 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
    let mixed = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & 0xffffffffffffffffn;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & 0xffffffffffffffffn;
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
  };
}

async function stored() {
  const { read } = database;
  return [
    await read.selectFrom('inquiries').select(['id', 'revision', 'resolution', 'deadline_at']).execute(),
    await read.selectFrom('answers').selectAll().execute(),
    await read.selectFrom('drafts').selectAll().execute(),
    await read.selectFrom('inquiry_devices').select(['shown_at', 'opened_at', 'dismissed_at']).execute(),
    hub.readNotices,
  ];
}

function explained(problem: Problem | undefined): boolean {
  return (
    problem !== undefined &&
    problem.status >= 400 &&
    problem.status < 500 &&
    /^[a-z_]+\.[a-z_]+$/.test(problem.code) &&
    problem.detail.length > 0
  );
}

test('every malformed event is refused with a reason, and nothing is stored (seed 1)', async () => {
  const random = draw(1n);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const before = await stored();
  let page = await openReadyPage(hub.url, device.token);
  for (let count = 0; count < 1500; count++) {
    // Whatever is drawn, it does not fit: an unknown inquiry, or a known one with members of the wrong type.
    const members = [
      'text',
      'values',
      'other',
      'decisions',
      'markdown',
      'digest',
      'outcome',
      'response',
      'late',
      'message',
      'answer',
      'seconds',
      'noticeId',
    ];
    const body = {
      inquiryId: pick([inquiryId, foreignId, 'inq_0', ...VALUES]),
      ...Object.fromEntries(Array.from({ length: 3 }, () => [pick(members), pick(VALUES)])),
    };
    const name = pick(NAMES);
    if (name === 'sync' || fits(name, body)) continue;
    const payload = random() < 0.1 ? pick([...VALUES.filter((value) => typeof value !== 'object'), []]) : body;
    const { problem } = (await page.send(name, payload)) as { problem?: Problem };
    if (problem?.code === 'request.too_many') {
      page.close();
      page = await openReadyPage(hub.url, device.token);
    } else
      assert.ok(explained(problem), `${name} ${JSON.stringify(payload)?.slice(0, 200)}: ${JSON.stringify(problem)}`);
  }
  assert.deepEqual([await stored(), crashes], [before, []]);
  page.close();
});

/** True where a draw came out well formed. */
function fits(name: string, { inquiryId: id, noticeId, outcome, answer, seconds }: Record<string, unknown>): boolean {
  if (name === 'notice_read') return typeof noticeId === 'string' && noticeId.length <= 64;
  if (id !== inquiryId) return false;
  return (
    ['shown', 'opened', 'dismissed'].includes(name) ||
    outcome === 'declined' ||
    (name === 'draft' && typeof answer === 'object') ||
    (name === 'extend' && Number(seconds) > 0)
  );
}

test('packets no page would send end at most their own line', async () => {
  const packets = [
    '2',
    '2[]',
    '2[1]',
    '20["error","x"]',
    '2["error"]',
    '20["disconnect"]',
    '20["answer"]',
    '2["answer",{}]',
    '20["toString",{}]',
    '20["__proto__",{}]',
    '20[7,{}]',
    '30[1]',
    '40{}',
    '5',
    '51-["answer",{"_placeholder":true,"num":0}]',
    '51-["answer",{"_placeholder":true,"num":99}]',
    '6',
    '9',
    '2/other,["x"]',
    '0/other,',
    `20["answer",${'['.repeat(100_000)}${']'.repeat(100_000)}]`,
    `20["answer",${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}]`,
    `51-["answer",${'['.repeat(100_000)}${']'.repeat(100_000)}]`,
    `20["answer",{"inquiryId":"${'x'.repeat(290_000)}"}]`,
    `20["answer",{"inquiryId":"${'x'.repeat(400_000)}"}]`,
  ];
  const before = await stored();
  for (const packet of packets) {
    const page = await openReadyPage(hub.url, device.token);
    page.socket.io.engine.write(packet);
    if (packet.startsWith('5')) page.socket.io.engine.write(Buffer.from('x'));
    await Promise.race([
      page.send('sync', {}).catch(() => undefined),
      until(() => !page.socket.connected, 'the line to end'),
    ]);
    page.close();
  }
  assert.deepEqual([await stored(), crashes], [before, []]);
  await stillServes();
});

test('what is too deep, too large or not a text is refused in the words of HTTP', async () => {
  const page = await openReadyPage(hub.url, device.token);
  let deep: unknown = 'x';
  for (let depth = 0; depth < 70; depth++) deep = [deep];
  const cases: [unknown, string][] = [
    [{ inquiryId, values: { a: deep } }, '400 request.malformed'],
    [{ inquiryId, text: 'x'.repeat(270_000) }, '413 request.too_large'],
    [{ inquiryId, text: 'a\u0000b' }, '422 request.invalid'],
    [{ inquiryId, text: '\ud800' }, '422 request.invalid'],
    [{ inquiryId, values: { '\udc00': 1 } }, '422 request.invalid'],
    [{ inquiryId, values: JSON.parse('{"__proto__":1}') as object }, '422 request.invalid'],
    [{ inquiryId, text: Buffer.from('x') }, '422 request.invalid'],
    [undefined, '422 request.invalid'],
    ['inq', '422 request.invalid'],
  ];
  for (const [body, expected] of cases) {
    const { problem } = (await page.send('answer', body)) as { problem: Problem };
    assert.equal(`${problem.status} ${problem.code}`, expected);
  }
  const unknown = (await page.send('resolve', {})) as { problem: Problem };
  assert.equal(unknown.problem.code, 'event.unknown');
  page.close();
});

async function stillServes(): Promise<void> {
  const page: TestPage = await openReadyPage(hub.url, device.token);
  assert.deepEqual(
    page.of('snapshot')[0]?.inquiries.map(({ id }) => id),
    [inquiryId],
  );
  page.close();
}
