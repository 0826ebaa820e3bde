import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { keepSettled, keepStored, recallOpen } from './stored.ts';

const inquiry = (id: string): Inquiry => ({ id }) as Inquiry;

test('[LIV1] of what was open, what this device was told ended since does not come back as open', async () => {
  await keepStored('open', [inquiry('inq_a'), inquiry('inq_b')]);
  keepSettled(inquiry('inq_a'));
  deepStrictEqual(await recallOpen(), [inquiry('inq_b')]);
});
