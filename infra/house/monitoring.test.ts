import { deepStrictEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../server/platform/database.ts';
import { createMetrics } from '../../server/platform/http/metrics.ts';
import { root } from './tree.ts';

test('the dashboard draws only what a hub measures', () => {
  const { registry } = createMetrics({ database: {} as Database });
  const measured = registry.getMetricsAsArray().map(({ name }) => name);
  const dashboard = readFileSync(join(root, 'infra/monitoring/beckon.dashboard.json'), 'utf8');
  const drawn = [...new Set(dashboard.match(/\bbeckon_\w+/g))].map((name) => name.replace(/_(bucket|count|sum)$/, ''));
  ok(drawn.length > 5);
  deepStrictEqual(
    drawn.filter((name) => !measured.includes(name)),
    [],
  );
  const attempts = measured.filter((name) => name.endsWith('_attempts_total'));
  deepStrictEqual(attempts, ['beckon_webhook_attempts_total', 'beckon_push_attempts_total']);
  deepStrictEqual(
    attempts.filter((name) => !drawn.includes(name)),
    [],
  );
});
