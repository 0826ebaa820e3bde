import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { Ask } from '#shared/inquiry.ts';
import { en } from './words/en.ts';
import { zh } from './words/zh.ts';
import { describe, describedPaths, INPUTS, isDescribed, type FlatSchema } from './schema.ts';

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
    [
      {
        type: 'string',
        description:
          'text: free words. choice: one of the options. multi: several of them. form: fields described by schema.',
        enum: ['text', 'choice', 'multi', 'form'],
      },
      ['id', 'prompt', 'type'],
    ],
  );
});

test('every parameter is described once, in the schema, and in Chinese too', () => {
  for (const [name, schema] of Object.entries(INPUTS)) {
    const { parameters = {} } = zh.tools[name as keyof typeof INPUTS];
    const paths = describedPaths(schema);
    deepStrictEqual(Object.keys(parameters).toSorted(), paths.toSorted(), name);
  }
  deepStrictEqual(
    Object.values(en.tools).filter(({ parameters }) => parameters),
    [],
  );
  const { properties } = INPUTS.send_inquiry;
  deepStrictEqual(properties['to']?.description, Ask.shape.to.description);
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
