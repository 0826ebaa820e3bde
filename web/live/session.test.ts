import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Me } from '#shared/wire.ts';
import { me, meEvents, readMe } from './session.ts';

const called = (name: string) => ({ person: { name }, preferences: {}, device: {} }) as unknown as Me;

test('what the hub tells while a page reads who its person is is not undone by an older reply', async (t: TestContext) => {
  const replies = [called('Mara'), called('Marta')];
  t.mock.method(globalThis, 'fetch', async () => {
    const reply = replies.shift();
    if (replies.length > 0) meEvents.me(called('Marta'));
    return Response.json(reply);
  });
  deepStrictEqual([await readMe(), me.value?.person.name, replies], [true, 'Marta', []]);
});
