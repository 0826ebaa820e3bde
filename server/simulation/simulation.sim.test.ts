import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { apply, nothingKnown } from '../../web/live/apply.ts';
import { simulate } from './simulate.ts';

/** Seeds that always run; one that ever failed is added here with what it showed. */
const FIXED = [1n, 2n, 3n, 4n];
const { values } = parseArgs({ options: { seed: { type: 'string' } } });
const seeds = values.seed === undefined ? [...FIXED, BigInt(randomInt(2 ** 47))] : [BigInt(values.seed)];

for (const seed of seeds) {
  test(`[LIV1] [RES1] [RES2] [RES4] [ASK1] [ASK5] [DLV1] [DLV4] after any loss, delay, restart, standstill and step of the clock all agree: npm run sim -- --seed ${seed}`, async () => {
    const rules = { first: nothingKnown, apply };
    const [first, second] = [await simulate(seed, rules), await simulate(seed, rules)];
    assert.deepEqual(first.failures, []);
    assert.deepEqual(second.trace, first.trace);
    assert.ok(first.trace.length > 500);
  });
}
