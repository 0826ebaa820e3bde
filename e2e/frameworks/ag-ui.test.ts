import { deepStrictEqual, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packagesOfExamples } from './installed.ts';

const FIXTURES = join(import.meta.dirname, '../../server/dialects/ag-ui/fixtures');
type Fixture = { body: object; outcomes?: { reply: object[] }[] };
type Schema = { parse(value: unknown): Record<string, unknown> };

test('what AG-UI sends and gets fits the schemas of its own package', async () => {
  const { EventSchemas, InterruptSchema, RunAgentInputSchema } = (await import(
    join(await packagesOfExamples(), 'node_modules/@ag-ui/core/dist/schemas.mjs')
  )) as Record<string, Schema>;
  const fixtures = globSync('*.json', { cwd: FIXTURES }).map((name): [string, Fixture] => [
    name,
    JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as Fixture,
  ]);
  const taken = fixtures.flatMap(([name, { body, outcomes = [] }]) =>
    outcomes.map(({ reply }) => ({ name, body, reply })),
  );
  ok(taken.length > 0);
  for (const { name, body, reply } of taken) {
    if (Array.isArray(body)) for (const one of body) ok(InterruptSchema?.parse(one), name);
    else ok(EventSchemas?.parse(body), name);
    const input = { threadId: 't', runId: 'r', messages: [], resume: reply };
    deepStrictEqual(RunAgentInputSchema?.parse(input)['resume'], reply, name);
  }
});
