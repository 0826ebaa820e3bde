import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { argsFaults, argsFields, argsRaw, withFields } from './fields.ts';

const ASKED = '{"order": "A-1077", "amount": 12345678901234567890, "express": true}';
const kinds = (argsText: string, argsSchema?: Record<string, unknown>) =>
  argsFields(argsSchema ? { argsSchema } : {}, argsText)?.map(({ name, kind }) => [name, kind]);

test('flat arguments are edited in fields, with or without a schema; what fields cannot hold is not', () => {
  const properties = { order: { type: 'string' }, speed: { enum: ['slow', 'fast'] } };
  deepStrictEqual(
    [
      kinds(ASKED),
      kinds('{"order": "A"}', { type: 'object' }),
      kinds('{"order": "A"}', { type: 'object', properties }),
      kinds('{"order": 7}', { type: 'object', properties }),
      kinds('{"speed": "warp"}', { type: 'object', properties }),
      kinds('{"more": 1}', { type: 'object', properties }),
      kinds('{"lines": [1]}'),
      kinds('{"none": null}'),
      kinds('{"a": 1, "a": 2}'),
      kinds('[1]'),
      kinds('{}'),
    ],
    [
      [
        ['order', 'string'],
        ['amount', 'number'],
        ['express', 'boolean'],
      ],
      [['order', 'string']],
      [
        ['order', 'string'],
        ['speed', 'choice'],
      ],
      ...Array.from({ length: 8 }, () => undefined),
    ],
  );
});

test('changing one field leaves the others as they were written, to the last digit', () => {
  const fields = argsFields({}, ASKED) ?? [];
  const raw = argsRaw(fields, ASKED);
  deepStrictEqual(raw, { order: 'A-1077', amount: '12345678901234567890', express: true });
  equal(
    withFields(fields, ASKED, { ...raw, order: 'B "2"\n', express: false }),
    '{\n  "order": "B \\"2\\"\\n",\n  "amount": 12345678901234567890,\n  "express": false\n}',
  );
  equal(JSON.parse(withFields(fields, ASKED, { ...raw, amount: '0.50' })).amount, 0.5);
});

test('a number that was cleared and typed anew stands where it stood', () => {
  const fields = argsFields({}, ASKED) ?? [];
  const raw = argsRaw(fields, ASKED);
  const cleared = withFields(fields, ASKED, { ...raw, amount: '' }, ASKED);
  const typed = withFields(fields, cleared, { ...argsRaw(fields, cleared), amount: '7' }, ASKED);
  deepStrictEqual(
    [cleared, typed].map((text) => Object.entries(JSON.parse(text) as object)),
    [
      [
        ['order', 'A-1077'],
        ['express', true],
      ],
      [
        ['order', 'A-1077'],
        ['amount', 7],
        ['express', true],
      ],
    ],
  );
});

test('what does not fit its field is told, and what the asker wrote itself passes', () => {
  const fields = argsFields({}, ASKED) ?? [];
  const typed = withFields(fields, ASKED, { ...argsRaw(fields, ASKED), amount: 'a lot' });
  deepStrictEqual(
    [argsFaults({}, ASKED, ASKED), argsFaults({}, ASKED, typed), argsFaults({}, ASKED, '{"order": "A"}')],
    [
      [],
      [{ field: 'amount', code: 'field.number', params: {} }],
      [
        { field: 'amount', code: 'answer.missing', params: {} },
        { field: 'express', code: 'answer.missing', params: {} },
      ],
    ],
  );
  const argsSchema = { type: 'object', properties: { amount: { type: 'integer', maximum: 500 } } };
  deepStrictEqual(argsFaults({ argsSchema }, '{"amount": 340}', '{"amount": 501}'), [
    { field: 'amount', code: 'field.maximum', params: { maximum: 500 } },
  ]);
});

test('[PAG4] arguments of more fields than a page can draw are edited as JSON', () => {
  const count = (fields: number) =>
    kinds(JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, at) => [`m${at}`, at]))))?.length;
  deepStrictEqual([count(200), count(201), count(12_000)], [200, undefined, undefined]);
});
