import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { apply, nothingKnown } from '../../web/live/apply.ts';
import { simulate } from './simulate.ts';

/** Seeds that always run, twice, and come to the same; one that ever failed is added here with what it showed. */
const NAMED: Record<string, string> = {
  1: 'crashes',
  3: 'clocks stepped and nodes frozen again and again',
  5: 'commits of which nobody is told',
  6: 'clocks stepped a little',
  12: 'a caller that left while the end of its wait was committed, whose question stayed open for a day',
  47051436982020: 'YOLO that began as the clock was stepped back, and ran for an hour too long',
};
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** So many that chance draws, until so many minutes have passed. */
    seeds: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '60' },
    named: { type: 'boolean', default: false },
    /** No more after one that failed. */
    'first-failure': { type: 'boolean', default: false },
  },
});
const rules = { first: nothingKnown, apply };
const end = Date.now() + Number(values.minutes) * 60_000;

const title = (seed: bigint) =>
  `[LIV1] [RES1] [RES2] [RES4] [ASK1] [ASK4] [ASK5] [APR1] [APR4] [APR5] [DLV1] [DLV4] [POL5] [POL6] [POL8] [POL9] [DIA1] [WDR1] after any mix of faults all agree, and nothing is owed: npm run sim -- --seed ${seed}`;
let failed = false;
const runs: [name: string, shown: () => void][] = [];
/** Before the first test is made, since the test runner follows each promise from then on, which takes half of the time. */
async function run(seed: bigint, showed?: string): Promise<void> {
  const once = () => simulate(seed, rules).catch((error: unknown) => ({ trace: [], failures: [String(error)] }));
  const first = await once();
  const second = showed === undefined ? first : await once();
  failed ||= first.failures.length > 0;
  runs.push([
    `${title(seed)}${showed === undefined ? '' : ` (${showed})`}`,
    () => {
      assert.deepEqual(first.failures, []);
      assert.deepEqual(second.trace, first.trace);
      assert.ok(showed === undefined || first.trace.length > 100);
    },
  ]);
}

if (values.seed !== undefined) await run(BigInt(values.seed));
for (const [seed, showed] of values.named ? Object.entries(NAMED) : []) await run(BigInt(seed), showed);
const goesOn = () => Date.now() < end && !(failed && values['first-failure']);
for (let left = Number(values.seeds); left > 0 && goesOn(); left--) await run(BigInt(randomInt(2 ** 47)));
for (const [name, shown] of runs) test(name, shown);
