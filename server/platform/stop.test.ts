import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { stopInTurn } from './stop.ts';

test('a part that fails or never stops is logged, and everything after it is stopped', async () => {
  const logged: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const stopped: string[] = [];
  const note = (part: string) => async () => void stopped.push(part);
  await stopInTurn(
    [
      [
        20,
        {
          broken: () => Promise.reject(new Error('no database')),
          throwing() {
            throw new Error('at once');
          },
          hanging: () => new Promise(() => {}),
          healthy: note('healthy'),
        },
      ],
      [60_000, { http: note('http') }],
    ],
    log,
  );
  deepStrictEqual(
    [stopped, logged.map((line) => (line as { part: string }).part).toSorted()],
    [
      ['healthy', 'http'],
      ['broken', 'hanging', 'throwing'],
    ],
  );
});
