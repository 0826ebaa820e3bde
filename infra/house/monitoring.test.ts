import { deepStrictEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { Database } from '../../server/platform/database.ts';
import { createMetrics } from '../../server/platform/http/metrics.ts';
import { root } from './tree.ts';

type Rule = { alert: string; expr: string; for: string; labels: object; annotations: Record<string, string> };
type Series = { series: string };
type Tests = {
  tests: { input_series: Series[]; alert_rule_test?: { alertname: string }[]; promql_expr_test?: { expr: string }[] }[];
};

const readYaml = <T>(name: string): T => parse(readFileSync(join(root, 'infra/monitoring', name), 'utf8')) as T;
const metricsIn = (text: string): string[] => [...new Set(text.match(/\bbeckon_\w+/g))];

test('every alert watches what a hub measures, says why its threshold is what it is, and is tried firing and silent', () => {
  const { registry } = createMetrics({ database: {} as Database });
  const measured = registry.getMetricsAsArray().map(({ name }) => name);
  const { groups } = readYaml<{ groups: { rules: Rule[] }[] }>('alerts.yml');
  const rules = groups.flatMap((group) => group.rules);
  const { tests } = readYaml<Tests>('alerts.test.yml');
  const silent = tests.flatMap((one) => (one.alert_rule_test ?? []).map(({ alertname }) => alertname));
  const firing = tests.flatMap((one) =>
    (one.promql_expr_test ?? []).flatMap(({ expr }) => /alertname="(\w+)"/.exec(expr)?.[1] ?? []),
  );
  ok(rules.length > 5);
  deepStrictEqual(
    rules.map(({ alert, expr, for: after, labels, annotations: { summary = '', description = '' } }) => ({
      alert,
      unknown: metricsIn(expr).filter((name) => !measured.includes(name)),
      waits: /^\d+m$/.test(after),
      severity: Object.keys(labels),
      says: summary.length > 20 && description.length > 60,
      tried: [silent.includes(alert), firing.includes(alert)],
    })),
    rules.map(({ alert }) => ({
      alert,
      unknown: [],
      waits: true,
      severity: ['severity'],
      says: true,
      tried: [true, true],
    })),
  );
  const fed = metricsIn(tests.flatMap((one) => one.input_series.map(({ series }) => series)).join(' '));
  deepStrictEqual(
    fed.filter((name) => !measured.includes(name)),
    [],
  );
  deepStrictEqual(readYaml<{ rule_files: string[] }>('prometheus.yml').rule_files, ['alerts.yml']);
});

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
