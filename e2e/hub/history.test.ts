import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { type Told, unlikeOneRegister } from './history.ts';

const told = (by: string, from: number, to: number, decided?: string): Told => ({ id: 'inq_1', by, from, to, decided });

test('[RES1] a history is refused where two were decided, or somebody knew and a later reading did not', () => {
  const cases: [string, Told[]][] = [
    ['nothing decided', [told('read', 0, 1), told('read', 2, 3)]],
    [
      'readings beside the decision may know or not',
      [told('answer', 2, 6, 'A'), told('read', 3, 9), told('read', 1, 4, 'A')],
    ],
    ['a reading that was under way when it was known', [told('answer', 1, 4, 'A'), told('read', 3, 9)]],
    ['a reading after it was known', [told('answer', 1, 4, 'A'), told('read', 5, 9)]],
    ['another decision', [told('answer', 1, 4, 'A'), told('read', 5, 9, 'B')]],
  ];
  deepStrictEqual(
    cases.map(([, history]) => unlikeOneRegister({ told: history })),
    [[], [], [], ['inq_1: read knew nothing 1 ms after answer'], ['inq_1 was decided as A and as B']],
  );
});
