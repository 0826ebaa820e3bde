import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { type InquiryEntry, isTakenWithWords } from './entry.ts';

test('[WDR3] words in an inquiry that was taken away are told of, but not while they are on their way as its answer', () => {
  const resolution = { outcome: 'answered', at: '', text: 'Yes', by: { kind: 'deadline', label: '' } } as const;
  const inquiry = { id: 'inq_1' } as Inquiry;
  const own = { text: 'Yes' };
  const states: InquiryEntry[] = [
    { inquiry, resolution, own },
    { inquiry, resolution, own, sending: 'sent' },
    { inquiry, resolution, own, sending: 'queued' },
    { inquiry, resolution },
    { inquiry, own },
  ];
  deepStrictEqual(states.map(isTakenWithWords), [true, false, false, false, false]);
});
