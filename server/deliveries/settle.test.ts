import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../platform/clock.ts';
import { nextTry, toOutcome } from './settle.ts';

const turn = { tries: 1, now: 0, giveUpAt: DAY_MS, chance: 0 };
const HOUR_MS = 3_600_000;

describe('schedule', () => {
  test('[DLV1] the wait doubles from 5 s to an hour', () => {
    const waits = Array.from({ length: 12 }, (_, index) => nextTry({ ...turn, tries: index + 1 }));
    assert.deepStrictEqual(
      waits,
      [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600].map((seconds) => seconds * 1000),
    );
  });

  test('[DLV1] chance shortens a wait by at most a fifth', () => {
    assert.deepStrictEqual(
      [0, 0.5, 1].map((chance) => nextTry({ ...turn, tries: 20, chance })),
      [HOUR_MS, 0.9 * HOUR_MS, 0.8 * HOUR_MS],
    );
  });

  test('[DLV1] Retry-After is honoured up to an hour and never hastens', () => {
    assert.deepStrictEqual(
      [1_000, 60_000, 2 * HOUR_MS].map((retryAfterMs) => nextTry({ ...turn, retryAfterMs })),
      [5_000, 60_000, HOUR_MS],
    );
  });

  test('[DLV1] the last attempt is made when the day ends, and none after it', () => {
    assert.equal(nextTry({ ...turn, tries: 30, now: DAY_MS - 1_000 }), DAY_MS);
    assert.equal(nextTry({ ...turn, tries: 30, now: DAY_MS }), undefined);
  });

  test('[DLV1] only 2xx is delivered and only 409 and 410 are gone', () => {
    const outcomes = [200, 204, 299, 302, 400, 404, 409, 410, 429, 500].map((status) => toOutcome({ status }));
    assert.deepStrictEqual(outcomes, [
      'delivered',
      'delivered',
      'delivered',
      'again',
      'again',
      'again',
      'gone',
      'gone',
      'again',
      'again',
    ]);
    assert.equal(toOutcome({ error: 'timeout' }), 'again');
  });
});
