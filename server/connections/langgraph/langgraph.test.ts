import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import type { Connection } from '#shared/connections/connection.ts';
import type { Contact } from '#shared/connections/contact.ts';
import { readNotTaken } from '../../deliveries/read.ts';
import { sweep } from '../../inquiries/expire.ts';
import { createLog } from '../../platform/log.ts';
import { serve } from '../../platform/testing/listen.ts';
import { threads } from '../testing/threads.ts';
import { createLangGraph } from './langgraph.ts';

const Q = (id: string, value: unknown) => ({ id, value });
const BATCH = {
  action_requests: [{ name: 'shell', args: { n: 1 }, description: null }],
  review_configs: [{ action_name: 'shell', allowed_decisions: ['approve', 'reject'] }],
};

test('[DIA1] a hint makes the hub ask what the thread waits for, and its answer is the next run', async (t) => {
  const s = await threads(t);
  const thread = s.thread();
  thread.asks(Q('i1', 'Which table?'));
  strictEqual(await s.hint(), 202);
  const [one] = await s.until(({ length }) => length > 0);
  deepStrictEqual(
    [one?.prompt, one?.context, one?.dialect?.name, s.server.headers['x-api-key'], s.server.headers['x-team']],
    ['Which table?', { agent: 'agent', threadId: thread.id }, 'langgraph', 'lsv2-1', 'ops'],
  );
  await s.answer(one!.id, { response: 'old' });
  await s.dispatcher.runDue();
  const [row] = await s.database.read.selectFrom('deliveries').select('id').execute();
  const run = {
    webhook: 'https://graph.example/done',
    context: { team: 1 },
    command: { resume: { i1: 'old' } },
    assistant_id: 'a1',
    metadata: { beckon: row?.id },
    multitask_strategy: 'reject',
  };
  deepStrictEqual([s.server.runs, await s.deliveries()], [[run], [['delivered', 200]]]);
});

test('[RES6] a node that asks its next question at the same checkpoint is asked anew, and no answer to the first reaches it', async (t) => {
  const s = await threads(t);
  const thread = s.thread();
  thread.asks(Q('i1', 'Age?'));
  await s.look();
  const [first] = await s.inquiries();
  await s.answer(first!.id, { response: 'old' });
  // Somebody else was quicker, and in Python the second question bears the first one's id.
  thread.begin({});
  thread.asks(Q('i1', 'Age?'));
  const before = s.server.runs.length;
  await s.dispatcher.runDue();
  deepStrictEqual([s.server.runs.length, await s.deliveries()], [before, [['gone', 409]]]);
  await s.look();
  const [, second] = await s.inquiries();
  deepStrictEqual([second?.prompt, second?.resolution], ['Age?', undefined]);
  // Who answered is told.
  deepStrictEqual(await readNotTaken(s.database.read, [first!.id, second!.id]), new Set([first!.id]));
});

test('[RES6] a waiting thread whose metadata is changed keeps its question, and takes its answer', async (t) => {
  const s = await threads(t);
  const thread = s.thread();
  thread.asks(Q('i1', 'Which table?'));
  await s.look();
  thread.touch();
  await s.look();
  // It changes while it is read, too.
  s.server.before = (call) => call.endsWith('/state') && thread.touch();
  thread.touch();
  await s.look();
  const [one, ...more] = await s.inquiries();
  deepStrictEqual([one?.resolution, more], [undefined, []]);
  await s.answer(one!.id, { response: 'old' });
  await s.dispatcher.runDue();
  s.server.before = () => undefined;
  thread.touch();
  s.place.pass(60_000);
  await s.dispatcher.runDue();
  deepStrictEqual(
    [s.server.runs.length, await s.deliveries()],
    [1, [['delivered', 'thread changed while it was read', 200]]],
  );
});

test('[RES6] the newest of many runs names what a thread waits for', async (t) => {
  const s = await threads(t);
  const thread = s.thread();
  for (let run = 0; run < 250; run++) thread.begin({});
  thread.asks(Q('i1', 'Age?'));
  await s.look();
  const [first] = await s.inquiries();
  await s.answer(first!.id, { response: 'old' });
  thread.begin({});
  thread.asks(Q('i1', 'Age?'));
  await s.dispatcher.runDue();
  deepStrictEqual([thread.runs.length, await s.deliveries()], [251, [['gone', 409]]]);
});

test('[DLV1] a resume whose reply was lost is known by its run and not made twice; one that is refused is tried again', async (t) => {
  const s = await threads(t);
  const thread = s.thread();
  for (let run = 0; run < 150; run++) thread.begin({});
  thread.asks(Q('i1', 'Which table?'));
  await s.look();
  const [one] = await s.inquiries();
  await s.answer(one!.id, { response: 'old' });
  s.server.runs.length = 0;
  let turn = 0;
  s.server.before = (call, response) => {
    if (!call.startsWith('POST') || call.endsWith('/search')) return false;
    turn++;
    if (turn === 1) return response.writeHead(409).end();
    const [row] = thread.runs;
    void s.database.read
      .selectFrom('deliveries')
      .select('id')
      .executeTakeFirstOrThrow()
      .then(({ id }) => {
        thread.begin({ ...row, metadata: { beckon: id } });
        response.destroy();
      });
    return true;
  };
  for (let attempt = 0; attempt < 3; attempt++) {
    await s.dispatcher.runDue();
    s.place.pass(60_000);
  }
  deepStrictEqual(
    [s.server.runs.length, await s.deliveries()],
    [1, [['delivered', 'run refused with 409', 'connection closed', 200]]],
  );
});

test('[WDR1] what was resumed elsewhere, or whose thread is gone, is withdrawn at the next look', async (t) => {
  const s = await threads(t);
  const [one, two, three] = [s.thread(), s.thread(), s.thread()];
  for (const thread of [one, two, three]) thread.asks(Q('i1', 'Which table?'));
  await s.look();
  one.begin({});
  s.forget(two);
  await s.look();
  const found = Object.fromEntries(
    (await s.inquiries()).map(({ context, resolution }) => [context?.threadId, resolution?.message ?? resolution]),
  );
  deepStrictEqual(found, {
    [one.id]: 'its thread was resumed elsewhere',
    [two.id]: 'its thread is gone',
    [three.id]: undefined,
  });
  await s.dispatcher.runDue();
  deepStrictEqual([s.server.runs.length, await s.deliveries()], [1, []]);
});

test('[RES4] several interrupts are one ask and one resume, without the tasks that were answered', async (t) => {
  const s = await threads(t);
  const thread = s.thread();
  thread.waits(
    { interrupts: [Q('i0', 'Long answered?')], result: { a: 1 } },
    { interrupts: [Q('i1', 'Which table?')], result: null },
    { interrupts: [Q('i2', BATCH)] },
  );
  await s.look();
  const asked = await s.inquiries();
  deepStrictEqual(
    asked.map(({ prompt, actions }) => prompt ?? actions?.map(({ name }) => name)),
    ['Which table?', ['shell']],
  );
  await s.answer(asked[0]!.id, { response: 'old' });
  await s.dispatcher.runDue();
  deepStrictEqual([s.server.runs, await s.deliveries()], [[], []]);
  s.place.pass(301_000);
  await sweep(s.place.inquiries);
  await s.dispatcher.runDue();
  const [run] = s.server.runs as { command: { resume: Record<string, { decisions: { type: string }[] }> } }[];
  deepStrictEqual(
    [run?.command.resume['i1'], run?.command.resume['i2']?.decisions.map(({ type }) => type)],
    ['old', ['reject']],
  );
});

test('[DIA1] a question that nobody answers leaves its thread as it is, and is not asked again', async (t) => {
  const s = await threads(t);
  const [thread, answered] = [s.thread(), s.thread()];
  thread.asks(Q('i1', 'Which table?'));
  answered.asks(Q('i1', 'Which row?'));
  await s.look();
  const [, row] = await s.inquiries();
  await s.answer(row!.id, { response: '7' });
  await s.look();
  s.place.pass(301_000);
  await sweep(s.place.inquiries);
  await s.look();
  await s.dispatcher.runDue();
  await s.look();
  s.server.calls.length = 0;
  await s.look();
  // Another node, or this one after a restart, knows of no look before.
  const other = createLangGraph({ inquiries: s.place.inquiries, log: createLog('silent') });
  t.after(() => other.stop());
  const seen = s.server.calls.splice(0);
  await other.lookNow(s.connection.id);
  deepStrictEqual(
    [(await s.inquiries()).map(({ resolution }) => resolution?.outcome), s.server.runs.length, seen],
    [['expired', 'answered'], 1, ['POST /api/threads/search']],
  );
  const { items } = (await s.call('GET', `/v1/connections/${s.connection.id}/contacts`)).body as { items: Contact[] };
  deepStrictEqual(
    items.map(({ problem }) => problem),
    [
      {
        code: 'thread.unanswered',
        detail:
          `The thread ${thread.id} has waited since ${thread.runs[0]?.created_at} for what nobody answered: it stays as it is ` +
          'until something else resumes it.',
      },
      undefined,
    ],
  );
});

test('[DIA1] what a thread waits for and the hub cannot ask is a contact, once, until the connection says how', async (t) => {
  const s = await threads(t);
  const [object, text] = [s.thread(), s.thread()];
  const path = `/v1/connections/${s.connection.id}`;
  const contacts = async () =>
    ((await s.call('GET', `${path}/contacts`)).body as { items: Contact[] }).items
      .toReversed()
      .map(({ what, status, problem, inquiries }) => [what, status, problem, inquiries.length]);
  const refused = () => ({
    code: 'thread.unaskable',
    detail:
      `The thread ${object.id} has waited since ${object.runs.at(-1)?.created_at} for what nobody can be asked: /0/value is not a ` +
      'text, and code that tests the answer takes every text for a yes, "no" as well: give interrupt() a ' +
      'responseSchema, or set the connection\'s interruptAnswer to "text" or "confirm".',
  });
  object.asks(Q('i1', { table: 'users' }));
  text.asks(Q('i1', 'Which table?'));
  await s.look();
  const first = refused();
  // Another node, or this one after a restart.
  const elsewhere = createLangGraph({ inquiries: s.place.inquiries, log: createLog('silent') });
  await elsewhere.lookNow(s.connection.id);
  await elsewhere.stop();
  object.touch();
  await s.look();
  deepStrictEqual(await contacts(), [
    ['thread', undefined, first, 0],
    ['thread', 200, undefined, 1],
  ]);
  // Resumed elsewhere, it asks the same again.
  object.begin({});
  object.asks(Q('i1', { table: 'users' }));
  await s.look();
  const { items } = (await s.call('GET', '/v1/connections')).body as { items: Connection[] };
  deepStrictEqual(
    [(await contacts()).slice(2), items[0]?.lastError?.problem],
    [[['thread', undefined, refused(), 0]], refused()],
  );
  await s.call('PATCH', path, { interruptAnswer: 'confirm' });
  await s.look();
  deepStrictEqual(
    [(await s.inquiries()).map(({ prompt, actions }) => prompt ?? actions?.[0]?.args), (await contacts()).slice(3)],
    [['Which table?', { table: 'users' }], [['thread', 200, undefined, 1]]],
  );
});

test('a look reads each waiting thread once until it changes, and none that waited before the connection was made', async (t) => {
  const s = await threads(t);
  const made = await s.database.read
    .selectFrom('sources')
    .select('created_at')
    .where('id', '=', s.connection.id)
    .execute();
  const old = s.thread();
  Object.defineProperty(old, 'updated_at', { get: () => new Date(made[0]!.created_at - 61_000).toISOString() });
  old.asks(Q('i1', 'Long ago?'));
  const thread = s.thread();
  thread.asks(Q('i1', 'Now?'));
  await s.look();
  s.server.calls.length = 0;
  await s.look();
  deepStrictEqual(s.server.calls, ['POST /api/threads/search']);
  deepStrictEqual(
    (await s.inquiries()).map(({ prompt }) => prompt),
    ['Now?'],
  );
});

test('[SEC1] a server that lies, redirects or says too much asks nobody, and what is sound beside it is asked', async (t) => {
  const s = await threads(t);
  const tooMuch = s.thread();
  tooMuch.asks(Q('i1', 'Too much?'));
  const liars: ((response: ServerResponse) => unknown)[] = [
    (response) => response.writeHead(302, { location: '/api/threads' }).end(),
    (response) => response.end('<html>'),
    (response) => response.end('{"tasks":[{"interrupts":7}]}'),
    (response) => response.end(JSON.stringify({ ...tooMuch.state(), values: 'x'.repeat(8_400_000) })),
    (response) => response.writeHead(500).end(),
    (response) => response.destroy(),
  ];
  const lying = new Map(
    liars.map((reply) => {
      const thread = s.thread();
      thread.asks(Q('i1', 'Lie?'));
      return [`GET /api/threads/${thread.id}/state`, reply];
    }),
  );
  const [refused, sound] = [s.thread(), s.thread()];
  refused.asks(Q('i1', { bare: true }));
  sound.asks(Q('i1', 'Sound?'));
  lying.set(`GET /api/threads/${tooMuch.id}/state`, liars[3]!);
  s.server.before = (call, response) => lying.get(call)?.(response) !== undefined || lying.has(call);
  await s.look();
  deepStrictEqual(
    (await s.inquiries()).map(({ prompt }) => prompt),
    ['Sound?'],
  );
  const strange = [{ thread_id: '../../secrets', updated_at: 'now' }];
  s.server.before = (call, response) => call.endsWith('/search') && response.end(JSON.stringify(strange));
  s.server.calls.length = 0;
  await s.look();
  deepStrictEqual(s.server.calls, ['POST /api/threads/search']);
});

test('[WDR1] what no thread waits for is withdrawn also where nobody more can be asked, who is asked once there is room', async (t) => {
  const s = await threads(t);
  const narrow = createLangGraph({ inquiries: { ...s.place.inquiries, openLimit: 2 }, log: createLog('silent') });
  t.after(() => narrow.stop());
  const look = () => narrow.lookNow(s.connection.id);
  const [one, two] = [s.thread(), s.thread()];
  for (const thread of [one, two]) thread.asks(Q('i1', 'First?'));
  await look();
  const more = [s.thread(), s.thread()];
  for (const thread of more) thread.asks(Q('i1', 'Next?'));
  await look();
  const { items } = (await s.call('GET', `/v1/connections/${s.connection.id}/contacts`)).body as { items: Contact[] };
  deepStrictEqual(
    items.flatMap(({ problem }) => problem ?? []),
    [
      {
        code: 'thread.no_room',
        detail:
          `The thread ${more[0]?.id} has waited since ${more[0]?.runs[0]?.created_at} for what nobody can be asked yet: ` +
          'too many inquiries of this connection are open. It is asked when some of them are answered.',
      },
    ],
  );
  // It is read before the thread that makes room.
  s.server.before = (call) => call.endsWith('/search') && one.begin({});
  await look();
  const open = (await s.inquiries()).filter(({ resolution }) => !resolution);
  deepStrictEqual(
    open.map(({ context }) => context?.threadId),
    [two.id, more[0]?.id],
  );
});

test('a look reads the threads that failed at the last one after all others', async (t) => {
  const s = await threads(t);
  const [first, second] = [s.thread(), s.thread()];
  for (const thread of [first, second]) thread.asks(Q('i1', 'Which table?'));
  s.server.before = (call, response) => call === `GET /api/threads/${first.id}/state` && response.writeHead(500).end();
  await s.look();
  const third = s.thread();
  third.asks(Q('i1', 'Which row?'));
  s.server.calls.length = 0;
  await s.look();
  deepStrictEqual(
    s.server.calls.filter((call) => call.endsWith('/state')),
    [third, first].map(({ id }) => `GET /api/threads/${id}/state`),
  );
});

test('a look is a contact where it opened something or went otherwise than the last one', async (t) => {
  const s = await threads(t);
  const contacts = async () =>
    ((await s.call('GET', `/v1/connections/${s.connection.id}/contacts`)).body as { items: Contact[] }).items
      .toReversed()
      .map(({ what, status, problem }) => [what, status, problem?.code]);
  const replies: ((response: ServerResponse) => unknown)[] = [
    (response) => response.writeHead(401).end(),
    (response) => response.writeHead(302, { location: '/' }).end(),
    (response) => response.writeHead(404).end(),
    (response) => response.writeHead(503).end(),
    (response) => response.end('{}'),
    (response) => response.end('<html>'),
    (response) => response.end('x'.repeat(9_000_000)),
    (response) => response.destroy(),
  ];
  strictEqual(await s.hint(), 202);
  await s.look();
  for (const reply of replies) {
    s.server.before = (_call, response) => (reply(response), true);
    for (let again = 0; again < 2; again++) await s.look();
  }
  s.server.before = () => undefined;
  for (let again = 0; again < 2; again++) await s.look();
  deepStrictEqual(await contacts(), [
    ['thread', 401, 'upstream.key_refused'],
    ['thread', 302, 'upstream.redirect'],
    ['thread', 404, 'upstream.no_api'],
    ['thread', 503, 'upstream.status'],
    ['thread', 200, 'upstream.unreadable'],
    ['thread', 200, 'upstream.unreadable'],
    ['thread', 200, 'upstream.unreadable'],
    ['thread', undefined, 'upstream.unreachable'],
    ['thread', 200, undefined],
  ]);
  const { items } = (await s.call('GET', '/v1/connections')).body as { items: Connection[] };
  deepStrictEqual([items[0]?.lastContact?.status, items[0]!.lastContact!.at >= items[0]!.lastError!.at], [200, true]);
});

test('a template of answers is refused, since the hub resumes the thread itself', async (t) => {
  const s = await threads(t);
  const { status, body } = await s.call('PATCH', `/v1/connections/${s.connection.id}`, {
    answer: { id: '{inquiryId}' },
  });
  deepStrictEqual(
    [status, (body as { faults: { code: string }[] }).faults.map(({ code }) => code)],
    [422, ['connection.answer']],
  );
});

test('a connection that is turned off is not looked at, and an unknown token hurries no look', async (t) => {
  const s = await threads(t);
  s.thread().asks(Q('i1', 'Which table?'));
  await s.call('PATCH', `/v1/connections/${s.connection.id}`, { enabled: false });
  strictEqual(await s.hint(), 404);
  await s.look();
  deepStrictEqual([await s.inquiries(), s.server.calls], [[], []]);
  await s.call('PATCH', `/v1/connections/${s.connection.id}`, { enabled: true });
  const strange = await fetch(s.url.replace(/[^/]+$/, `bki_${'0'.repeat(43)}`), { method: 'POST', body: '{}' });
  deepStrictEqual([strange.status, s.server.calls], [404, []]);
  strictEqual(await s.hint(`{"values":"${'x'.repeat(3_000_000)}"}`), 202);
  await s.until(({ length }) => length > 0);
});

test('each connection is due once a minute, and a server that hangs keeps back no other', async (t) => {
  const s = await threads(t);
  s.thread().asks(Q('i1', 'Which table?'));
  const hung = await serve(t, () => undefined);
  await s.connect({ name: 'Hung', kind: 'langgraph', baseUrl: `${hung}/api` });
  s.langgraph.start();
  const [one] = await s.until(({ length }) => length > 0);
  strictEqual(one?.prompt, 'Which table?');
  const due = await s.database.read.selectFrom('connections').select('look_at').execute();
  strictEqual(
    due.every(({ look_at }) => (look_at ?? 0) > s.database.clock.now()),
    true,
  );
});
