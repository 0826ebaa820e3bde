import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { disagreements } from './rules.ts';
import { readFiles, root } from './tree.ts';

test('every rule is cited by a test of each kind that it needs, and every cited rule exists', () => {
  const rules = readFileSync(join(root, 'shared/RULES.md'), 'utf8');
  const tests = readFiles(['{shared,server,web}/**/*.{test,contract}.{ts,tsx}', 'e2e/**/*.ts']);
  deepStrictEqual(disagreements(rules, tests), []);
});

test('a rule without a test, a test without a rule and a rule that stands twice are named', () => {
  const rules =
    '- **RES1** The first wins.\n- **RES2** The others hear.\n- **WDR1** All are told.\n- **RES1** Again.\n';
  const tests = [
    { path: 'a.test.ts', text: `test('[RES1] [WDR1] [race] the first wins', () => {});` },
    { path: 'b.test.ts', text: 'test(`[ASK9] of seed ${seed}`); // mentions [RES2] only in a remark' },
  ];
  deepStrictEqual(disagreements(rules, tests), [
    'RES1 stands twice',
    'RES2 is cited by no test',
    'RES1 has no test through a door',
    'RES2 has no test through a door',
    'WDR1 has no test through a door',
    'RES1 has no test through a door',
    'RES2 has no test of a race',
    'b.test.ts cites ASK9, which is no rule',
  ]);
});
