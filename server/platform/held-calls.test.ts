import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { createHeldCalls } from './held-calls.ts';

test('identical calls at the same time have ordinals of their own, and one that ends leaves its place', () => {
  const held = createHeldCalls({ burstMs: 0, now: () => 0 });
  const begin = (like: string) => held.begin({ like, turn: 't' });
  const [first, second, other] = [begin('a'), begin('a'), begin('b')];
  first.end();
  first.end();
  const third = begin('a');
  deepStrictEqual([first.ordinal, second.ordinal, other.ordinal, third.ordinal], [0, 1, 0, 0]);
});

test('calls that follow one another closely are one turn', () => {
  let now = 0;
  const counts: number[] = [];
  const held = createHeldCalls({ burstMs: 1500, now: () => now, onCount: (count) => counts.push(count) });
  const groupAt = (at: number, turn = 't') => {
    now = at;
    return held.begin({ like: `${at}`, turn }).group;
  };
  const groups = [groupAt(0), groupAt(1400), groupAt(2800), groupAt(4301), groupAt(4302, 'another')];
  deepStrictEqual(
    groups.map((group) => groups.indexOf(group)),
    [0, 0, 0, 3, 4],
  );
  deepStrictEqual(counts, [1, 2, 3, 4, 5]);
});

test('a call that goes on waiting is of no turn, and draws none out', () => {
  let now = 0;
  const held = createHeldCalls({ burstMs: 1500, now: () => now });
  const groupAt = (at: number, ordinal?: number) => {
    now = at;
    return held.begin({ like: `${at}`, turn: 't', ordinal }).group;
  };
  const groups = [groupAt(0), groupAt(1400, 0), groupAt(2800)];
  deepStrictEqual(
    groups.map((group) => group && groups.indexOf(group)),
    [0, undefined, 2],
  );
});
