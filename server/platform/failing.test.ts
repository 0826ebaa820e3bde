import { deepStrictEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { createFailing } from './failing.ts';

test('a row whose work threw rests for 10 s, or as long as is said of it, and the others are done', async () => {
  const failing = createFailing();
  const done: string[] = [];
  const work = async (id: string) => {
    if (id === 'well') done.push(id);
    else throw new Error(id);
  };
  const restMs = (id: string) => (id === 'near' ? 500 : undefined);
  await rejects(failing.each(['near', 'far', 'well'], 0, work, restMs), /failed for near, far/);
  deepStrictEqual(
    [0, 499, 500, 9_999, 10_000].map((now) => [now, failing.resting(now)]),
    [
      [0, ['near', 'far']],
      [499, ['near', 'far']],
      [500, ['far']],
      [9_999, ['far']],
      [10_000, []],
    ],
  );
  deepStrictEqual(done, ['well']);
});
