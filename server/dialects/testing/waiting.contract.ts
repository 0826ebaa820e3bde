import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Place } from '../../inquiries/testing/place.ts';
import { openScene } from './scene.ts';

export const call = (id: string, args: unknown = { n: 1 }) => ({ id, name: 'send_mail', args });

/** What every framework may rely on that waits for its reply; the same on every engine. */
export function waitingContract(openOn: (t: TestContext) => Promise<Place>): void {
  test('an ask waits with its headers sent and gives the framework its own reply', async (t) => {
    const s = await openScene(t, await openOn(t));
    const asked = await s.begin('/v1/ask/trial?agent=mailer&title=Mail', { calls: [call('a')] });
    const [inquiry] = await s.open(1);
    match(asked.headers.get('beckon-ask') ?? '', /^ask_[0-9a-z]{26}$/);
    deepStrictEqual(
      [asked.status, asked.headers.get('beckon-inquiry'), inquiry?.title, inquiry?.context, inquiry?.dialect],
      [200, inquiry?.id, 'Mail', { agent: 'mailer' }, { name: 'trial', label: 'Trial' }],
    );
    await s.decide(inquiry!, 'approve');
    deepStrictEqual(await asked.body, { runs: [['a', 'runs']] });
  });

  test('a body counts as JSON whatever its content type says, and every digit of it comes back', async (t) => {
    const s = await openScene(t, await openOn(t));
    const asked = await s.begin(
      '/v1/ask/trial',
      '{"calls":[{"id":"a","name":"pay","args":{"cents":9007199254740993}}]}',
      {
        'content-type': 'text/plain;charset=UTF-8',
      },
    );
    const [inquiry] = await s.open(1);
    deepStrictEqual(JSON.stringify(inquiry?.actions?.[0]?.args), '{"cents":9007199254740993}');
    await s.answer(inquiry!, { decisions: [{ type: 'edit', argsText: '{"cents":9007199254740995}' }] });
    ok(await asked.body);
  });
}
