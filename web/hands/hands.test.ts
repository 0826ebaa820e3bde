import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import type { Hand } from '#shared/schemas/approvals.ts';
import type { CallReply } from '../inquiry/reply/state.ts';
import { approversOf, asStanding, readHands, replyTo, withStanding } from './hands.ts';

const CALL: Action = { name: 'drop', args: { table: 'a' }, allowed: ['approve', 'edit', 'reject'] };
const hand = (handle: string): Hand => ({
  by: { kind: 'person', personId: `per_${handle}`, handle, device: { id: 'dev_1', name: 'Phone' }, via: 'live' },
  at: '2026-11-21T14:01:00.000Z',
});
const asked = (more: Partial<Inquiry>) =>
  ({ approvals: { count: 2 }, people: ['mara', 'anna', 'jonas'], actions: [CALL, CALL], ...more }) as Inquiry;
const reply = (...calls: Partial<CallReply>[]) => ({
  own: true,
  text: '',
  markdown: '',
  parts: {},
  calls: calls.map((call) => ({ own: false, message: '', argsText: '{"table":"a"}', ...call })),
});
const MARA = { id: 'per_mara', handle: 'mara' };

test('[APR4] who has approved, who may, and who changed a call is read for the person who looks', () => {
  const standing: Decision[] = [{ type: 'edit', argsText: '{"table":"b"}' }, { type: 'approve' }];
  const read = (more: Partial<Inquiry>) => {
    const { given = [], own, others, editor } = readHands(asked(more), MARA) ?? {};
    return [given.length, own?.by.handle, others, editor?.by.handle];
  };
  deepStrictEqual(
    [
      readHands({} as Inquiry, MARA),
      read({}),
      read({ approved: [hand('anna')], standing }),
      read({ approved: [hand('mara')], standing: [{ type: 'approve' }] }),
    ],
    [
      undefined,
      [0, undefined, ['anna', 'jonas'], undefined],
      [1, undefined, ['jonas'], 'anna'],
      [1, 'mara', ['anna', 'jonas'], undefined],
    ],
  );
});

test('[APR4] what somebody changed is shown and approved to the digit, what they rejected stays so, and one’s own stands', () => {
  const inquiry = asked({
    approved: [hand('anna')],
    standing: [
      { type: 'edit', argsText: '{"id":9007199254740993}' },
      { type: 'reject', message: 'no' },
    ],
  });
  const shown = asStanding(inquiry);
  const next = replyTo(shown, reply({}, {}));
  const approved = {
    ...next,
    calls: next.calls.map((call) => (call.own ? call : { ...call, type: 'approve' as const })),
  };
  const own = { own: true, type: 'edit', argsText: '{"id":1}' } as const;
  deepStrictEqual(
    [
      shown.argsText,
      shown.actions?.map(({ name }) => name),
      withStanding(shown, approved).calls,
      withStanding(shown, replyTo(shown, reply(own, { own: true, type: 'approve' }))).calls.map(
        ({ type, argsText }) => [type, argsText],
      ),
      // Approved before it was changed, it is edited from what stands.
      replyTo(shown, reply({ own: true, type: 'approve' })).calls.map(({ argsText }) => argsText),
    ],
    [
      ['{"id":9007199254740993}', '{"table":"a"}'],
      ['drop', 'drop'],
      [
        { own: false, message: '', argsText: '{"id":9007199254740993}', type: 'edit' },
        { own: true, message: 'no', argsText: '{"table":"a"}', type: 'reject' },
      ],
      [
        ['edit', '{"id":1}'],
        ['approve', '{"table":"a"}'],
      ],
      ['{"id":9007199254740993}'],
    ],
  );
});

test('[APR4] a resolved inquiry names all who approved, the last one once, and nobody for a no', () => {
  const by = hand('mara').by;
  const resolution = (type: 'approve' | 'reject') => ({
    outcome: 'answered' as const,
    at: '',
    text: '',
    by,
    answer: { decisions: [{ type }] },
  });
  const read = (type: 'approve' | 'reject', ...handles: string[]) =>
    approversOf(asked({ approved: handles.map(hand), resolution: resolution(type) }));
  deepStrictEqual(
    [read('approve', 'anna'), read('approve', 'anna', 'mara'), read('reject', 'anna')],
    [['anna', 'mara'], ['anna', 'mara'], ['anna']],
  );
});
