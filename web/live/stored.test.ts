import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { faults, note } from './faults.ts';
import { forgetOlderSettled, keepSettled, keepStored, recallOpen, recallWritten } from './stored.ts';

const inquiry = (id: string): Inquiry => ({ id }) as Inquiry;

test('that something is kept nowhere is said once of each, and no longer when all of it is kept or forgotten', async () => {
  const said = async (key: string, value: unknown) => {
    await keepStored(key, value);
    const is = faults.value.has('unkept');
    note('unkept', false);
    return is;
  };
  const words = { text: 'Green' };
  deepStrictEqual(
    [
      await said('words:inq_x', words),
      await said('words:inq_x', words),
      await said('open', []),
      await said('words:inq_y', words),
      await said('words:inq_y', undefined),
      await said('words:inq_x', undefined),
      await said('words:inq_x', words),
      await said('words:inq_x', undefined),
    ],
    [true, false, false, true, true, false, true, false],
  );
});

test('[LIV1] of what was open, what this device was told ended since does not come back as open', async () => {
  await keepStored('open', [inquiry('inq_a'), inquiry('inq_b')]);
  keepSettled(inquiry('inq_a'));
  deepStrictEqual(await recallOpen(), [inquiry('inq_b')]);
});

test('what the disk has damaged is left out, and the rest is there', async () => {
  globalThis.addEventListener ??= () => {};
  await keepStored('open', [null, 7, inquiry('inq_c')]);
  await keepStored('settled:inq_d', null);
  await forgetOlderSettled();
  for (const [id, words] of Object.entries({ a: 'bits', b: { text: 7 }, c: { values: 'bits' }, d: { text: 'Green' } }))
    await keepStored(`words:${id}`, words);
  deepStrictEqual([await recallOpen(), [...(await recallWritten())]], [[inquiry('inq_c')], [['d', { text: 'Green' }]]]);
  await keepStored('open', { length: 2 });
  deepStrictEqual(await recallOpen(), []);
});
