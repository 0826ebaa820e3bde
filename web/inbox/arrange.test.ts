import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Held } from '../live/held.ts';
import { arrange } from './arrange.ts';
import { queuedWords } from './queuedWords.ts';

const letter = (id: string, more: Partial<Held['inquiry']> = {}, state: Partial<Held> = {}) =>
  ({ inquiry: { id, source: { id: 's', name: 'S' }, ...more }, ...state }) as Held;

test('what waits keeps its order, groups stand at the place of their first, the rest is apart', () => {
  const resolution = { outcome: 'expired', at: '', text: '', by: { kind: 'deadline', label: '' } } as const;
  const held = [
    letter('a', { group: 'g' }),
    letter('b'),
    letter('c', { group: 'g' }),
    letter('d', { group: 'g', source: { id: 'other', name: 'O' } }),
    letter('e', { dismissed: true }),
    letter('f', {}, { sending: 'queued' }),
    letter('g', {}, { fate: { resolution } }),
    // The bar that can undo it tells of it.
    letter('h', {}, { sending: 'held' }),
  ];
  const { waiting, queued, cards, dismissed } = arrange(held);
  const ids = (letters: Held[]) => letters.map(({ inquiry }) => inquiry.id);
  deepStrictEqual(
    [ids(waiting), ids(queued), ids(dismissed), cards.map(({ letters }) => ids(letters))],
    [['a', 'b', 'c', 'd'], ['f'], ['e'], [['a', 'c'], ['b'], ['d']]],
  );
});

test('an answer that waits for a line is told by its labels and words', () => {
  const option = { value: 'mon', label: 'Wait until Monday' };
  const questions: Held['inquiry']['questions'] = [{ id: 'q', type: 'choice', prompt: 'When?', options: [option] }];
  const { inquiry } = letter('a', { questions });
  deepStrictEqual(
    [
      queuedWords({ inquiry, mine: { values: { q: 'mon' } } }),
      queuedWords({ inquiry, mine: { values: {}, other: { q: 'Tonight' } } }),
      queuedWords({ inquiry, mine: { decisions: [{ type: 'reject', message: 'Not now' }] } }),
      queuedWords({ inquiry }),
    ],
    ['Wait until Monday', 'Tonight', 'Not now', ''],
  );
});
