import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#shared/problem.ts';
import { createPlaces } from './places.ts';

const KIB = 1024;

test('a credential has so many waits and so many streams, and another one has its own', () => {
  const places = createPlaces({ wait: 2, stream: 1 });
  const take = (...which: Parameters<typeof places.take>): string => {
    try {
      places.take(...which);
      return 'taken';
    } catch (error) {
      return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
    }
  };
  deepStrictEqual(
    [
      take('wait', 'a'),
      take('wait', 'a'),
      take('wait', 'a'),
      take('stream', 'a'),
      take('stream', 'a'),
      take('wait', 'b'),
    ],
    ['taken', 'taken', '429 wait.too_many', 'taken', '429 stream.too_many', 'taken'],
  );
});

test('a call that brings much counts for each 16 KiB, and leaves once however often it is let go', () => {
  const places = createPlaces({ wait: 100, stream: 100 });
  const leaves = [0, 16 * KIB, 16 * KIB + 1, 1024 * KIB].map((bytes) => places.take('wait', 'a', bytes));
  const seen = [places.taken('wait', 'a')];
  for (const leave of [...leaves.slice(1), ...leaves.slice(1)]) {
    leave();
    seen.push(places.taken('wait', 'a'));
  }
  deepStrictEqual(seen, [68, 67, 65, 1, 1, 1, 1]);
});
