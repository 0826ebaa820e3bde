import { deepStrictEqual } from 'node:assert/strict';
import { pino } from 'pino';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Rule, When } from '#shared/policies/rule.ts';
import { putPolicies } from '../../automation/rules/change.ts';
import { createDispatcher } from '../../deliveries/dispatch.ts';
import { changeSource } from '../../sources/change.ts';
import { readForSource } from '../../inquiries/read.ts';
import { openNode, type Scene, type OpenPlace, many, times, call, testsOn } from './scene.ts';

type Sent = {
  url: string;
  type: string;
  data: Pick<Inquiry, 'id' | 'resolution'>;
  reply?: { ask: string; dialect: string; body: unknown };
};

async function sent({ p }: Scene): Promise<Sent[]> {
  const rows = await p.database.read.selectFrom('deliveries').select(['url', 'body']).orderBy('id').execute();
  return rows.map(({ url, body }) => ({ url, ...(JSON.parse(body) as Omit<Sent, 'url'>) }));
}

const CALLBACK = 'https://agent.example/resume';
const path = `/v1/ask/trial?wait=0&callback=${encodeURIComponent(CALLBACK)}`;

/** How a suspended run hears of its reply; the same on every engine. */
export function webhooksContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);
  test('the webhook of what completes an ask carries the reply of its framework, to the address of this ask alone', async (s) => {
    const { ask } = (await s.call('POST', path, many(1))).body as { ask: string };
    await s.call('POST', '/v1/ask/trial?wait=0', many(1));
    const inquiries = await s.open(2);
    for (const inquiry of inquiries) await s.decide(inquiry, 'approve');
    deepStrictEqual(
      (await sent(s)).map(({ url, type, data, reply }) => [url, type, data.id, reply]),
      [[CALLBACK, 'inquiry.resolved', inquiries[0]!.id, { ask, dialect: 'trial', body: { runs: [['c0', 'runs']] } }]],
    );
  });

  test('[RES4] the text of a source is what its webhook, the reply of its framework and a read of it say', async (s) => {
    await changeSource(s.p.database, s.source.id, { texts: { expired: '“{title}” ran out at {deadline}.' } });
    const { ask } = (await s.call('POST', `${path}&deadline=60`, many(1))).body as { ask: string };
    const [inquiry] = await s.open(1);
    await s.pass(61_000);
    const text = `“${inquiry!.title}” ran out at ${inquiry!.deadlineAt}.`;
    const [hook] = await sent(s);
    const read = (await s.call('GET', `/v1/inquiries/${inquiry!.id}`)).body as Inquiry;
    deepStrictEqual(
      [hook?.data.resolution?.text, hook?.reply?.body, (await s.call('GET', `/v1/asks/${ask}`)).body, read.resolution],
      [text, { runs: [['c0', text]] }, { runs: [['c0', text]] }, hook?.data.resolution],
    );
  });

  test('[RES6] [DIA1] a late answer changes no reply, and its webhook carries none', async (s) => {
    const { ask } = (await s.call('POST', `${path}&deadline=60`, many(1))).body as { ask: string };
    const [inquiry] = await s.open(1);
    await s.pass(61_000);
    const { text } = await s.call('GET', `/v1/asks/${ask}`);
    await s.answer(inquiry!, { decisions: [{ type: 'approve' }], late: true });
    deepStrictEqual((await s.call('GET', `/v1/asks/${ask}`)).text, text);
    const { late } = (await s.call('GET', `/v1/inquiries/${inquiry!.id}`)).body as Inquiry;
    deepStrictEqual(
      late?.map(({ answer }) => answer),
      [{ decisions: [{ type: 'approve' }] }],
    );
    deepStrictEqual(
      (await sent(s)).map(({ type, reply }) => [type, reply]),
      [
        ['inquiry.resolved', { ask, dialect: 'trial', body: JSON.parse(text) }],
        ['inquiry.late_answer', undefined],
      ],
    );
  });

  test('of several inquiries the last one to be resolved brings the reply, however it ends', async (s) => {
    const { ask } = (await s.call('POST', `${path}&deadline=60`, many(41))).body as { ask: string };
    const [first, second, third] = await s.open(3);
    await s.decide(third!, ...times(1));
    await s.decide(first!, ...times(20));
    deepStrictEqual(
      (await sent(s)).map(({ reply }) => reply),
      [undefined, undefined],
    );
    await s.pass(61_000);
    const last = (await sent(s)).at(-1)!;
    const { body } = await s.call('GET', `/v1/asks/${ask}`);
    deepStrictEqual([last.data.id, last.reply], [second!.id, { ask, dialect: 'trial', body }]);
  });

  test('of two that are resolved at the same moment one brings the reply', async (s) => {
    for (let round = 1; round <= 5; round++) {
      await s.call('POST', path, many(21));
      const [first, second] = await s.open(2);
      await Promise.all([s.decide(first!, ...times(20)), s.decide(second!, ...times(1))]);
      deepStrictEqual((await sent(s)).filter(({ reply }) => reply !== undefined).length, round);
    }
  });

  test('[ASK5] a delivered webhook leaves the reply to the call that waits for it', async (s) => {
    const { database, inquiries } = s.p;
    const other = await openNode(s.t, s.p, true);
    const post = async () => ({ status: 200, ms: 1 });
    const dispatcher = createDispatcher({ database, log: pino({ level: 'silent' }), post });
    s.t.after(() => dispatcher.stop());
    const waiting = `/v1/ask/trial?callback=${encodeURIComponent(CALLBACK)}`;

    const asked = await s.begin(waiting, many(21));
    const [first, second] = await s.open(2);
    await s.decide(first!, ...times(20));
    await dispatcher.runDue();
    // Nor is the reply used up by whoever reads a part of it.
    await s.call('GET', `/v1/inquiries/${first!.id}`);
    await inquiries.collected.stop();
    await s.decide(second!, 'approve');
    deepStrictEqual(await asked.body, { runs: many(21).calls.map(({ id }) => [id, 'runs']) });

    const { asked: one, inquiry } = await s.ask(waiting, many(1), { node: other.url });
    await s.decide(inquiry!, 'approve');
    await dispatcher.runDue();
    const { resolution, ...read } = await readForSource(inquiries, inquiry!.id, s.source.id);
    other.inquiries.waiters.hand(inquiry!.id, { ...read, resolution: resolution! });
    deepStrictEqual(await one.body, { runs: [['c0', 'runs']] });
    const states = await database.read.selectFrom('deliveries').select('state').execute();
    deepStrictEqual(states, Array(3).fill({ state: 'delivered' }));
  });

  test('[DIA1] where the framework has no word for "no", the webhook carries the problem', async (s) => {
    const { ask } = (await s.call('POST', path, { calls: [{ ...call('a'), noWay: true }] })).body as { ask: string };
    await s.call('POST', `/v1/asks/${ask}/withdraw`, {});
    const { status, body } = await s.call('GET', `/v1/asks/${ask}`);
    deepStrictEqual([status, (await sent(s)).map(({ reply }) => reply?.body)], [409, [body]]);
  });

  test('[POL5] rules that settle all of an ask bring one reply, and one that settles a part leaves the rest to people', async (s) => {
    const { database, phone } = s.p;
    const put = (version: number, when: When) => {
      const rules = [{ name: 'r', when, then: 'approve' } as Rule];
      return putPolicies(database, { of: 'hub', personId: phone.personId }, { version, rules }, phone.deviceId);
    };
    const ran = (count: number) => ({ runs: Array.from({ length: count }, (_, at) => [`c${at}`, 'runs']) });
    await put(0, { dialect: 'trial', kind: 'actions' });
    deepStrictEqual((await s.call('POST', '/v1/ask/trial', many(45))).body, ran(45));
    await s.call('POST', path, many(45));
    const replies = async () => (await sent(s)).map(({ reply }) => reply?.body);
    deepStrictEqual(await replies(), [undefined, undefined, ran(45)]);
    // The first inquiry of an ask has 20 calls, the second one the other.
    await put(1, { dialect: 'trial', args: { '/last': { equals: true } } });
    const { calls } = many(21);
    const body = { calls: calls.map((one, at) => (at === 20 ? { ...one, args: { last: true } } : one)) };
    await s.call('POST', path, body);
    const [rest] = await s.open(1);
    await s.answer(rest!, { decisions: times(20).map((type) => ({ type })) });
    deepStrictEqual((await replies()).slice(3), [undefined, ran(21)]);
  });
}
