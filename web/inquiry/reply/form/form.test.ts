import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { inexactNumber } from '../json.ts';
import { fieldFaults } from './faults.ts';
import { type FormField, readForm } from './schema.ts';
import { formWords, toRaw, toValues } from './values.ts';

const schema = {
  type: 'object',
  properties: {
    nights: { type: 'integer', title: 'Nights', minimum: 1, maximum: 14, default: 3 },
    mail: { type: 'string', format: 'email' },
    late: { type: 'boolean' },
    room: { type: 'string', enum: ['s', 'd'], enumNames: ['One bed', 'Two beds'] },
    meals: { type: 'array', items: { anyOf: [{ const: 'b', title: 'Breakfast' }, { const: 'd' }] }, minItems: 1 },
    size: { enum: [1, 2] },
  },
  required: ['nights', 'mail'],
};
const fields = readForm(schema) ?? [];
const field = (name: string) => fields.find((one) => one.name === name) as FormField;

test('a flat object of primitives becomes fields, with the titles and limits it carries', () => {
  deepStrictEqual(
    fields.map(({ name, kind, label, required }) => [name, kind, label, required]),
    [
      ['nights', 'integer', 'Nights', true],
      ['mail', 'string', 'mail', true],
      ['late', 'boolean', 'late', false],
      ['room', 'choice', 'room', false],
      ['meals', 'multi', 'meals', false],
      ['size', 'choice', 'size', false],
    ],
  );
});

test('anything a field cannot say is answered as JSON', () => {
  const beyond = [
    { type: 'object', properties: { a: { type: 'object' } } },
    { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
    { type: 'object', properties: { a: { type: 'string' } }, if: {} },
    { type: 'object', properties: { a: { type: ['string', 'number'] } } },
    { type: 'object', properties: { a: { type: 'string', not: { const: 'x' } } } },
    { type: 'object', properties: { a: { type: 'string' } }, minProperties: 1 },
    { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
    { type: 'object', properties: { a: true } },
    { type: 'array' },
    { type: 'object', properties: {} },
  ];
  deepStrictEqual(
    beyond.map(readForm),
    beyond.map(() => undefined),
  );
});

test('values have the types of the schema, blanks are absent, defaults stand ready', () => {
  const raw = { ...toRaw(fields, { size: 2 }), mail: 'a@b.se', late: false, meals: [1, 0], room: '' };
  deepStrictEqual(toValues(fields, raw, false), { nights: 3, mail: 'a@b.se', late: false, meals: ['b', 'd'], size: 2 });
  equal(formWords(fields, raw), '3, a@b.se, d, Breakfast, 2');
  deepStrictEqual(toRaw(fields, toValues(fields, raw, false)), {
    nights: '3',
    mail: 'a@b.se',
    late: false,
    meals: [0, 1],
    size: [1],
  });
});

test('each limit has its own sentence', () => {
  const code = (name: string, raw: string | number[] | undefined) => fieldFaults(field(name), raw)[0]?.code;
  deepStrictEqual(
    [
      code('nights', undefined),
      code('nights', '0'),
      code('nights', '1'),
      code('nights', '15'),
      code('nights', '2.5'),
      code('nights', 'two'),
      code('nights', '4'),
      code('mail', 'mara@lindqvist'),
      code('mail', 'mara@lindqvist.se'),
      code('meals', []),
      code('late', undefined),
    ],
    [
      'answer.missing',
      'field.minimum',
      undefined,
      'field.maximum',
      'field.integer',
      'field.number',
      undefined,
      'field.email',
      undefined,
      undefined,
      undefined,
    ],
  );
  const text: FormField = {
    name: 'a',
    label: 'a',
    required: true,
    kind: 'string',
    minLength: 2,
    maxLength: 3,
    pattern: '^[a-z]+$',
  };
  deepStrictEqual(
    ['a', 'abcd', 'AB', 'ab', '👩‍👧'].map((raw) => fieldFaults(text, raw)[0]?.code),
    ['field.too_short', 'field.too_long', 'field.pattern', undefined, 'field.pattern'],
  );
});

test('a pattern that could freeze the page is left to the hub', () => {
  const text: FormField = { name: 'a', label: 'a', required: true, kind: 'string' };
  const endless = [
    '^(a+)+$',
    '(a|a)'.repeat(40),
    '(|a)'.repeat(40),
    'a?'.repeat(40) + 'b',
    '^a*a*a*a*a*a*b$',
    '^(a)\\1*a*a*a*$',
    '['.repeat(200_000),
  ];
  deepStrictEqual(
    endless.flatMap((pattern) => fieldFaults({ ...text, pattern }, `${'a'.repeat(2000)}!`)),
    [],
  );
  const mail = `a@${'a'.repeat(250_000)}!`;
  deepStrictEqual(fieldFaults({ ...text, format: 'email' }, mail), []);
  const everyday = ['^[A-Z]{2}\\d{4,8}$', '^https?://\\S+$', '^(\\d{3})-(\\d{4})$', '^(?=.*\\d).{8,}$', '^(yes|no)$'];
  deepStrictEqual(
    everyday.map((pattern) => fieldFaults({ ...text, pattern }, 'does not fit')[0]?.code),
    everyday.map(() => 'field.pattern'),
  );
});

test('a number that would change on its way is named instead of sent', () => {
  deepStrictEqual(fieldFaults({ name: 'a', label: 'a', required: true, kind: 'integer' }, '9007199254740993117'), [
    { code: 'json.inexact', params: { number: '9007199254740993117' } },
  ]);
  equal(inexactNumber('{"a":9007199254740993117}'), '9007199254740993117');
  equal(inexactNumber('{"a":"9007199254740993117","b":9007199254740992,"c":1.50}'), undefined);
});
