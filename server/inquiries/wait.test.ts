import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import type { Database } from '../platform/database.ts';
import { createCollected } from './wait.ts';

test('stopping waits for all that is being written, one batch after the other', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const commits: (() => void)[] = [];
  const database = { steps: () => new Promise<void>((commit) => commits.push(commit)) } as unknown as Database;
  const collected = createCollected({ database, log: pino({ level: 'silent' }) });
  let stopped = false;
  collected.add('inq_a');
  t.mock.timers.tick(20);
  await turn();
  collected.add('inq_b');
  t.mock.timers.tick(20);
  await turn();
  void collected.stop().then(() => (stopped = true));
  await turn();
  const seen: [begun: number, stopped: boolean][] = [[commits.length, stopped]];
  for (let at = 0; at < 2; at++) {
    commits[at]?.();
    await turn();
    seen.push([commits.length, stopped]);
  }
  deepStrictEqual(seen, [
    [1, false],
    [2, false],
    [2, true],
  ]);
});
