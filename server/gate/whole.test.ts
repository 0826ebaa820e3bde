import { deepStrictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { gather, TooLong } from './whole.ts';

test('pieces of any size become one, and what is taken is forgotten', () => {
  const whole = gather(100);
  for (const piece of ['a', 'é', '', '🙈']) whole.add(Buffer.from(piece));
  deepStrictEqual([whole.size(), whole.take().toString(), whole.size(), whole.take().toString()], [7, 'aé🙈', 0, '']);
  whole.add(Buffer.alloc(100, 'x'));
  throws(() => whole.add(Buffer.from('y')), TooLong);
});
