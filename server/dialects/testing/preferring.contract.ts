import { deepStrictEqual } from 'node:assert/strict';
import type { Inquiry } from '#shared/inquiry.ts';
import { testsOn, type OpenPlace, type Reply, ONE, ran } from './scene.ts';

/** What a reply says of how long its call waited, and where the next one is sent. */
const said = ({ status, headers }: Pick<Reply, 'status' | 'headers'>) =>
  [status, ...['preference-applied', 'location', 'retry-after'].map((name) => headers.get(name))] as const;
const prefer = (header: string) => ({ prefer: header });
const NOTHING = [null, null, null] as const;

/** What `Prefer: wait` (RFC 7240) changes in each call that can wait; the same on every engine. */
export function preferringContract(openOn: OpenPlace): void {
  const test = testsOn(openOn);

  test('a preferred wait that ends undecided is 202 with where to go on, and one that is decided has its usual status', async (s) => {
    const asked = await s.call('POST', '/v1/inquiries', { prompt: 'Ship?' }, prefer('respond-async, wait=0, wait=9'));
    const inquiry = asked.body as Inquiry;
    const at = `/v1/inquiries/${inquiry.id}`;
    const undecided = [202, 'wait=0', at, '1'];
    deepStrictEqual([said(asked), inquiry.state], [undecided, 'open']);
    const headed = await s.call('HEAD', at, undefined, prefer('wait=0'));
    deepStrictEqual([said(await s.call('GET', at, undefined, prefer('wait=0'))), said(headed)], [undecided, undecided]);
    // A header that says nothing, and an address that says it too: the statuses without it.
    deepStrictEqual(said(await s.call('GET', at, undefined, prefer('wait=soon, return=minimal'))), [200, ...NOTHING]);
    deepStrictEqual(said(await s.call('GET', `${at}?wait=0s`, undefined, prefer('wait=9'))), [200, ...NOTHING]);
    deepStrictEqual((await s.call('GET', `${at}?wait=9x`, undefined, prefer('wait=9'))).status, 422);

    const waiting = s.call('GET', at, undefined, prefer('wait=3600'));
    await s.answer(inquiry, { text: 'yes' });
    deepStrictEqual(said(await waiting), [200, 'wait=50', null, null]);
    const again = await s.call('GET', at, undefined, prefer('wait=9'));
    deepStrictEqual([said(again), again.body], [[200, 'wait=9', null, null], (await waiting).body]);
  });

  test('a hub that stops ends a preferred wait as undecided, and keeps the question', async (s) => {
    const asked = s.call('POST', '/v1/inquiries', { prompt: 'Ship?' }, prefer('wait=30'));
    const [inquiry] = await s.open(1);
    s.node.inquiries.waiters.stop();
    deepStrictEqual(said(await asked), [202, 'wait=30', `/v1/inquiries/${inquiry?.id}`, '1']);
    await s.open(1);
  });

  test('an ask of a framework takes both: 202 with its ids, found again by the same call, its own reply once decided', async (s) => {
    const first = await s.call('POST', '/v1/ask/trial', ONE, prefer('wait=0'));
    const other = await s.call('POST', '/v1/ask/trial?wait=0.02', ONE);
    const { ask, inquiries } = other.body as { ask: string; inquiries: string[] };
    deepStrictEqual(
      [said(first).slice(0, 2), said(other)],
      [
        [202, 'wait=0'],
        [202, ...NOTHING],
      ],
    );
    await s.open(2);
    // Its lease has ended: nobody has to wait for it.
    await s.pass(600_000);
    const waiting = s.call('POST', '/v1/ask/trial', ONE, prefer('wait=40'));
    const reading = s.call('GET', `/v1/asks/${ask}`, undefined, prefer('wait=40'));
    const again = await s.call('GET', `/v1/asks/${ask}`, undefined, prefer('wait=0'));
    deepStrictEqual(said(again), [202, 'wait=0', `/v1/asks/${ask}`, '1']);
    const mine = (await s.open(2)).find(({ id }) => id === inquiries[0]);
    await s.decide(mine!, 'approve');
    for (const reply of [await waiting, await reading])
      deepStrictEqual([said(reply), reply.body], [[200, 'wait=40', null, null], ran(1)]);
  });

  test('[DIA1] what a bounded wait cannot reply is refused with its status, and a hook is hurried by nothing', async (s) => {
    const body = { calls: [{ id: 'c0', name: 'send_mail', args: {}, noWay: true }] };
    const asked = s.call('POST', '/v1/ask/trial', body, prefer('wait=40'));
    const [inquiry] = await s.open(1);
    await s.answer(inquiry!, { outcome: 'declined' });
    deepStrictEqual([(await asked).status, ((await asked).body as { code: string }).code], [409, 'ask.unanswered']);

    const hook = await s.begin('/v1/ask/trial-hook', { hook: true, ...ONE }, prefer('wait=0'));
    const [held] = await s.open(1);
    await s.decide(held!, 'approve');
    deepStrictEqual([said(hook), JSON.stringify(await hook.body).includes('runs')], [[200, ...NOTHING], true]);
  });
}
