import { deepStrictEqual, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { AppError } from '#shared/problem.ts';
import { withSchemaFaults } from './check.ts';

type Schema = Record<string, unknown>;

const person = { type: 'object', properties: { age: { type: 'integer', minimum: 1 } }, required: ['age'] };
const endless = { type: 'string', pattern: '^(a+)+$' };
const ENDLESS = `${'a'.repeat(60)}!`;

const faults = (schema: Schema, value?: unknown, owner = 'src_a') =>
  withSchemaFaults(owner, (schemaFaults) => schemaFaults(schema, value));
const codes = async (schema: Schema, value?: unknown) =>
  (await faults(schema, value)).map(({ path, code }) => [path, code]);
const problem = async (schema: Schema) => (await faults(schema))[0]?.message ?? 'usable';

test('a schema can be used, or the reason is told', async () => {
  deepStrictEqual(await problem(person), 'usable');
  match(await problem({ type: 'nonsense' }), /must be equal to one of the allowed values/);
  match(await problem({ $schema: 'http://json-schema.org/draft-07/schema#' }), /no schema with key or ref/);
  match(await problem({ $ref: 'https://elsewhere.example/a' }), /can't resolve reference/);
});

test('[RES3] what a schema refuses is located in the value', async () => {
  deepStrictEqual(await codes(person, { age: 3 }), []);
  deepStrictEqual(
    [...(await codes(person, { age: 0 })), ...(await codes(person, {}))],
    [
      ['/age', 'schema.minimum'],
      ['/age', 'schema.required'],
    ],
  );
});

test('the loop turns while schemas are checked that never end, and the one that does not end is named', async () => {
  let turns = 0;
  let checked = false;
  const checking = withSchemaFaults('src_a', (schemaFaults) => [
    schemaFaults(person, {}),
    schemaFaults(endless, ENDLESS),
    schemaFaults(endless, ENDLESS),
  ]).finally(() => (checked = true));
  while (!checked) {
    await turn();
    turns += 1;
  }
  const found = (await checking).map((some) => some.map(({ code }) => code));
  deepStrictEqual([found, turns > 100], [[[], ['schema.too_slow'], []], true]);
});

test('whatever makes a schema slow or large, it is stopped, and the next one is checked', async () => {
  const doubled = { type: 'object', $ref: '#/$defs/d0', $defs: {} as Record<string, unknown> };
  for (let at = 0; at < 40; at++) doubled.$defs[`d${at}`] = { allOf: Array(2).fill({ $ref: `#/$defs/d${at + 1}` }) };
  doubled.$defs['d40'] = {};
  const many = Array.from({ length: 40_000 }, (_, at) => ({ at }));
  const slow: [schema: Schema, value: unknown][] = [
    [doubled, {}],
    [{ uniqueItems: true }, many],
    [{ items: { enum: many } }, many.map(({ at }) => ({ at: -at }))],
    [{ items: { anyOf: Array(5000).fill({ type: 'string' }) } }, Array(50_000).fill(0)],
  ];
  for (const [schema, value] of slow) {
    deepStrictEqual(await codes(schema, value), [['', 'schema.too_slow']]);
    deepStrictEqual(await codes(person, {}), [['/age', 'schema.required']]);
  }
  const itself = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
  deepStrictEqual(await codes(itself, {}), [['', 'schema.unusable']]);
  deepStrictEqual(await codes({ properties: { child: { $ref: '#' } }, type: 'object' }, { child: { child: 5 } }), [
    ['/child/child', 'schema.type'],
  ]);
});

test('owners take turns, so that slow schemas of one hold up another by one at most', async () => {
  const order: string[] = [];
  const check = async (owner: string, schema: Schema, value: unknown) => {
    await faults(schema, value, owner);
    order.push(owner);
  };
  const both = [check('src_slow', endless, ENDLESS), check('src_slow', person, {})];
  await Promise.all([...both, check('src_good', person, {}), check('src_other', person, {})]);
  deepStrictEqual(order, ['src_slow', 'src_good', 'src_other', 'src_slow']);
});

test('what one owner may have waiting is limited', async () => {
  const large = { const: 'x'.repeat(7 * 1024 * 1024) };
  const three = [faults(large), faults(large), faults(large)];
  await rejects(faults(large), (error: AppError) => error.status === 429 && error.code === 'schema.too_many');
  deepStrictEqual(await Promise.all([...three, faults(large, undefined, 'src_b')]), [[], [], [], []]);
});

test('what one source names by $id is not there for another', async () => {
  deepStrictEqual(await problem({ ...person, $id: 'https://example.com/person' }), 'usable');
  match(await problem({ $ref: 'https://example.com/person' }), /can't resolve reference/);
});

test('a schema that is read again is the same one, whatever was read in between', async () => {
  const before = [await codes(endless, 'aa'), await codes(endless, 'b'), await codes(person, { age: 0 })];
  for (let at = 0; at <= 100; at++) await codes({ const: at }, at);
  deepStrictEqual([await codes(endless, 'aa'), await codes(endless, 'b'), await codes(person, { age: 0 })], before);
  deepStrictEqual(before, [[], [['', 'schema.pattern']], [['/age', 'schema.minimum']]]);
  // What is changed in place is another schema.
  const own = structuredClone(person);
  deepStrictEqual(await codes(own, { age: 1 }), []);
  own.properties.age.minimum = 2;
  deepStrictEqual(await codes(own, { age: 1 }), [['/age', 'schema.minimum']]);
});
