import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { readSpent, timedTests } from './slowest.ts';

test('the times of tests are read from either runner, without suites and without the list of failures', () => {
  const node = [
    '▶ asking on SQLite',
    '  ✔ [ASK2] the same key (returns the same) (12.5ms)',
    '  ✖ a wait ends (1200ms)',
    '✔ asking on SQLite (1300ms)',
    '✔ a line (0.4ms)',
    '✖ failing tests:',
    '  ✖ a wait ends (1200ms)',
  ].join('\n');
  const playwright = '  ✓  1 e2e/calls.e2e.ts:3:1 › a call (2.6s)\n  ✘  2 e2e/many.e2e.ts:9:1 › slow (1.5m)\n';
  deepStrictEqual(
    [timedTests(node), timedTests(playwright)],
    [
      [
        { title: '[ASK2] the same key (returns the same)', ms: 12.5 },
        { title: 'a wait ends', ms: 1200 },
        { title: 'a line', ms: 0.4 },
      ],
      [
        { title: 'e2e/calls.e2e.ts:3:1 › a call', ms: 2600 },
        { title: 'e2e/many.e2e.ts:9:1 › slow', ms: 90_000 },
      ],
    ],
  );
});

test('what test processes spent is added up by what it was spent on, the most first', () => {
  const lines = [
    { what: 'start a hub', ms: 700, times: 1 },
    { what: 'wait', ms: 900, times: 40 },
    { what: 'start a hub', ms: 800, times: 1 },
  ];
  deepStrictEqual(readSpent(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`), [
    { what: 'start a hub', ms: 1500, times: 2 },
    { what: 'wait', ms: 900, times: 40 },
  ]);
});
