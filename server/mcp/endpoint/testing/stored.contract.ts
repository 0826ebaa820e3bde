import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Place } from '../../../inquiries/testing/place.ts';
import { createStoredSessions, sweepSessions } from '../../sessions.ts';

const DAY_MS = 86_400_000;

/** What every engine must keep of the sessions of older clients, for all nodes. */
export function storedContract(openOn: (t: TestContext) => Promise<Place>): void {
  const kept = { owner: 'src_a', node: 'n1', client: { name: 'x', version: '1' } };

  test('a session is found by its credential alone, and one node takes it from another', async (t) => {
    const { database } = await openOn(t);
    const [one, other] = [createStoredSessions(database, 10), createStoredSessions(database, 10)];
    await one.keep({ id: 's', ...kept });
    await one.keep({ id: 'long', ...kept, client: { name: 'x'.repeat(8_193) } });
    deepStrictEqual(
      [await other.find('s', 'src_a'), await other.find('s', 'src_b'), (await other.find('long', 'src_a'))?.client],
      [{ id: 's', ...kept }, undefined, { name: 'x'.repeat(200) }],
    );
    const moved = await Promise.all(['n2', 'n3'].map((to) => other.move('s', { from: 'n1', to })));
    deepStrictEqual([moved.includes(true), moved.includes(false)], [true, true]);
    deepStrictEqual((await one.find('s', 'src_a'))?.node, moved[0] ? 'n2' : 'n3');
    await one.forget('s');
    deepStrictEqual([await one.find('s', 'src_a'), await one.move('s', { from: 'n2', to: 'n1' })], [undefined, false]);
  });

  test('of one credential the newest sessions are kept, and none that nobody has used for 7 days', async (t) => {
    const { database, pass } = await openOn(t);
    const stored = createStoredSessions(database, 2);
    const left = async () => {
      const ids = ['a', 'b', 'c', 'd'];
      const found = await Promise.all(ids.map((id) => stored.find(id, id === 'd' ? 'src_b' : 'src_a')));
      return ids.filter((_id, at) => found[at]);
    };
    await stored.keep({ id: 'd', ...kept, owner: 'src_b' });
    for (const id of ['a', 'b', 'c']) {
      pass(1_000);
      await stored.keep({ id, ...kept });
    }
    deepStrictEqual(await left(), ['b', 'c', 'd']);
    pass(6 * DAY_MS);
    await stored.find('c', 'src_a');
    pass(2 * DAY_MS);
    deepStrictEqual([await sweepSessions(database, 'mcp_sessions'), await left()], [2, ['c']]);
  });

  test('a call that waits is kept, for its own session alone, until its reply was written', async (t) => {
    const { database } = await openOn(t);
    const stored = createStoredSessions(database, 10);
    for (const id of ['s', 'other']) await stored.keep({ id, ...kept });
    for (const stream of ['one', 'two', 'three']) await stored.keepCall('s', stream, `{"id":"${stream}"}`);
    await stored.noteOrdinal('one', 3);
    await stored.dropCall('two');
    const found = ['one', 'two', 'three'].map((stream) => stored.findCall('s', stream));
    deepStrictEqual(
      [...(await Promise.all(found)), await stored.findCall('other', 'one')],
      [{ message: '{"id":"one"}', ordinal: 3 }, undefined, { message: '{"id":"three"}', ordinal: 0 }, undefined],
    );
    await stored.forget('s');
    deepStrictEqual(await stored.findCall('s', 'three'), undefined);
  });
}
