import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { repeat } from './repeat.ts';

test('a background job that fails is logged by its name, and the jobs after it run', async () => {
  const lines: string[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  const ran: string[] = [];
  const { promise: twice, resolve } = Promise.withResolvers<void>();
  const jobs = repeat(
    () => 1,
    {
      poisoned: () => Promise.reject(new Error('bad row')),
      async healthy() {
        if (ran.push('healthy') === 2) resolve();
      },
    },
    log,
  );
  await twice;
  await jobs.stop();
  const logged = lines.map((line) => JSON.parse(line) as { job: string; msg: string; err: { message: string } });
  deepStrictEqual(
    [ran, logged.map(({ job, msg, err }) => [job, msg, err.message])],
    [
      ['healthy', 'healthy'],
      Array(2).fill(['poisoned', 'background job failed; trying again at its next turn', 'bad row']),
    ],
  );
});
