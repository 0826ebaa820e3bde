import { deepStrictEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { schemaFaults, schemaProblem } from './json-schema.ts';

const person = { type: 'object', properties: { age: { type: 'integer', minimum: 1 } }, required: ['age'] };

test('a schema can be used, or it is said why not', () => {
  deepStrictEqual(schemaProblem(person), undefined);
  match(schemaProblem({ type: 'nonsense' }) ?? '', /must be equal to one of the allowed values/);
  match(schemaProblem({ $schema: 'http://json-schema.org/draft-07/schema#' }) ?? '', /no schema with key or ref/);
  match(schemaProblem({ $ref: 'https://elsewhere.example/a' }) ?? '', /can't resolve reference/);
});

test('[RES3] what a schema refuses is located in the value', () => {
  deepStrictEqual(schemaFaults(person, { age: 3 }), []);
  deepStrictEqual(
    [...schemaFaults(person, { age: 0 }), ...schemaFaults(person, {})].map(({ path, code }) => ({ path, code })),
    [
      { path: '/age', code: 'schema.minimum' },
      { path: '/age', code: 'schema.required' },
    ],
  );
});

test('a pattern that backtracks for ever is stopped', () => {
  const faults = schemaFaults({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`);
  deepStrictEqual(
    faults.map(({ code }) => code),
    ['schema.too_slow'],
  );
});

test('what one source names by $id is not there for another', () => {
  deepStrictEqual(schemaProblem({ ...person, $id: 'https://example.com/person' }), undefined);
  match(schemaProblem({ $ref: 'https://example.com/person' }) ?? '', /can't resolve reference/);
});

test('a schema that is read again is the same one, whatever was read in between', () => {
  const slow = { type: 'string', pattern: '^(a+)+$' };
  const codesOf = (schema: Record<string, unknown>, value: unknown) =>
    schemaFaults(schema, value).map(({ path, code }) => [path, code]);
  deepStrictEqual(codesOf(slow, `${'a'.repeat(60)}!`), [['', 'schema.too_slow']]);
  const before = [codesOf(slow, 'aa'), codesOf(slow, 'b'), codesOf(person, { age: 0 })];
  for (let at = 0; at <= 100; at++) schemaFaults({ const: at }, at);
  deepStrictEqual([codesOf(slow, 'aa'), codesOf(slow, 'b'), codesOf(person, { age: 0 })], before);
  deepStrictEqual(before, [[], [['', 'schema.pattern']], [['/age', 'schema.minimum']]]);
  // What is changed in place is another schema.
  const own = structuredClone(person);
  deepStrictEqual(codesOf(own, { age: 1 }), []);
  own.properties.age.minimum = 2;
  deepStrictEqual(codesOf(own, { age: 1 }), [['/age', 'schema.minimum']]);
});
