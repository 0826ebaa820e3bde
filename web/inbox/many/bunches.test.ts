import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Held } from '../../live/held.ts';
import { bunchesOf, filtered, NO_FILTER } from './bunches.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;

test('a list is what is urgent, then what is due soon, then a bunch for each source and run', () => {
  const letters = [
    letter('soon', 5, { runId: 'a' }),
    letter('a1', 60, { runId: 'a' }),
    letter('b1', 70, { runId: 'b' }),
    letter('a2', 80, { runId: 'a' }),
    { inquiry: { ...letter('high', 900, { runId: 'b' }).inquiry, urgency: 'high' } } as Held,
  ];
  deepStrictEqual(arranged(letters), { pressing: ['high', 'soon'], bunches: { a: ['a1', 'a2'], b: ['b1'] } });
});

test('a run of which many are due soon stays one bunch', () => {
  const letters = ['1', '2', '3'].map((id, at) => letter(id, at + 1, { runId: 'a' }));
  deepStrictEqual(arranged(letters), { pressing: [], bunches: { a: ['1', '2', '3'] } });
});

test('a filter keeps what fits all of it, and words are found in titles and calls', () => {
  const call = letter('call', 60, { runId: 'a' });
  const letters = [
    { inquiry: { ...call.inquiry, actions: [{ name: 'Bash' }], argsText: ['{"command":"npm ci"}'] } } as Held,
    letter('other', 5, { runId: 'b' }),
  ];
  const ids = (filter: Partial<typeof NO_FILTER>) =>
    filtered(letters, { ...NO_FILTER, ...filter }, NOW).map(({ inquiry }) => inquiry.id);
  deepStrictEqual(
    [ids({}), ids({ kind: 'approvals' }), ids({ due: 'soon' }), ids({ find: 'NPM bash' }), ids({ source: 'src_2' })],
    [['call', 'other'], ['call'], ['other'], ['call'], []],
  );
});

function arranged(letters: Held[]): unknown {
  const { pressing, bunches } = bunchesOf(letters, NOW);
  return {
    pressing: pressing.map(({ inquiry }) => inquiry.id),
    bunches: Object.fromEntries(bunches.map(({ run, letters: some }) => [run, some.map(({ inquiry }) => inquiry.id)])),
  };
}

function letter(id: string, minutes: number, context: { runId: string }): Held {
  const inquiry: Partial<Inquiry> = {
    id,
    title: id,
    context,
    source: { id: 'src_1', name: 'Atlas' },
    deadlineAt: new Date(NOW + minutes * MINUTE).toISOString(),
  };
  return { inquiry: inquiry as Inquiry };
}
