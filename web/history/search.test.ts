import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { everything, toFilter, search, seekAs, type Search } from './search.ts';

const NOW = new Date(2026, 10, 22, 14, 30).getTime();
const at = (year: number, month: number, date: number) => new Date(year, month, date).toISOString();

test('what is sought is told to the hub as it takes it, days from midnight to midnight of this device', () => {
  const seek = (more: Partial<Search>) => toFilter({ ...everything, ...more }, NOW);
  deepStrictEqual(
    [
      seek({}),
      seek({ words: '  wren  ', kind: 'mine', source: 'src_x' }),
      seek({ kind: 'expired', when: 'today' }),
      seek({ kind: 'late', when: 'week' }),
      seek({ when: 'between', from: '2026-10-31', until: '2026-11-01' }),
      seek({ when: 'between', until: '2026-12-31' }),
      seek({ when: 'between' }),
    ],
    [
      {},
      { by: 'me', q: 'wren', source: 'src_x' },
      { outcome: 'expired', after: at(2026, 10, 22) },
      { late: 'true', after: new Date(NOW - 7 * 86_400_000).toISOString() },
      { after: at(2026, 9, 31), before: at(2026, 10, 2) },
      { before: at(2027, 0, 1) },
      {},
    ],
  );
});

test('another person begins anew', () => {
  seekAs('per_a');
  search.value = { ...everything, words: 'salary' };
  seekAs('per_a');
  const saved = search.value.words;
  seekAs('per_b');
  deepStrictEqual([saved, search.value], ['salary', everything]);
});
