import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { preferredSeconds, readWait, toSeconds } from './wait.ts';

test('one parser reads the seconds of every wait, and leaves what are none to be refused', () => {
  const texts = ['60', '60s', '2.5', '0', '-5', '', ' 60', '1e2', '60m', 'soon', '0x10', ['1', '2'], undefined];
  deepStrictEqual(texts.map(toSeconds), [60, 60, 2.5, 0, ...texts.slice(4)]);
});

test('of a Prefer header the first wait counts, and what cannot be meant is no wait', () => {
  const read: Record<string, number | undefined> = {
    'wait=30': 30,
    'respond-async, wait=30': 30,
    'return=minimal; foo="a, wait=9", WAIT = "10" ; x=y, wait=20': 10,
    'wait=5, wait=20': 5,
    'wait=99999999999999999999': 1e20,
    'wait=soon, wait=20': undefined,
    'wait, wait=20': undefined,
    'wait=, wait=20': undefined,
    'wait=-1': undefined,
    'wait=1.5': undefined,
    'waits=3; wait=4': undefined,
    'foo="wait=3': undefined,
    '': undefined,
    [`${'"\\'.repeat(8000)}, wait=3`]: undefined,
  };
  deepStrictEqual(
    Object.keys(read).map((prefer) => preferredSeconds({ prefer })),
    Object.values(read),
  );
});

test('?wait= wins over Prefer, which is cut to what proxies bear', () => {
  const waits = (query: { wait?: number }, prefer?: string) => readWait({ query, headers: prefer ? { prefer } : {} });
  deepStrictEqual(
    [waits({}), waits({ wait: 7 }, 'wait=9'), waits({}, 'wait=9'), waits({}, 'wait=3600'), waits({}, 'wait=0')],
    [
      { ms: 0, preferred: false },
      { ms: 7, preferred: false },
      { ms: 9_000, preferred: true },
      { ms: 50_000, preferred: true },
      { ms: 0, preferred: true },
    ],
  );
  deepStrictEqual(readWait({ query: {}, headers: { prefer: 'wait=?' } }, Infinity), { ms: Infinity, preferred: false });
});
