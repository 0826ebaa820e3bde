import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { outcomeResult } from './result.ts';
import { wordsIn } from './words/words.ts';

test('[APR1] get_answer names until when an approved call may run, and calls it undecided where it reads it first after that', () => {
  const [at, validUntil] = ['2026-11-20T09:00:00.000Z', '2026-11-20T09:01:00.000Z'];
  const by = { kind: 'person', handle: 'ada', device: { id: 'dev_1', name: 'Phone' }, via: 'live' } as const;
  const answer = { decisions: [{ type: 'approve' as const }] };
  const resolution = { outcome: 'answered' as const, at, validUntil, answer, text: 'Approved.', by };
  const read = (now: string, collectedAt?: string) => {
    const inquiry = { id: 'inq_1', resolution, collectedAt } as Inquiry;
    const { content, ...result } = outcomeResult(inquiry, wordsIn('en'), { now: Date.parse(now) });
    const { text, ...data } = result.structuredContent ?? {};
    deepStrictEqual(content, [{ type: 'text', text }]);
    return { text, ...data };
  };
  const known = { status: 'resolved', inquiryId: 'inq_1' };
  const text = `Approved.\nIt may be run until ${validUntil}, and not after that.`;
  const yes = { ...known, outcome: 'answered', text, answer, by, at, validUntil };
  const no = {
    ...known,
    outcome: 'expired',
    text: `Not decided: the approval ended at ${validUntil}, before it was used. Nothing was run. Ask again if it is still needed.`,
    by: { kind: 'deadline', label: 'deadline' },
    at: validUntil,
  };
  deepStrictEqual(
    [read('2026-11-20T09:00:59.999Z'), read(validUntil), read('2026-11-21T09:00:00.000Z', at)],
    [yes, no, yes],
  );
});
