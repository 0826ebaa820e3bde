import { deepStrictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSimulation, MUTATIONS, readTable, toTable } from './mutations.ts';
import { root } from './tree.ts';

test('the table names of each rule what cites it, where it was broken, and what went red, as npm run mutations writes it', () => {
  const table = readTable();
  deepStrictEqual(table, toTable(new Map(table.map(([rule, , , saw]) => [rule, saw]))));
  const vague = table.filter(([rule, , , saw]) => {
    const { seenBy } = MUTATIONS.get(rule) ?? { seenBy: '' };
    return !(isSimulation(seenBy) ? /^[A-Z]{3}\d+: /.test(saw) : saw.includes(`[${rule}]`));
  });
  deepStrictEqual(vague, []);
});

test('each rule can be broken in the one place that its row names', () => {
  const places = [...MUTATIONS].map(([rule, { file, found }]) => {
    const parts = readFileSync(join(root, file), 'utf8').split(found);
    return [rule, parts.length - 1];
  });
  deepStrictEqual(
    places.filter(([, times]) => times !== 1),
    [],
  );
});
