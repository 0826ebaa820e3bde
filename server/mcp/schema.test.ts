import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { en } from './words/en.ts';
import { zh } from './words/zh.ts';
import { describe, INPUTS, isDescribed, type FlatSchema } from './schema.ts';

test('clients are shown types, members, enums and descriptions alone, and nothing without a type', () => {
  const known = ['type', 'description', 'enum', 'properties', 'required', 'items'];
  const strange: string[] = [];
  const walk = (schema: FlatSchema, path: string): void => {
    if (schema.type === undefined) strange.push(`${path}: no type`);
    strange.push(
      ...Object.keys(schema)
        .filter((key) => !known.includes(key))
        .map((key) => `${path}: ${key}`),
    );
    for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${path}.${name}`);
    if (schema.items) walk(schema.items, `${path}[]`);
  };
  for (const [name, schema] of Object.entries(INPUTS)) walk(schema, name);
  deepStrictEqual(strange, []);
});

test('the kinds of a question are one object whose members are described, and the prompt alone is enough', () => {
  const { properties, required } = INPUTS.send_inquiry;
  deepStrictEqual(required, undefined);
  const { items } = properties['questions'] ?? {};
  deepStrictEqual(
    [items?.properties?.['type'], items?.required],
    [{ type: 'string', enum: ['text', 'choice', 'multi', 'form'] }, ['id', 'prompt', 'type']],
  );
});

test('every description stands at a parameter that is there, in both languages', () => {
  const described = (words: typeof en) =>
    Object.entries(words.tools).map(([tool, { parameters }]) => [tool, Object.keys(parameters)]);
  deepStrictEqual(described(zh), described(en));
  const missing = Object.keys(en.tools.send_inquiry.parameters).filter((path) => !isDescribed(path));
  deepStrictEqual(missing, []);
  for (const path of ['', 'none', 'prompt.none', 'questions.none', '__proto__', 'toString'])
    deepStrictEqual(isDescribed(path), false);
});

test('a description passes through arrays and leaves the rest as it is', () => {
  const schema: FlatSchema = {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } } },
  };
  deepStrictEqual(describe(schema, { list: 'Several', 'list.label': 'Read' }), {
    type: 'object',
    properties: {
      list: {
        type: 'array',
        description: 'Several',
        items: { type: 'object', properties: { label: { type: 'string', description: 'Read' } } },
      },
    },
  });
});
