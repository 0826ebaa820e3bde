import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { test } from 'node:test';
import { pino } from 'pino';
import { createWorker, type Channel, type Queue } from './worker.ts';

const AT_ONCE = 4;

function countClaims(more: Partial<Channel<Queue, string>>) {
  const claims: number[] = [];
  const clock = { now: () => performance.now() };
  const worker = createWorker<Queue, string>(
    {
      name: 'test',
      shares: [{ slow: false, queues: AT_ONCE, ofOneGroup: AT_ONCE }],
      claim: async () => {
        claims.push(clock.now());
        return { key: String(claims.length), group: '', until: Infinity };
      },
      nextDue: async (now) => now + 1,
      take: async () => 'item',
      send: async () => ({ status: 200 }),
      settle: async () => true,
      release: async () => {},
      ...more,
    },
    { database: { clock }, log: pino({ level: 'silent' }) },
  );
  return { worker, claims };
}

const CAUSES: Record<string, Partial<Channel<Queue, string>>> = {
  'turns out empty': { take: async () => undefined },
  'cannot be read': { take: () => Promise.reject(new Error('unexpected')) },
  'cannot be recorded': { settle: () => Promise.reject(new Error('unexpected')) },
};
for (const [cause, more] of Object.entries(CAUSES)) {
  test(`a queue that ${cause}, again and again, is claimed no more than four times a second`, async () => {
    const { worker, claims } = countClaims(more);
    worker.wake();
    while (claims.length <= AT_ONCE) await turn();
    await worker.stop();
    assert.ok(claims[AT_ONCE]! - claims[0]! >= 249, `${claims[AT_ONCE]! - claims[0]!} ms`);
  });
}

test('runDue sends all that is due when the queues under way end in the same turn', async () => {
  const due = Array.from({ length: 2 * AT_ONCE }, (_, index) => `queue ${index}`);
  const sent: string[] = [];
  const answered = Promise.withResolvers<{ status: number }>();
  const { worker } = countClaims({
    claim: async () => {
      const key = due.shift();
      await turn();
      return key === undefined ? undefined : { key, group: '', until: Infinity };
    },
    send: async ({ key }) => {
      sent.push(key);
      return answered.promise;
    },
    settle: async () => false,
  });
  worker.wake();
  while (sent.length < AT_ONCE) await turn();
  const done = worker.runDue();
  answered.resolve({ status: 200 });
  await done;
  assert.equal(sent.length, 2 * AT_ONCE);
  await worker.stop();
});
