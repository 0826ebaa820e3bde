import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { Resolution } from '#shared/answer.ts';
import { countOutcomes, toDays } from './records.ts';

const mara: Resolution['by'] = { kind: 'person', handle: 'mara', device: { id: 'd', name: 'Phone' }, via: 'live' };
let count = 0;
const settled = (more: object, resolution: Partial<Resolution> = {}): Inquiry => {
  const at = new Date(Date.UTC(2026, 10, 20, 12, ++count)).toISOString();
  const source = { id: 'src_1', name: 'Claude Code' };
  const answered = { outcome: 'answered', at, text: '', by: mara, ...resolution };
  return {
    id: `inq_${count}`,
    title: 'Now?',
    source,
    openedAt: at,
    resolution: answered,
    ...more,
  } as unknown as Inquiry;
};
const call = (name: string, args: object, more: Partial<Action> = {}): Inquiry =>
  settled(
    { title: name, actions: [{ name, args, allowed: ['approve'], ...more }] },
    { answer: { decisions: [{ type: 'approve' }] } },
  );
const recordsOf = (items: Inquiry[]) =>
  toDays(items, () => 'Today').flatMap(({ runs }) =>
    runs.flatMap(({ records }) => records.map(({ length }) => length)),
  );

test('calls that differ only in their place among all are one record; amounts, caution and two of a kind are not', () => {
  const shards = [1, 2, 3, 24].map((at) => call('Bash', { command: `npm test -- --shard ${at}/24` }));
  deepStrictEqual(recordsOf(shards), [4]);
  deepStrictEqual(recordsOf(shards.slice(2)), [1, 1]);
  const escalated = [{ at: '2026-11-20T12:00:00.000Z', to: ['ops'] }];
  deepStrictEqual(recordsOf(shards.map((one) => ({ ...one, escalated }))), [1, 1, 1, 1]);
  for (const amounts of [
    [20, 500, 340].map((amount) => call('refund', { to: 'c-1', amount, currency: 'EUR' })),
    [20, 500, 340].map((amount) => call('Bash', { command: `stripe refunds create --amount ${amount}` })),
    [1, 2, 3].map((at) => call('Bash', { command: `kill ${at}` })),
    [1, 2, 3].map((at) => call('Bash', { command: `rm logs/${at}/11` })),
    [1, 2, 3].map((at) => call('Bash', { command: `npm test -- --shard ${at}/24` }, { caution: true })),
  ])
    deepStrictEqual(recordsOf(amounts), [1, 1, 1]);
});

test('records stand by day and run, what was settled last first', () => {
  const [first, second, third] = [
    settled({ context: { runId: 'a' } }),
    settled({ context: { runId: 'b' } }),
    settled({ context: { runId: 'a' } }),
  ];
  const days = toDays([first, second, third] as Inquiry[], (at) =>
    at > Date.parse(first?.openedAt ?? '') ? 'Today' : 'Before',
  );
  deepStrictEqual(
    days.map(({ day, runs }) => [day, runs.map(({ name, records }) => [name, records.map(([one]) => one?.id)])]),
    [
      [
        'Today',
        [
          ['a', [third?.id]],
          ['b', [second?.id]],
        ],
      ],
      ['Before', [['a', [first?.id]]]],
    ],
  );
});

test('[POL5] what expired was missed, and what a rule left alone was not', () => {
  const rule: Resolution['by'] = { kind: 'policy', label: 'Night', ruleId: 'rul_1' };
  deepStrictEqual(
    countOutcomes([
      settled({}),
      settled({}, { outcome: 'declined' }),
      settled({}, { outcome: 'withdrawn' }),
      settled({}, { outcome: 'expired', by: { kind: 'deadline', label: 'deadline' } }),
      settled({}, { outcome: 'expired', by: rule }),
      settled({ rule: { then: 'you-decide' } }, { outcome: 'declined', by: rule }),
    ]),
    { answered: 2, missed: 1 },
  );
});
