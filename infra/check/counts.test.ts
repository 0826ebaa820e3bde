import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { countNodeTests, countPlaywrightTests, failedSeeds, failedTitles } from './counts.ts';

const nodeTotals = (totals: Record<string, number>) =>
  Object.entries({ tests: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0, ...totals })
    .map(([name, count]) => `ℹ ${name} ${count}\n`)
    .join('');

test('the totals of node --test are read', () => {
  const { passed, failed } = countNodeTests({ code: 0, output: nodeTotals({ pass: 12 }) });
  deepStrictEqual({ passed, failed }, { passed: 12, failed: 0 });
});

test('the totals of several runs are added up', () => {
  const output = nodeTotals({ pass: 12 }) + nodeTotals({ pass: 3, fail: 1 });
  const { passed, failed } = countNodeTests({ code: 1, output });
  deepStrictEqual({ passed, failed }, { passed: 15, failed: 1 });
});

test('of a failing run only the failures are shown', () => {
  const failures = '✖ failing tests:\n\n✖ the first answer wins\n';
  const output = `✔ one\n✖ the first answer wins\n${nodeTotals({ pass: 1, fail: 1 })}\n${failures}`;
  deepStrictEqual(countNodeTests({ code: 1, output }), { passed: 1, failed: 1, output: failures });
});

test('a skipped test counts as failed and is spoken of', () => {
  const counted = countNodeTests({ code: 0, output: nodeTotals({ pass: 3, skipped: 2 }) });
  deepStrictEqual([counted.failed, counted.output.includes('2 skipped')], [2, true]);
});

test('a run without tests, or one that broke before its totals, has failed', () => {
  deepStrictEqual(countNodeTests({ code: 0, output: nodeTotals({}) }).failed, 1);
  deepStrictEqual(countNodeTests({ code: 1, output: 'SyntaxError' }), { passed: 0, failed: 1, output: 'SyntaxError' });
});

test('the totals of Playwright are read, and a test that needed a second try counts as failed', () => {
  deepStrictEqual(countPlaywrightTests({ code: 0, output: '\n  9 passed (1.2m)\n' }).failed, 0);
  const output = '\n  1 failed\n    a.e2e.ts:3:1 › a\n  1 flaky\n  2 did not run\n  9 passed (1.2m)\n';
  deepStrictEqual(countPlaywrightTests({ code: 1, output }), { passed: 9, failed: 4, output });
  deepStrictEqual(countPlaywrightTests({ code: 1, output: 'Error: no tests' }).failed, 1);
});

test('the titles of failed tests are read from either runner, each once', () => {
  const node =
    '✖ failing tests:\n\ntest at a.test.ts:3:1\n✖ the first answer wins (12.5ms)\n  AssertionError\n✖ the first answer wins (3ms)\n';
  const playwright =
    '\n  2 failed\n    calls.e2e.ts:3:1 › a call is approved ─────\n    calls.e2e.ts:9:1 › rejected\n  9 passed (1.2m)\n';
  deepStrictEqual(failedTitles(node), ['the first answer wins']);
  deepStrictEqual(failedTitles(playwright), ['calls.e2e.ts:3:1 › a call is approved', 'calls.e2e.ts:9:1 › rejected']);
});

test('the seeds of what failed are read, from a test and from the group around it', () => {
  const output =
    '▶ three times on SQLite, seed 42\n  ✖ [ASK1] every ask exists (3ms)\n✖ three times on SQLite, seed 42 (9ms)\n' +
    '✖ all agree: npm run sim -- --seed 7 (5.1ms)\n✔ all agree: npm run sim -- --seed 8 (5.1ms)\n';
  deepStrictEqual(failedSeeds(output), ['three times on SQLite, seed 42', 'all agree: npm run sim -- --seed 7']);
});
