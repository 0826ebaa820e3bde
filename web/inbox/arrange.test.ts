import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { InquiryEntry } from '../live/entry.ts';
import { arrange } from './arrange.ts';

const entry = (id: string, more: Partial<InquiryEntry['inquiry']> = {}, state: Partial<InquiryEntry> = {}) =>
  ({ inquiry: { id, source: { id: 's', name: 'S' }, ...more }, ...state }) as InquiryEntry;

test('what waits keeps its order, groups stand at the place of their first, the rest is apart', () => {
  const resolution = { outcome: 'expired', at: '', text: '', by: { kind: 'deadline', label: '' } } as const;
  const entries = [
    entry('a', { group: 'g' }),
    entry('b'),
    entry('c', { group: 'g' }),
    entry('d', { group: 'g', source: { id: 'other', name: 'O' } }),
    entry('e', { dismissed: true }),
    entry('f', {}, { sending: 'queued' }),
    entry('g', {}, { resolution }),
    // The bar that can undo it tells of it.
    entry('h', {}, { sending: 'held' }),
    entry('i', {}, { laterAt: '2027-01-01T09:00:00.000Z' }),
    entry('j', {}, { laterAt: '2027-01-01T09:00:00.000Z', sending: 'queued' }),
    entry('k', { dismissed: true }, { laterAt: '2027-01-01T09:00:00.000Z' }),
    entry('l', { relayed: true, askerGoneAt: '2026-01-01T09:00:00.000Z' }),
    entry('m', { relayed: true }),
    entry('n', { askerGoneAt: '2026-01-01T09:00:00.000Z' }),
  ];
  const { waiting, queued, cards, dismissed, cut, later } = arrange(entries);
  const ids = (some: InquiryEntry[]) => some.map(({ inquiry }) => inquiry.id);
  deepStrictEqual(
    [ids(waiting), ids(queued), ids(dismissed), ids(cut), ids(later), cards.map(({ entries }) => ids(entries))],
    [['a', 'b', 'c', 'd', 'm', 'n'], ['f', 'j'], ['e', 'k'], ['l'], ['i'], [['a', 'c'], ['b'], ['d'], ['m'], ['n']]],
  );
});
