import { deepStrictEqual, match, notStrictEqual, strictEqual } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createWaiters } from '../../inquiries/waiters.ts';
import { claudeHook } from '../claude-hook/claude-hook.ts';
import type { Dialect } from '../dialect.ts';
import { addDevice } from '../../devices/admit.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { sweep } from '../../inquiries/expire.ts';
import { listForSource } from '../../inquiries/read.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { LEASE_MS, renewAwaited } from '../../inquiries/lease.ts';
import type { Step } from '../../platform/steps.ts';
import { AppError } from '#shared/problem.ts';
import { openNode, openScene, type Scene, type OpenPlace, ONE, call, many, times, testsOn } from './scene.ts';
import { DIALECTS } from '../all/dialects.ts';

const away = () => Promise.reject(new AppError(503, 'database.unavailable', 'The database cannot be reached.'));

async function leased(s: Scene): Promise<boolean> {
  const row = await s.p.database.read.selectFrom('inquiries').select(['lease_until', 'opened_at']).executeTakeFirst();
  return row?.lease_until != null && row.lease_until - row.opened_at < LEASE_MS;
}

/** What every framework may rely on that waits for its reply; the same on every engine. */
export function waitingContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);
  test('an ask waits with its headers sent and gives the framework its own reply', async (s) => {
    const asked = await s.begin(
      '/v1/ask/trial?agent=mailer&title=Mail&language=zh&deadline=60&to=owner&urgency=high&privacy=title',
      ONE,
    );
    const [inquiry] = await s.open(1);
    match(asked.headers.get('beckon-ask') ?? '', /^ask_[0-9a-z]{26}$/);
    const { title, context, dialect, to, urgency, privacy } = inquiry!;
    deepStrictEqual(
      [asked.status, asked.headers.get('beckon-inquiry'), { title, context, dialect, to, urgency, privacy }],
      [
        200,
        inquiry?.id,
        {
          title: 'Mail',
          context: { agent: 'mailer', language: 'zh' },
          dialect: { name: 'trial', label: 'Trial' },
          to: ['owner'],
          urgency: 'high',
          privacy: 'title',
        },
      ],
    );
    deepStrictEqual(Date.parse(inquiry!.deadlineAt) - Date.parse(inquiry!.openedAt), 60_000);
    await s.decide(inquiry!, 'approve');
    deepStrictEqual(await asked.body, { runs: [['c0', 'runs']] });
  });

  test('white space goes out at once and every 15 s, until there is the reply', async (s) => {
    s.t.mock.timers.enable({ apis: ['setInterval'] });
    const reply = await fetch(`${s.node.url}/v1/ask/trial`, {
      method: 'POST',
      headers: { authorization: `Bearer ${s.key}` },
      body: JSON.stringify(ONE),
    });
    const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
      new TextDecoder().decode((await reader.read()).value);
    const reader = reply.body!.getReader();
    const parts = [await read(reader)];
    for (let times = 0; times < 2; times++) {
      s.t.mock.timers.tick(15_000);
      parts.push(await read(reader));
    }
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    deepStrictEqual([...parts, await read(reader)], [' ', ' ', ' ', '{"runs":[["c0","runs"]]}']);
  });

  test('of a body of up to 4 MiB only what is asked and what the reply needs is stored', async ({ t, p }) => {
    const s = await openScene(t, p, DIALECTS);
    const value = {
      action_requests: [{ name: 'send', args: {} }],
      review_configs: [{ action_name: 'send', allowed_decisions: ['approve', 'reject'] }],
    };
    const result = (length: number) => ({ messages: ['x'.repeat(length)], __interrupt__: [{ id: 'i', value }] });
    const path = '/v1/ask/langgraph?wait=0';
    deepStrictEqual((await s.call('POST', path, result(4 * 1024 * 1024))).status, 413);
    deepStrictEqual((await s.call('POST', path, result(4 * 1024 * 1024 - 1000))).status, 202);
    const rows = await s.p.database.read.selectFrom('inquiries').selectAll().execute();
    deepStrictEqual([rows.length, JSON.stringify(rows).length < 3_000], [1, true]);
  });

  test('[DIA4] [door] a body is JSON whatever its content type says, and every digit of it stays', async (s) => {
    const body = '{"calls":[{"id":"a","name":"pay","args":{"cents":9007199254740993}}]}';
    const { asked, inquiry } = await s.ask('/v1/ask/trial', body, { 'content-type': 'text/plain;charset=UTF-8' });
    deepStrictEqual(JSON.stringify(inquiry.actions?.[0]?.args), '{"cents":9007199254740993}');
    await s.answer(inquiry, { decisions: [{ type: 'edit', argsText: '{"cents":9007199254740995}' }] });
    await asked.body;
    const later = await s.call('GET', `/v1/asks/${asked.headers.get('beckon-ask')}`);
    deepStrictEqual(later.text, '{"runs":[["a",{"cents":9007199254740995}]]}');
  });

  test('[DIA1] an end that no person decided says so, and runs nothing', async (s) => {
    const declined = await s.begin('/v1/ask/trial', ONE);
    const [first] = await s.open(1);
    await answerInquiry(s.p.inquiries, s.p.phone, first!.id, { outcome: 'declined', message: 'not today' });
    const expired = await s.begin('/v1/ask/trial?deadline=60', ONE);
    await s.open(1);
    await s.pass(61_000);
    const withdrawn = await s.begin('/v1/ask/trial', ONE);
    const [third] = await s.open(1);
    await s.call('POST', `/v1/inquiries/${third!.id}/withdraw`, { reason: 'changed my mind' });
    const replies = (await Promise.all([declined.body, expired.body, withdrawn.body])) as { runs: string[][] }[];
    const words = replies.map(({ runs }) => runs[0]?.[1] ?? '');
    match(words[0]!, /not today/);
    match(words[1]!, /deadline|nobody|No one/i);
    match(words[2]!, /changed my mind/);
    deepStrictEqual(await s.outcomes(), ['declined', 'expired', 'withdrawn']);
  });

  test('[DIA1] where the framework has no word for "no" it gets a problem with its status, and its next call asks anew', async (s) => {
    const body = { calls: [{ ...call('c0'), noWay: true }] };
    const { asked, inquiry } = await s.ask('/v1/ask/trial', body);
    await answerInquiry(s.p.inquiries, s.p.phone, inquiry.id, { outcome: 'declined' });
    const problem = (await asked.body) as Record<string, unknown>;
    deepStrictEqual([asked.status, problem['status'], problem['code']], [200, 409, 'ask.unanswered']);
    const later = await s.call('GET', `/v1/asks/${asked.headers.get('beckon-ask')}`);
    deepStrictEqual([later.status, later.body], [409, problem]);
    await s.begin('/v1/ask/trial', body);
    deepStrictEqual((await s.open(1))[0]?.id === inquiry.id, false);
  });

  test('a client that closes withdraws its ask after two seconds, one with a key after a minute', async (s) => {
    for (const [key, ms] of [
      [{}, 2_000],
      [{ 'idempotency-key': 'k' }, 60_000],
    ] as const) {
      const { asked, inquiry } = await s.ask('/v1/ask/trial', { calls: [call('c0'), call('b')] }, key);
      asked.leave();
      while (!(await leased(s))) await pause(5);
      await s.pass(ms - 1_000);
      deepStrictEqual((await s.open(1))[0]?.id, inquiry.id);
      await s.pass(1_100);
      await s.open(0);
      await s.p.database.transaction((trx) => trx.deleteFrom('inquiries').execute());
    }
  });

  test('a hub that stops ends its waits and leaves the question, which the same call finds', async (s) => {
    const asked = await s.begin('/v1/ask/trial', ONE);
    const hook = await s.begin('/v1/ask/trial-hook', { hook: true, ...ONE });
    await s.open(2);
    s.p.inquiries.waiters.stop();
    const problem = (await asked.body) as Record<string, unknown>;
    deepStrictEqual([problem['status'], problem['code']], [503, 'hub.stopping']);
    deepStrictEqual(await hook.body, { decision: 'block', reason: problem['detail'] });
    // The hook was told that nobody decided: its question does not stay.
    await s.pass(61_000);
    deepStrictEqual(
      (await s.open(1)).map(({ dialect }) => dialect?.name),
      ['trial'],
    );
  });

  test('a question whose call ended with an error does not stay for ever, nor do the other waits of its ask', async (s) => {
    const asked = await s.begin('/v1/ask/trial', many(21));
    const [first, second] = await s.open(2);
    const failing = s.t.mock.method(s.p.database, 'rows', () => Promise.reject(new Error('the server is restarting')));
    s.p.inquiries.signals.publish(first!.id);
    await asked.body;
    failing.mock.restore();
    await s.waiting(second!, 0);
    await s.pass(59_000);
    await s.open(2);
    await s.pass(2_000);
    await s.open(0);
  });

  test('a database that is away for a while ends no call that waits, and loses no answer', async (s) => {
    const asked = await s.begin('/v1/ask/trial', many(21));
    const [first, second] = await s.open(2);
    await s.waiting(second!, 1);
    const failing = s.t.mock.method(s.p.database, 'rows', away);
    s.p.inquiries.signals.publish(first!.id);
    while (failing.mock.callCount() === 0) await pause(5);
    failing.mock.restore();
    await s.decide(first!, ...times(20));
    // Nor is it lost where the database goes away between the answer and the reply.
    const { steps } = s.p.database;
    let refused = 0;
    s.t.mock.method(s.p.database, 'steps', ((work) => {
      const collects = work().next().value as Partial<Step>;
      const isFirst =
        collects.statements?.[0]?.sql.text.startsWith('update inquiries set collected_at') && refused++ === 0;
      return isFirst ? away() : steps(work);
    }) as typeof steps);
    await s.decide(second!, 'reject');
    const { runs } = (await asked.body) as { runs: string[][] };
    deepStrictEqual([refused, runs.map(([, end]) => end)], [2, [...Array(20).fill('runs'), 'rejected']]);
    deepStrictEqual(await s.outcomes(), ['answered', 'answered']);
  });

  test('a client that leaves while the database is away leaves no question behind', async (s) => {
    const { asked, inquiry } = await s.ask('/v1/ask/trial', ONE, { 'idempotency-key': 'k' });
    await s.waiting(inquiry!, 1);
    const failing = s.t.mock.method(s.p.database, 'steps', away);
    asked.leave();
    while (failing.mock.callCount() < 2) await pause(5);
    failing.mock.restore();
    while (!(await leased(s))) await pause(5);
    await s.pass(61_000);
    await s.open(0);
  });

  test('the question of a node that is gone is withdrawn after 75 s at the latest, that of a node which waits is not', async (s) => {
    const gone = await openNode(s.t, s.p, true);
    await s.begin('/v1/ask/trial', ONE, { node: gone.url });
    const waits = await s.begin('/v1/ask/trial', { calls: [call('b')] });
    const [first, second] = await s.open(2);
    while (gone.inquiries.waiters.count(first!.id) === 0) await pause(5);
    const third = { ...s.p.inquiries, waiters: createWaiters(localSignals()) };
    s.p.pass(14_000);
    await renewAwaited(s.p.inquiries);
    // Frozen for less than a minute, or away from its database, a node loses none of its questions to another one.
    s.p.pass(59_000);
    await sweep(third);
    await s.open(2);
    s.p.pass(2_000);
    await sweep(third);
    await s.open(1);
    // Whoever else reads it, and does not wait for it as long, leaves it to the call that does.
    const ask = waits.headers.get('beckon-ask');
    strictEqual((await s.call('GET', `/v1/asks/${ask}?wait=0.01`)).status, 202);
    const lease = s.p.database.read.selectFrom('inquiries').select('lease_until').where('id', '=', second!.id);
    notStrictEqual((await lease.executeTakeFirstOrThrow()).lease_until, null);
    await s.decide(second!, 'approve');
    deepStrictEqual(await waits.body, { runs: [['b', 'runs']] });
  });

  test('nothing of a body is held while its ask waits, but what is asked', async ({ t, p }) => {
    const bodies: WeakRef<object>[] = [];
    const read: Dialect['read'] = (body, query) => {
      bodies.push(new WeakRef(body as object));
      return claudeHook.read(body, query);
    };
    const s = await openScene(t, p, [{ ...claudeHook, read }]);
    const event = { session_id: 's', hook_event_name: 'PreToolUse', tool_use_id: 't' };
    await s.begin('/v1/ask/claude-hook', { ...event, tool_name: 'Bash', tool_input: { command: 'ls' } });
    await s.open(1);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    do {
      await pause(5);
      collect();
    } while (bodies.some((body) => body.deref() !== undefined));
    deepStrictEqual(bodies.length, 1);
  });

  test('an ask that does not wait gives its ids, its reply by its id, and can be taken back', async (s) => {
    const asked = await s.call('POST', '/v1/ask/trial?wait=0', ONE);
    const [inquiry] = await s.open(1);
    const { ask } = asked.body as { ask: string };
    const open = { ask, inquiries: [inquiry!.id] };
    deepStrictEqual([asked.status, asked.body], [202, open]);
    deepStrictEqual((await s.call('GET', `/v1/asks/${ask}?wait=soon`)).status, 422);
    const early = await s.call('GET', `/v1/asks/${ask}?wait=0.05`);
    deepStrictEqual([early.status, early.body], [202, open]);
    const waiting = s.call('GET', `/v1/asks/${ask}?wait=60`);
    await s.decide(inquiry!, 'reject');
    const reply = { status: 200, body: { runs: [['c0', 'rejected']] } };
    for (const { status, body } of [await waiting, await s.call('GET', `/v1/asks/${ask}`)])
      deepStrictEqual({ status, body }, reply);
    const late = await s.call('POST', `/v1/asks/${ask}/withdraw`, {});
    deepStrictEqual([late.status, (late.body as { code: string }).code], [409, 'ask.already_resolved']);

    const other = (await s.call('POST', '/v1/ask/trial?wait=0', ONE)).body as { ask: string };
    const back = await s.call('POST', `/v1/asks/${other.ask}/withdraw`, { reason: 'too late' });
    deepStrictEqual([back.status, back.body], [200, other]);
    deepStrictEqual((await s.call('POST', `/v1/asks/${other.ask}/withdraw`, {})).status, 200);
    match((await s.call('GET', `/v1/asks/${other.ask}`)).text, /too late/);

    const several = many(21);
    const parts = (await s.call('POST', '/v1/ask/trial?wait=0', several)).body as { ask: string };
    await s.decide((await s.open(2))[1]!, 'approve');
    deepStrictEqual((await s.call('POST', `/v1/asks/${parts.ask}/withdraw`, { reason: 'too late' })).body, parts);
    const { runs } = (await s.call('GET', `/v1/asks/${parts.ask}`)).body as { runs: string[][] };
    deepStrictEqual([runs.filter(([, end]) => /too late/.test(end!)).length, runs[20]], [20, ['c20', 'runs']]);
  });

  test('an ask is found by its own source alone, and a plain inquiry is none', async (s) => {
    const foreign = await s.p.ask({ prompt: 'Ship?' });
    const plain = (await s.call('POST', '/v1/inquiries', { prompt: 'Ship?' })).body as { id: string };
    for (const id of [foreign, plain.id].map((one) => `ask${one.slice(3)}`))
      deepStrictEqual((await s.call('GET', `/v1/asks/${id}`)).status, 404);
  });

  test('a person who was asked reads what went back, once it did', async (s) => {
    const { accessToken } = await addDevice(s.p.database, s.p.phone.personId, 'Tablet');
    const device = { authorization: `Bearer ${accessToken}` };
    const { asked, inquiry } = await s.ask('/v1/ask/trial', ONE);
    const path = `/v1/inquiries/${inquiry.id}/reply`;
    deepStrictEqual((await s.call('GET', path, undefined, device)).status, 404);
    await s.decide(inquiry, 'approve');
    await asked.body;
    deepStrictEqual((await s.call('GET', path, undefined, device)).body, { runs: [['c0', 'runs']] });
    deepStrictEqual((await s.call('GET', path)).status, 403);
  });

  test('a hook takes back what was decided elsewhere: one call, or all of its session', async (s) => {
    const body = (run: string, n: number) => ({ run, calls: [call('c0', { n })] });
    const asked = [];
    for (const [run, n] of [
      ['s1', 1],
      ['s1', 2],
      ['s2', 1],
      ['s2', 2],
    ] as const)
      asked.push(await s.begin('/v1/ask/trial', body(run, n)));
    await s.open(4);
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', { ...body('s1', 2), over: 's1' })).body, {});
    await s.open(3);
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', { over: 's2' })).body, {});
    const [left] = await s.open(1);
    deepStrictEqual(
      [left?.actions?.[0]?.args, await s.outcomes()],
      [{ n: 1 }, [undefined, ...Array(3).fill('withdrawn')]],
    );
    match(JSON.stringify(await asked[1]!.body), /decided elsewhere/);
  });

  for (const [name, words] of [
    ['claude-hook', 'No in the terminal, or Claude Code was ended there.'],
    ['codex-hook', 'Stopped in the terminal.'],
    ['gemini-hook', 'Stopped in the terminal.'],
  ] as const)
    test(`${name}: a hook that is gone takes its question back at once, and says what that means`, async ({ t, p }) => {
      const s = await openScene(t, p, DIALECTS);
      const hook_event_name = name === 'gemini-hook' ? 'BeforeTool' : 'PermissionRequest';
      const event = { session_id: 's', hook_event_name, tool_name: 'Bash', tool_input: { command: 'ls' } };
      const { asked, inquiry } = await s.ask(`/v1/ask/${name}`, event);
      await s.waiting(inquiry!, 1);
      asked.leave();
      // No clock was stepped, and nothing was swept.
      await s.open(0);
      const { items } = await listForSource(s.p.database.read, s.source.id, { limit: 1 });
      deepStrictEqual([items[0]?.resolution?.outcome, items[0]?.resolution?.message], ['withdrawn', words]);
    });

  test('what needs nobody is answered at once, and a notice is sent', async (s) => {
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', { free: true })).body, { runs: 'free' });
    deepStrictEqual((await s.call('POST', '/v1/ask/trial?urgency=high', { news: 'Done' })).body, {});
    const notices = await s.p.database.read.selectFrom('notices').select('title').execute();
    deepStrictEqual([notices, await s.outcomes()], [[{ title: 'Done' }], []]);
  });
}
