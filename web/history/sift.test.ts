import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { By } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { byDay, sift } from './sift.ts';

const person = (handle: string): By => ({ kind: 'person', handle, device: { id: 'd', name: 'MacBook' }, via: 'live' });
const past = (id: string, by: By, more: Partial<Inquiry> = {}, outcome: 'answered' | 'expired' = 'answered') =>
  ({
    id,
    title: id,
    source: { id: 's', name: 'Train' },
    openedAt: '2026-11-20T10:00:00Z',
    resolution: { outcome, at: `2026-11-2${id.length}T10:00:00Z`, text: 'Monday', by },
    ...more,
  }) as Inquiry;

const items = [
  past('a', person('mara')),
  past('bb', person('Jonas'), { late: [{ at: '', by: person('mara'), answer: {}, text: 'Tonight' }] }),
  past('ccc', { kind: 'policy', label: 'Reading is fine' }),
  past('dddd', { kind: 'deadline', label: '' }, {}, 'expired'),
];
const ids = (found: Inquiry[]) => found.map(({ id }) => id);

test('the history is sifted by who decided and how it ended', () => {
  deepStrictEqual(
    (['all', 'mine', 'rule', 'late', 'expired'] as const).map((filter) => ids(sift(items, filter, '', 'mara'))),
    [['a', 'bb', 'ccc', 'dddd'], ['a'], ['ccc'], ['bb'], ['dddd']],
  );
});

test('a word is sought in the question, the answer, who gave it and what came late', () => {
  deepStrictEqual(
    ['jonas', 'TONIGHT', 'reading', 'macbook', 'nothing'].map((word) => ids(sift(items, 'all', word, 'mara'))),
    [['bb'], ['bb'], ['ccc'], ['a', 'bb'], []],
  );
});

test('days keep the order of what is in them', () => {
  const days = byDay(items.slice(0, 3), (at) => (new Date(at).getUTCDate() < 23 ? 'earlier' : 'later'));
  deepStrictEqual(
    days.map(([day, found]) => [day, ids(found)]),
    [
      ['earlier', ['a', 'bb']],
      ['later', ['ccc']],
    ],
  );
});
