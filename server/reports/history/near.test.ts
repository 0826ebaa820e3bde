import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { search } from '../../automation/rules/rules.ts';
import { createNear } from './near.ts';

type Was = { command: string; more?: Record<string, Json>; did?: 'approved' | 'rejected' | 'by a rule'; name?: string };
const rule = (...shell: string[]): Rule => ({ name: 'r', when: { tool: 'Bash', shell }, then: 'approve' });
const shard = (part: number | string, of = 24): Was => ({ command: `npm test -- --shard ${part}/${of}` });
const shards = [shard(3), shard(1), shard(2)];
const all = Array.from({ length: 24 }, (_, at) => `npm test -- --shard ${at + 1}/24`);

/** What would cover what a rule that names these commands nearly fits. */
function near(named: string[], asked: Was[], made = rule(...named)) {
  const found = createNear(made, 'UTC');
  for (const [place, { command, more = {}, did = 'approved', name = 'Bash' }] of asked.entries()) {
    const action = { name, args: { command, ...more }, allowed: ['approve', 'reject'] };
    found.add({ id: String(place), actions: [action] } as unknown as Inquiry, (list) => {
      const fits = search([list], { sourceId: 's', kind: 'actions', calls: [action], now: 0 });
      return fits && did !== 'by a rule' ? (did === 'approved' ? 'fits' : 'differs') : undefined;
    });
  }
  const offered = found.found();
  return offered && [offered.ids.length, offered.shell];
}

test('[POL7] near misses that differ in one word are offered word for word, in place of what is too wide', () => {
  deepStrictEqual(
    [
      near(['npm test *'], shards),
      near(['npm test -- --shard 1/24'], shards.with(1, shard(4))),
      near(['ls', 'npm test *'], [...shards, { command: 'npm test -- -w a' }]),
      near(['npm test *'], [...shards, { command: 'npm test -- --shard 4/24', more: { description: 'Anew' } }]),
    ],
    [
      [3, all],
      [3, all],
      [3, ['ls', ...all]],
      [4, all],
    ],
  );
});

test('[POL7] no near miss brings more than what was approved, however it is written', () => {
  const rejected = { ...shard(9), did: 'rejected' as const };
  const offers = {
    'one of them was rejected': near(['npm test *'], [...shards, rejected]),
    'a rule had approved them': near(
      ['npm test *'],
      shards.map((one) => ({ ...one, did: 'by a rule' as const })),
    ),
    'a second command in the line': near(
      ['npm test *'],
      shards.map(({ command }) => ({ command: `${command}; rm -rf x` })),
    ),
    'an expansion': near(
      ['npm test *'],
      shards.map(({ command }) => ({ command: `${command}$(id)` })),
    ),
    'another argument': near(
      ['npm test *'],
      shards.map((one) => ({ ...one, more: { cwd: '/' } })),
    ),
    'another tool': near(
      ['npm test *'],
      shards.map((one) => ({ ...one, name: 'bash' })),
    ),
    'another program': near(
      ['npm test'],
      ['a', 'b', 'c'].map((program) => ({ command: `${program} test` })),
    ),
    'a star in quotes': near(
      ['git log *'],
      ['1', '2', '*'].map((word) => ({ command: `git log -n '${word}'` })),
    ),
    'a rule that rejects': near(['npm test *'], shards, { ...rule('npm test *'), then: { reject: 'No.' } }),
  };
  deepStrictEqual(
    Object.entries(offers).filter(([, offered]) => offered !== undefined),
    [],
  );
  const numbers = ['10', '12', '14'].map((pid) => ({ command: `kill ${pid}` }));
  deepStrictEqual(near(['kill *'], numbers), [3, ['kill 10', 'kill 12', 'kill 14']]);
});
