import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Database } from './database.ts';
import { createMetrics } from './http/metrics.ts';
import { invariant } from './invariants.ts';

test('an invariant that does not hold is counted where an alert reads it and names its inquiry; one that holds says nothing', async () => {
  const { registry } = createMetrics({ database: {} as Database });
  const counter = registry.getSingleMetric('beckon_invariant_failures_total');
  const counts = async () => (await counter?.get())?.values.map(({ labels, value }) => [labels['invariant'], value]);
  const before = await counts();
  const warned = once(process, 'warning') as Promise<[Error]>;
  invariant('webhook_owed', true, 'inq_1');
  invariant('webhook_owed', false, 'inq_2');
  deepStrictEqual(
    [before, await counts(), (await warned)[0].message],
    [
      [
        ['resolved_once', 0],
        ['in_time', 0],
        ['webhook_owed', 0],
        ['enough_hands', 0],
      ],
      [
        ['resolved_once', 0],
        ['in_time', 0],
        ['webhook_owed', 1],
        ['enough_hands', 0],
      ],
      'DLV1: a webhook stands for each resolution whose source has an address: not of inq_2',
    ],
  );
});
