import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Question } from '#shared/inquiry.ts';
import { formFaults, formValue } from './answering.ts';
import { nestedNodes, withoutBlanks } from './nested.ts';

const stop = { type: 'object', required: ['at'], properties: { at: { type: 'string' }, nights: { type: 'integer' } } };
const schema = {
  type: 'object',
  required: ['traveller', 'stops'],
  properties: {
    traveller: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, seat: { type: 'string', default: 'aisle' } },
    },
    stops: { type: 'array', minItems: 1, items: stop },
    bill: { type: 'object', properties: { to: { type: 'string' } } },
    note: { type: 'string' },
  },
};
const form = { id: 'q', type: 'form', prompt: 'Which way?', schema } as Extract<Question, { type: 'form' }>;
const part = (json: string) => ({ type: 'form' as const, own: json !== '', raw: {}, json });

test('a nested form begins with what it requires and its defaults, and its fields refuse what is missing', () => {
  deepStrictEqual(
    nestedNodes(schema, '')?.map((node) => node.kind),
    ['object', 'list', 'absent', 'field'],
  );
  deepStrictEqual(formValue(form, part(''), false), { traveller: { seat: 'aisle' }, stops: [{}] });
  deepStrictEqual(formFaults(form, part('')), [
    { field: 'traveller/name', code: 'answer.missing', params: {} },
    { field: 'stops/0/at', code: 'answer.missing', params: {} },
  ]);
  deepStrictEqual(
    formFaults(form, part('{"traveller": {"name": "Mara"}, "stops": [{"at": "Basel", "nights": "x"}]}')),
    [{ field: 'stops/0/nights', code: 'field.number', params: {} }],
  );
});

test('a nested form that may be skipped and was is no answer; a form that no fields can say takes any object', () => {
  const optional = { ...form, required: false };
  deepStrictEqual([formValue(optional, part(''), false), formFaults(optional, part(''))], [undefined, []]);
  const beyond = { ...form, schema: { ...schema, if: {} } };
  deepStrictEqual(formFaults(beyond, part('')), [{ code: 'answer.missing', params: {} }]);
  deepStrictEqual([formFaults(beyond, part('{"a": 1}')), formValue(beyond, part('{"a": 1}'), false)], [[], { a: 1 }]);
});

test('what was emptied and may be left out is left out', () => {
  const text = '{"traveller": {"name": "", "seat": ""}, "stops": [{"at": ""}], "note": ""}';
  deepStrictEqual(JSON.parse(withoutBlanks(schema, text)), { traveller: { name: '' }, stops: [{ at: '' }] });
});
