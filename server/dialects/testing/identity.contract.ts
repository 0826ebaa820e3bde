import { deepStrictEqual, notStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { forgetResolved } from '../../inquiries/expire.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { DIALECTS } from '../all/dialects.ts';
import type { Steps } from '../../platform/steps.ts';
import { openNode, openScene } from './scene.ts';
import { call } from './waiting.contract.ts';

const ONE = { calls: [call('call_0')] };
const RUNS = { runs: [['call_0', 'runs']] };

/** Which calls are the same and which are not; the same on every engine. */
export function identityContract(openOn: (t: TestContext) => Promise<Place>): void {
  test('[DIA2] a loop that asks the same three times, under one id, asks people three times', async (t) => {
    const s = await openScene(t, await openOn(t));
    for (const decision of ['approve', 'reject', 'approve'] as const) {
      const asked = await s.begin('/v1/ask/trial', ONE);
      const [inquiry] = await s.open(1);
      await s.decide(inquiry!, decision);
      await asked.body;
    }
    deepStrictEqual(await s.outcomes(), ['answered', 'answered', 'answered']);
  });

  test('[DIA2] the same body, sent again after a lost connection, finds its question and its answer', async (t) => {
    const s = await openScene(t, await openOn(t));
    const lost = await s.begin('/v1/ask/trial', ONE);
    const [inquiry] = await s.open(1);
    lost.leave();
    while (s.p.inquiries.waiters.count(inquiry!.id) > 0) await pause(5);
    const again = await s.begin('/v1/ask/trial', ONE);
    deepStrictEqual(again.headers.get('beckon-ask'), lost.headers.get('beckon-ask'));
    again.leave();
    while (s.p.inquiries.waiters.count(inquiry!.id) > 0) await pause(5);
    await s.decide(inquiry!, 'approve');
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', ONE)).body, RUNS);
    const next = await s.begin('/v1/ask/trial', ONE);
    notStrictEqual(next.headers.get('beckon-ask'), lost.headers.get('beckon-ask'));
  });

  test('[DIA2] two identical calls at the same time are two questions', async (t) => {
    const s = await openScene(t, await openOn(t));
    const calls = [await s.begin('/v1/ask/trial', ONE), await s.begin('/v1/ask/trial', ONE)];
    const [first, second] = await s.open(2);
    await s.decide(second!, 'reject');
    deepStrictEqual(await calls[1]!.body, { runs: [['call_0', 'rejected']] });
    await s.decide(first!, 'approve');
    deepStrictEqual(await calls[0]!.body, RUNS);
  });

  test('[DIA2] one approval is one reply, though the same call waits on two nodes', async (t) => {
    const s = await openScene(t, await openOn(t));
    const other = await openNode(t, s.p);
    const calls = [await s.begin('/v1/ask/trial', ONE), await s.begin('/v1/ask/trial', ONE, { node: other.url })];
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    const [again] = await s.open(1);
    notStrictEqual(again?.id, inquiry?.id);
    await s.decide(again!, 'reject');
    const replies = await Promise.all(calls.map(({ body }) => body));
    deepStrictEqual(replies.map((one) => JSON.stringify(one)).toSorted(), [
      '{"runs":[["call_0","rejected"]]}',
      JSON.stringify(RUNS),
    ]);
  });

  test('[DIA2] other ids or another body are another question', async (t) => {
    const s = await openScene(t, await openOn(t));
    await s.begin('/v1/ask/trial', ONE);
    await s.begin('/v1/ask/trial', { calls: [call('call_1')] });
    await s.begin('/v1/ask/trial', { calls: [call('call_0', { n: 2 })] });
    await s.open(3);
  });

  test('[ASK5] ids alone are no identity, nor are those of another run: each call asks anew', async (t) => {
    const s = await openScene(t, await openOn(t));
    const asked: string[] = [];
    for (const body of [{ run: '', ...ONE }, { run: '', ...ONE }, { run: 'other', ...ONE }, ONE]) {
      const lost = await s.begin('/v1/ask/trial', body);
      const inquiry = (await s.open(asked.length + 1)).at(-1);
      asked.push(inquiry!.id);
      lost.leave();
      while (s.p.inquiries.waiters.count(inquiry!.id) > 0) await pause(5);
      await s.p.inquiries.database.transaction((trx) =>
        trx.updateTable('inquiries').set({ lease_until: null }).execute(),
      );
    }
    deepStrictEqual(new Set(asked).size, 4);
    await s.begin('/v1/ask/trial', ONE);
    await s.open(4);
  });

  test('[ASK2] a key gives the same ask and the same reply for ever, and belongs to one body', async (t) => {
    const s = await openScene(t, await openOn(t));
    const key = { 'idempotency-key': 'run-7' };
    const asked = await s.begin('/v1/ask/trial', ONE, key);
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    deepStrictEqual(await asked.body, RUNS);
    s.p.pass(3_600_000);
    const again = await s.call('POST', '/v1/ask/trial', ONE, key);
    deepStrictEqual([again.body, again.headers.get('beckon-inquiry')], [RUNS, inquiry!.id]);
    for (const body of [{ calls: [call('call_1')] }, { calls: [call('call_0', { n: 2 })] }]) {
      const { status, body: problem } = await s.call('POST', '/v1/ask/trial', body, key);
      deepStrictEqual([status, (problem as { code: string }).code], [409, 'inquiry.key_reused']);
    }
    deepStrictEqual(await s.outcomes(), ['answered']);
  });

  test('[ASK2] the same body with its members in another order is the same ask', async (t) => {
    const s = await openScene(t, await openOn(t), DIALECTS);
    const options = [
      { label: 'A', description: 'a' },
      { label: 'B', description: 'b' },
    ];
    const question = { question: 'Which?', header: 'One', multiSelect: false, options };
    const turned = Object.fromEntries(Object.entries(question).toReversed());
    const [first, again] = [question, turned].map((one) => ({
      toolName: 'AskUserQuestion',
      input: { questions: [one] },
      options: { toolUseID: 'toolu_1' },
    }));
    const post = (body: unknown) => s.call('POST', '/v1/ask/claude?wait=0', body, { 'idempotency-key': 'k' });
    const { status, body } = await post(first);
    deepStrictEqual([status, (await post(again)).body], [202, body]);
  });

  test('[DIA1] what was taken back in part is no reply to the next same call', async (t) => {
    const s = await openScene(t, await openOn(t));
    const body = { calls: Array.from({ length: 21 }, (_, at) => call(`c${at}`)) };
    const lost = await s.begin('/v1/ask/trial', body);
    const [first, second] = await s.open(2);
    await s.decide(first!, ...Array.from({ length: 20 }, () => 'approve' as const));
    lost.leave();
    while (s.p.inquiries.waiters.count(second!.id) > 0) await pause(5);
    await s.call('POST', `/v1/inquiries/${second!.id}/withdraw`, {});
    const again = await s.begin('/v1/ask/trial', body);
    notStrictEqual(again.headers.get('beckon-ask'), lost.headers.get('beckon-ask'));
    await s.open(2);
  });

  test('[ASK2] the keys of two calls never meet, however many inquiries one of them is', async (t) => {
    const s = await openScene(t, await openOn(t));
    const body = { calls: Array.from({ length: 21 }, (_, at) => call(`c${at}`)) };
    await s.begin('/v1/ask/trial', body, { 'idempotency-key': 'x' });
    deepStrictEqual((await s.begin('/v1/ask/trial', ONE, { 'idempotency-key': '1 x' })).status, 200);
    await s.open(3);
  });

  test('[DIA2] a call without a key that does not wait is a question of its own', async (t) => {
    const s = await openScene(t, await openOn(t));
    await s.call('POST', '/v1/ask/trial?wait=0', ONE);
    await s.call('POST', '/v1/ask/trial?wait=0', ONE);
    await s.open(2);
    const key = { 'idempotency-key': 'k' };
    const first = await s.call('POST', '/v1/ask/trial?wait=0', ONE, key);
    deepStrictEqual((await s.call('POST', '/v1/ask/trial?wait=0', ONE, key)).body, first.body);
    await s.open(3);
  });

  test('the inquiries of one ask are forgotten together', async (t) => {
    const s = await openScene(t, await openOn(t));
    const body = { calls: Array.from({ length: 21 }, (_, at) => call(`c${at}`)) };
    const { ask } = (await s.call('POST', '/v1/ask/trial?wait=0&deadline=2500000', body)).body as { ask: string };
    const [first, second] = await s.open(2);
    await s.decide(first!, ...Array.from({ length: 20 }, () => 'approve' as const));
    s.p.pass(20 * DAY_MS);
    deepStrictEqual(await forgetResolved(s.p.database, 10), 0);
    await s.decide(second!, 'approve');
    s.p.pass(5 * DAY_MS);
    deepStrictEqual(await forgetResolved(s.p.database, 10), 0);
    deepStrictEqual((await s.call('GET', `/v1/asks/${ask}`)).status, 200);
    s.p.pass(6 * DAY_MS);
    deepStrictEqual(await forgetResolved(s.p.database, 10), 2);
  });

  test('an ask of several inquiries locks its people once, in its last step, and raises their versions one by one', async (t) => {
    const s = await openScene(t, await openOn(t));
    const body = { calls: Array.from({ length: 100 }, (_, at) => call(`c${at}`)) };
    s.p.inquiries.openLimit = 4;
    deepStrictEqual((await s.call('POST', '/v1/ask/trial?wait=0', body)).status, 429);
    s.p.inquiries.openLimit = 5;
    const { steps } = s.p.database;
    const taken: string[][] = [];
    t.mock.method(s.p.database, 'steps', (<T>(work: () => Steps<T>) =>
      steps(function* (): Steps<T> {
        const inside = work();
        let next = inside.next([]);
        while (!next.done) {
          taken.push(next.value.statements.map(({ sql }) => sql.text));
          next = inside.next(yield next.value);
        }
        return next.value;
      })) as typeof steps);
    await s.call('POST', '/v1/ask/trial?wait=0', body);
    const raises = (texts: string[]) => texts.filter((text) => text.startsWith('update people set version')).length;
    deepStrictEqual([taken.length < 5, taken.map(raises).filter((count) => count > 0)], [true, [5]]);
    deepStrictEqual(raises(taken.at(-1)!), 5);
    const [versions] = [s.p.news.map((one) => one.versions[0]?.version ?? 0)];
    deepStrictEqual(
      versions,
      Array.from({ length: 5 }, (_, at) => versions[0]! + at),
    );
  });

  test('more than 20 calls are several inquiries of one group with one reply, and a retry finds all of them', async (t) => {
    const s = await openScene(t, await openOn(t));
    const body = { calls: Array.from({ length: 45 }, (_, at) => call(`c${at}`)) };
    for (const key of [{}, { 'idempotency-key': 'k' }] as const) {
      const lost = await s.begin('/v1/ask/trial', body, key);
      const inquiries = await s.open(3);
      const ask = lost.headers.get('beckon-ask');
      deepStrictEqual(
        inquiries.map(({ group, actions }) => [group, actions?.length]),
        [20, 20, 5].map((length) => [ask, length]),
      );
      deepStrictEqual(lost.headers.get('beckon-inquiry'), inquiries.map(({ id }) => id).join(','));
      await s.decide(inquiries[0]!, ...Array.from({ length: 20 }, () => 'approve' as const));
      lost.leave();
      for (const { id } of inquiries) while (s.p.inquiries.waiters.count(id) > 0) await pause(5);
      // The first one was answered long ago; the ask is as old as its last answer.
      s.p.pass(61_000);
      const again = await s.begin('/v1/ask/trial', body, key);
      deepStrictEqual(again.headers.get('beckon-inquiry'), lost.headers.get('beckon-inquiry'));
      await s.decide(inquiries[2]!, ...Array.from({ length: 5 }, () => 'reject' as const));
      await s.decide(inquiries[1]!, ...Array.from({ length: 20 }, () => 'approve' as const));
      deepStrictEqual(await again.body, {
        runs: body.calls.map(({ id }, at) => [id, at < 40 ? 'runs' : 'rejected']),
      });
      await s.open(0);
    }
    const fewer = { calls: [...body.calls.slice(0, 44), call('c44', { n: 2 })] };
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', fewer, { 'idempotency-key': 'k' })).status, 409);
  });
}
