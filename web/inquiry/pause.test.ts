import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { awaitPause, isPause } from './pause.ts';

test('typing that runs across a change of question acts on the next one only after a pause', () => {
  awaitPause(1000);
  const typed = [1001, 1200, 1500, 1990, 2500, 3101, 3150, 3200];
  deepStrictEqual(typed.map(isPause), [false, false, false, false, false, true, true, true]);
  awaitPause(3210);
  deepStrictEqual([3220, 3900].map(isPause), [false, true]);
});

test('a key that was pressed before the question came, and is heard after it, makes no pause', () => {
  awaitPause(5000);
  deepStrictEqual([4000, 4100, 5550, 6151].map(isPause), [false, false, false, true]);
});
