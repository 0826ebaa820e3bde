import { deepStrictEqual, notStrictEqual } from 'node:assert/strict';
import { forgetResolved } from '../../inquiries/expire.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Steps } from '../../platform/steps.ts';
import { openNode, ran, type OpenPlace, ONE, call, many, times, testsOn, openScene } from './scene.ts';
import { DIALECTS } from '../all/dialects.ts';

const RUNS = ran(1);

/** Which calls are the same and which are not; the same on every engine. */
export function identityContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);
  test('[DIA2] a loop that asks the same three times, under one id, asks people three times', async (s) => {
    for (const decision of ['approve', 'reject', 'approve'] as const) {
      const { asked, inquiry } = await s.ask('/v1/ask/trial', ONE);
      await s.decide(inquiry, decision);
      await asked.body;
    }
    deepStrictEqual(await s.outcomes(), ['answered', 'answered', 'answered']);
  });

  test('[DIA2] the same body, sent again after a lost connection, finds its question and its answer', async (s) => {
    const { asked: lost, inquiry } = await s.ask('/v1/ask/trial', ONE);
    lost.leave();
    await s.waiting(inquiry!, 0);
    const again = await s.begin('/v1/ask/trial', ONE);
    deepStrictEqual(again.headers.get('beckon-ask'), lost.headers.get('beckon-ask'));
    again.leave();
    await s.waiting(inquiry!, 0);
    await s.decide(inquiry!, 'approve');
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', ONE)).body, RUNS);
    const next = await s.begin('/v1/ask/trial', ONE);
    notStrictEqual(next.headers.get('beckon-ask'), lost.headers.get('beckon-ask'));
  });

  test('[DIA2] two identical calls at the same time are two questions', async (s) => {
    const calls = [await s.begin('/v1/ask/trial', ONE), await s.begin('/v1/ask/trial', ONE)];
    const [first, second] = await s.open(2);
    await s.decide(second!, 'reject');
    deepStrictEqual(await calls[1]!.body, { runs: [['c0', 'rejected']] });
    await s.decide(first!, 'approve');
    deepStrictEqual(await calls[0]!.body, RUNS);
  });

  test('[DIA2] one approval is one reply, though the same call waits on two nodes', async (s) => {
    const other = await openNode(s.t, s.p);
    const calls = [await s.begin('/v1/ask/trial', ONE), await s.begin('/v1/ask/trial', ONE, { node: other.url })];
    const [inquiry] = await s.open(1);
    await s.decide(inquiry!, 'approve');
    const [again] = await s.open(1);
    notStrictEqual(again?.id, inquiry?.id);
    await s.decide(again!, 'reject');
    const replies = await Promise.all(calls.map(({ body }) => body));
    deepStrictEqual(replies.map((one) => JSON.stringify(one)).toSorted(), [
      '{"runs":[["c0","rejected"]]}',
      JSON.stringify(RUNS),
    ]);
  });

  test('[DIA2] other ids or another body are another question', async (s) => {
    const bodies = [ONE, { calls: [call('c1')] }, { calls: [call('c0', { n: 2 })] }];
    const asked: string[] = [];
    for (const body of bodies) {
      const lost = await s.begin('/v1/ask/trial', body);
      const id = lost.headers.get('beckon-inquiry') ?? '';
      asked.push(id);
      // Beside a call that waits, each is a question of its own anyway.
      lost.leave();
      await s.waiting({ id }, 0);
    }
    deepStrictEqual(new Set(asked).size, bodies.length);
  });

  test('[ASK5] ids alone are no identity, nor are those of another run: each call asks anew', async (s) => {
    const asked: string[] = [];
    for (const body of [{ run: '', ...ONE }, { run: '', ...ONE }, { run: 'other', ...ONE }, ONE]) {
      const lost = await s.begin('/v1/ask/trial', body);
      const inquiry = (await s.open(asked.length + 1)).at(-1);
      asked.push(inquiry!.id);
      lost.leave();
      await s.waiting(inquiry!, 0);
      await s.p.inquiries.database.transaction((trx) =>
        trx.updateTable('inquiries').set({ lease_until: null }).execute(),
      );
    }
    deepStrictEqual(new Set(asked).size, 4);
    await s.begin('/v1/ask/trial', ONE);
    await s.open(4);
  });

  test('[ASK2] a key gives the same ask and the same reply for ever, and belongs to one body', async (s) => {
    const key = { 'idempotency-key': 'run-7' };
    const { asked, inquiry } = await s.ask('/v1/ask/trial', ONE, key);
    await s.decide(inquiry, 'approve');
    deepStrictEqual(await asked.body, RUNS);
    s.p.pass(3_600_000);
    const again = await s.call('POST', '/v1/ask/trial', ONE, key);
    deepStrictEqual([again.body, again.headers.get('beckon-inquiry')], [RUNS, inquiry.id]);
    for (const body of [{ calls: [call('c1')] }, { calls: [call('c0', { n: 2 })] }]) {
      const { status, body: problem } = await s.call('POST', '/v1/ask/trial', body, key);
      deepStrictEqual([status, (problem as { code: string }).code], [409, 'inquiry.key_reused']);
    }
    deepStrictEqual(await s.outcomes(), ['answered']);
  });

  test('[ASK2] the same body with its members in another order is the same ask', async ({ t, p }) => {
    const s = await openScene(t, p, DIALECTS);
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

  test('[DIA1] what was taken back in part is no reply to the next same call', async (s) => {
    const body = many(21);
    const lost = await s.begin('/v1/ask/trial', body);
    const [first, second] = await s.open(2);
    await s.decide(first!, ...times(20));
    lost.leave();
    await s.waiting(second!, 0);
    await s.call('POST', `/v1/inquiries/${second!.id}/withdraw`, {});
    const again = await s.begin('/v1/ask/trial', body);
    notStrictEqual(again.headers.get('beckon-ask'), lost.headers.get('beckon-ask'));
    await s.open(2);
  });

  test('[ASK2] the keys of two calls never meet, however many inquiries one of them is', async (s) => {
    const body = many(21);
    await s.begin('/v1/ask/trial', body, { 'idempotency-key': 'x' });
    deepStrictEqual((await s.begin('/v1/ask/trial', ONE, { 'idempotency-key': '1 x' })).status, 200);
    await s.open(3);
  });

  test('[DIA2] a call without a key that does not wait is a question of its own', async (s) => {
    await s.call('POST', '/v1/ask/trial?wait=0', ONE);
    await s.call('POST', '/v1/ask/trial?wait=0', ONE);
    await s.open(2);
    const key = { 'idempotency-key': 'k' };
    const first = await s.call('POST', '/v1/ask/trial?wait=0', ONE, key);
    deepStrictEqual((await s.call('POST', '/v1/ask/trial?wait=0', ONE, key)).body, first.body);
    await s.open(3);
  });

  test('the inquiries of one ask are forgotten together', async (s) => {
    const body = many(21);
    const { ask } = (await s.call('POST', '/v1/ask/trial?wait=0&deadline=2500000', body)).body as { ask: string };
    const [first, second] = await s.open(2);
    await s.decide(first!, ...times(20));
    s.p.pass(20 * DAY_MS);
    deepStrictEqual(await forgetResolved(s.p.database, 10), 0);
    await s.decide(second!, 'approve');
    s.p.pass(5 * DAY_MS);
    deepStrictEqual(await forgetResolved(s.p.database, 10), 0);
    deepStrictEqual((await s.call('GET', `/v1/asks/${ask}`)).status, 200);
    s.p.pass(6 * DAY_MS);
    deepStrictEqual(await forgetResolved(s.p.database, 10), 2);
  });

  test('an ask of several inquiries locks its people once, in its last step, and raises their versions one by one', async (s) => {
    const body = many(100);
    s.p.inquiries.openLimit = 4;
    deepStrictEqual((await s.call('POST', '/v1/ask/trial?wait=0', body)).status, 429);
    s.p.inquiries.openLimit = 5;
    const { steps } = s.p.database;
    const taken: string[][] = [];
    s.t.mock.method(s.p.database, 'steps', (<T>(work: () => Steps<T>) =>
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

  test('more than 20 calls are several inquiries of one group with one reply, and a retry finds all of them', async (s) => {
    const body = many(45);
    for (const key of [{}, { 'idempotency-key': 'k' }] as const) {
      const lost = await s.begin('/v1/ask/trial', body, key);
      const inquiries = await s.open(3);
      const ask = lost.headers.get('beckon-ask');
      deepStrictEqual(
        inquiries.map(({ group, actions }) => [group, actions?.length]),
        [20, 20, 5].map((length) => [ask, length]),
      );
      deepStrictEqual(lost.headers.get('beckon-inquiry'), inquiries.map(({ id }) => id).join(','));
      await s.decide(inquiries[0]!, ...times(20));
      lost.leave();
      for (const one of inquiries) await s.waiting(one, 0);
      // The first one was answered long ago; the ask is as old as its last answer.
      s.p.pass(61_000);
      const again = await s.begin('/v1/ask/trial', body, key);
      deepStrictEqual(again.headers.get('beckon-inquiry'), lost.headers.get('beckon-inquiry'));
      await s.decide(inquiries[2]!, ...times(5, 'reject'));
      await s.decide(inquiries[1]!, ...times(20));
      deepStrictEqual(await again.body, {
        runs: body.calls.map(({ id }, at) => [id, at < 40 ? 'runs' : 'rejected']),
      });
      await s.open(0);
    }
    const fewer = { calls: [...body.calls.slice(0, 44), call('c44', { n: 2 })] };
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', fewer, { 'idempotency-key': 'k' })).status, 409);
  });

  test('[DIA1] the clock steps back while an ask of 45 calls is stored, and each call gets its own decision', async (s) => {
    const { settling } = s.p.inquiries;
    const lookUp: typeof settling.lookUp = (...asked) => {
      s.p.pass(-1_000);
      return settling.lookUp(...asked);
    };
    s.p.inquiries.settling = { ...settling, lookUp };
    const asked = await s.begin('/v1/ask/trial', many(45));
    const [first, second, third] = await s.open(3);
    await s.decide(first!, ...times(20));
    await s.decide(second!, ...times(20, 'reject'));
    await s.decide(third!, ...times(5));
    deepStrictEqual(await asked.body, {
      runs: many(45).calls.map(({ id }, at) => [id, at < 20 || at >= 40 ? 'runs' : 'rejected']),
    });
  });
}
