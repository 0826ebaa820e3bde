import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { readExact } from '../exact.ts';
import { argsFaults, argsFields, argsRaw, withFields, withPlace } from './fields.ts';
import { type Node, readNodes } from './nodes.ts';

const FILE = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 }, size: { type: 'integer' } },
};
const SCHEMA = {
  type: 'object',
  required: ['tag', 'files'],
  $defs: { File: FILE },
  properties: {
    tag: { type: 'string' },
    labels: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    files: { type: 'array', minItems: 1, items: { $ref: '#/$defs/File' } },
    author: {
      anyOf: [
        { type: 'object', required: ['mail'], properties: { mail: FILE, 'a/b': { type: 'boolean' } } },
        { type: 'null' },
      ],
    },
  },
};
const ASKED =
  '{"tag": "v2", "labels": ["x", "y"], "files": [{"name": "a", "size": 12345678901234567890}, {"name": "b"}]}';
const action = { argsSchema: SCHEMA };

const PAID = {
  type: 'object',
  required: ['by'],
  $defs: {
    Card: {
      type: 'object',
      required: ['kind', 'last'],
      properties: { kind: { const: 'card' }, last: { type: 'integer' } },
    },
  },
  properties: {
    by: {
      discriminator: { propertyName: 'kind' },
      oneOf: [
        {
          type: 'object',
          title: 'Transfer',
          required: ['kind', 'iban'],
          properties: { kind: { const: 'transfer' }, iban: { type: 'string', minLength: 4 } },
        },
        { $ref: '#/$defs/Card' },
      ],
    },
    note: {
      type: 'object',
      properties: { text: { type: 'string' } },
      anyOf: [
        { required: ['text'] },
        { properties: { file: { type: 'string' } }, required: ['file'] },
        { type: 'null' },
      ],
    },
  },
};

const outline = (nodes: Node[] | undefined): unknown =>
  nodes?.map((node) =>
    node.kind === 'field'
      ? `${node.field.name} ${node.field.kind}`
      : [
          node.kind,
          node.at.join('.'),
          ...(node.kind === 'alternatives' ? [node.options.map(({ label }) => label), node.chosen ?? 'none'] : []),
          'nodes' in node ? outline(node.nodes) : node.blank,
        ],
  );

test('objects in objects and lists of both are fields at their places, in the order of the schema', () => {
  const args = readExact(ASKED);
  deepStrictEqual(args && outline(readNodes(SCHEMA, args, true)), [
    'tag string',
    ['list', 'labels', ['labels/0 string', 'labels/1 string']],
    [
      'list',
      'files',
      [
        ['object', 'files.0', ['files/0/name string', 'files/0/size integer']],
        ['object', 'files.1', ['files/1/name string', 'files/1/size integer']],
      ],
    ],
    ['absent', 'author', { kind: 'object', members: [['mail', { kind: 'object', members: [] }]] }],
  ]);
});

test('what no field could show, or nobody described, is left to JSON', () => {
  const wrong = [
    '{"tag": "v2", "files": [], "more": 1}',
    '{"tag": "v2", "files": [{"name": "a", "more": 1}]}',
    '{"tag": "v2", "files": [{"name": 7}]}',
    '{"tag": "v2", "files": {"name": "a"}}',
    '{"tag": "v2", "files": [], "author": null}',
    '{"tag": "v2", "files": [{"name": "a", "name": "b"}]}',
  ];
  deepStrictEqual(
    wrong.map((argsText) => argsFields(action, argsText)),
    wrong.map(() => undefined),
  );
  const member = (schema: object) => ({ argsSchema: { type: 'object', properties: { a: schema } } });
  const open = { ...FILE, oneOf: [FILE, FILE], anyOf: [FILE, FILE] };
  const closed = { ...FILE, additionalProperties: false, oneOf: [PAID, FILE] };
  for (const schema of [{ $ref: 'https://example.com/a' }, { $ref: '#/$defs/No' }, { oneOf: [FILE] }])
    equal(argsFields(member(schema), '{}'), undefined);
  for (const schema of [open, closed]) equal(argsFields(member(schema), '{"a": {"name": "x"}}'), undefined);
});

test('writing in a nested field changes it alone, and a blank one leaves its member out', () => {
  const fields = argsFields(action, ASKED) ?? [];
  const raw = argsRaw(fields, ASKED);
  deepStrictEqual(raw, {
    tag: 'v2',
    'labels/0': 'x',
    'labels/1': 'y',
    'files/0/name': 'a',
    'files/0/size': '12345678901234567890',
    'files/1/name': 'b',
  });
  const changed = withFields(fields, ASKED, { ...raw, 'labels/0': '', 'files/1/name': 'c', 'files/1/size': '7' });
  equal(
    changed.replace(/\s+/g, ''),
    '{"tag":"v2","labels":["","y"],"files":[{"name":"a","size":12345678901234567890},{"name":"c","size":7}]}',
  );
  const without = withFields(fields, changed, { ...argsRaw(fields, changed), 'files/1/size': '' });
  deepStrictEqual(JSON.parse(without).files[1], { name: 'c' });
});

test('an entry is added at the end and taken away where it stands, and what is missing in it is told', () => {
  const more = withPlace(ASKED, ['files', '2'], { kind: 'object', members: [] });
  deepStrictEqual(argsFaults(action, ASKED, more), [{ field: 'files.2.name', code: 'answer.missing', params: {} }]);
  const fewer = withPlace(more, ['files', '0'], undefined);
  deepStrictEqual(JSON.parse(fewer), { tag: 'v2', labels: ['x', 'y'], files: [{ name: 'b' }, {}] });
});

test('one of several shapes is a choice, then its fields; what has one value only says which it is', () => {
  const read = (text: string, strict = true, picked?: Map<string, number>) => {
    const args = readExact(text);
    return args && outline(readNodes(PAID, args, strict, picked));
  };
  const by = (chosen: number | 'none', nodes: unknown[]) => [
    ['alternatives', 'by', ['Transfer', 'card'], chosen, nodes],
    ['absent', 'note', { kind: 'object', members: [] }],
  ];
  deepStrictEqual(read('{"by": {"kind": "card", "last": 7}}'), by(1, ['by/last integer']));
  deepStrictEqual(read('{"by": {"kind": "transfer", "iban": ""}}'), by(0, ['by/iban string']));
  // Not finished yet: no shape shows it whole, and one can be told.
  deepStrictEqual(read('{"by": {"kind": "card", "last": "x"}}'), undefined);
  deepStrictEqual(read('{"by": {"kind": "card", "last": "x"}}', false), by(1, ['by/last integer']));
  deepStrictEqual(read('{"by": {}}'), by('none', []));
  deepStrictEqual([read('{"by": {"kind": "cash"}}', false), read('{"by": 7}', false)], [undefined, undefined]);
  const note = ['alternatives', 'note', ['text', 'file']];
  const last = (nodes: unknown) => (nodes as unknown[] | undefined)?.at(-1);
  deepStrictEqual(last(read('{"note": {"text": "a"}}')), [...note, 0, ['note/text string']]);
  deepStrictEqual(last(read('{"note": {"file": "a"}}')), [...note, 1, ['note/text string', 'note/file string']]);
  // What says of none is the one that was picked, as long as it can be.
  const picked = new Map([['note', 1]]);
  deepStrictEqual(last(read('{"note": {}}')), [...note, 'none', []]);
  deepStrictEqual(last(read('{"note": {}}', false, picked)), [...note, 1, ['note/text string', 'note/file string']]);
});

test('a shape begins as what only it can hold; none that is chosen is missing; shapes in shapes end in time', () => {
  const [by] = readNodes(PAID, { kind: 'object', members: [['by', { kind: 'object', members: [] }]] }, false) ?? [];
  const text = (value: string) => ({ kind: 'string' as const, text: value });
  deepStrictEqual(by?.kind === 'alternatives' && by.options.map(({ blank }) => blank), [
    {
      kind: 'object',
      members: [
        ['kind', text('transfer')],
        ['iban', text('')],
      ],
    },
    { kind: 'object', members: [['kind', text('card')]] },
  ]);
  const paid = { argsSchema: PAID };
  deepStrictEqual(argsFaults(paid, '{"by": {"kind": "card", "last": 1}}', '{"by": {}}'), [
    { field: 'by', code: 'answer.missing', params: {} },
  ]);
  const shape = { type: 'object', properties: { a: { $ref: '#/$defs/Any' } } };
  const deep = { ...shape, $defs: { Any: { oneOf: Array.from({ length: 20 }, () => shape) } } };
  deepStrictEqual(argsFields({ argsSchema: deep }, '{"a": '.repeat(8) + '{}' + '}'.repeat(8)), []);
});
