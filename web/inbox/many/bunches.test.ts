import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { InquiryEntry } from '../../live/entry.ts';
import { toBunches, filtered, NO_FILTER } from './bunches.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;

test('a list is what is urgent, then what is due soon, then a bunch for each source and run', () => {
  const entries = [
    entry('soon', 5, { runId: 'a' }),
    entry('a1', 60, { runId: 'a' }),
    entry('b1', 70, { runId: 'b' }),
    entry('a2', 80, { runId: 'a' }),
    { inquiry: { ...entry('high', 900, { runId: 'b' }).inquiry, urgency: 'high' } } as InquiryEntry,
  ];
  deepStrictEqual(arranged(entries), { pressing: ['high', 'soon'], bunches: { a: ['a1', 'a2'], b: ['b1'] } });
});

test('a run of which many are due soon stays one bunch', () => {
  const entries = ['1', '2', '3'].map((id, at) => entry(id, at + 1, { runId: 'a' }));
  deepStrictEqual(arranged(entries), { pressing: [], bunches: { a: ['1', '2', '3'] } });
});

test('a filter keeps what fits all of it, and words are found in titles and calls', () => {
  const call = entry('call', 60, { runId: 'a' });
  const entries = [
    { inquiry: { ...call.inquiry, actions: [{ name: 'Bash' }], argsText: ['{"command":"npm ci"}'] } } as InquiryEntry,
    entry('other', 5, { runId: 'b' }),
  ];
  const ids = (filter: Partial<typeof NO_FILTER>) =>
    filtered(entries, { ...NO_FILTER, ...filter }, NOW).map(({ inquiry }) => inquiry.id);
  deepStrictEqual(
    [ids({}), ids({ kind: 'approvals' }), ids({ due: 'soon' }), ids({ find: 'NPM bash' }), ids({ source: 'src_2' })],
    [['call', 'other'], ['call'], ['other'], ['call'], []],
  );
});

function arranged(entries: InquiryEntry[]): unknown {
  const { pressing, bunches } = toBunches(entries, NOW);
  return {
    pressing: pressing.map(({ inquiry }) => inquiry.id),
    bunches: Object.fromEntries(bunches.map(({ run, entries: some }) => [run, some.map(({ inquiry }) => inquiry.id)])),
  };
}

function entry(id: string, minutes: number, context: { runId: string }): InquiryEntry {
  const inquiry: Partial<Inquiry> = {
    id,
    title: id,
    context,
    source: { id: 'src_1', name: 'Atlas' },
    deadlineAt: new Date(NOW + minutes * MINUTE).toISOString(),
  };
  return { inquiry: inquiry as Inquiry };
}
