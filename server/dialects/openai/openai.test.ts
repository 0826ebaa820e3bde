import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Decision, Resolution } from '#shared/answer.ts';
import { openai } from './openai.ts';

const yes: Decision = { type: 'approve', optionId: 'approve' };
const always: Decision = { type: 'approve', optionId: 'approve-always' };
const no: Decision = { type: 'reject', optionId: 'reject' };
const never: Decision = { type: 'reject', optionId: 'reject-always' };
const answered = (...decisions: Decision[]) => ({ outcome: 'answered', answer: { decisions } });

// The SDK's record of a tool holds one "always" alone: it wipes what was decided about the tool's other calls.
test('[DIA1] "always" goes back only where every call of the tool ended alike, over all inquiries of the ask', () => {
  const names = ['a', 'b', ...Array<string>(19).fill('a')];
  const read = openai.read(
    names.map((name, at) => ({ callId: `c${at}`, name, arguments: '' })),
    {},
  );
  if (!('asks' in read)) throw new Error('it asks nothing');
  const rest = Array<Decision>(18).fill(yes);
  const remembered = (...ends: unknown[]): unknown => {
    const inquiries = read.asks.map(({ ask }, at) => ({ ...ask, resolution: ends[at] as Resolution }));
    const { decisions } = openai.write(read.keep, inquiries) as { decisions: { approve: boolean; always?: true }[] };
    return decisions.flatMap(({ always: kept, ...one }, at) => (kept ? [{ ...one, at }] : []));
  };
  const b = { callId: 'c1', at: 1 };
  deepStrictEqual(remembered(answered(no, always, ...rest), answered(always)), [{ ...b, approve: true }]);
  deepStrictEqual(remembered(answered(yes, never, ...rest), answered(never)), [{ ...b, approve: false }]);
  deepStrictEqual(remembered(answered(always, never, ...rest), { outcome: 'expired', text: '' }), [
    { ...b, approve: false },
  ]);
  deepStrictEqual(remembered(answered(yes, no, ...rest), answered(always)), [{ callId: 'c20', approve: true, at: 20 }]);
});
