import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { answerLines } from './said.ts';

const say = (inquiry: object, answer: object, language: 'en' | 'zh' = 'en') =>
  answerLines(inquiry as Inquiry, answer as AnswerContent, language).split('\n');

test('a form is told field by field, and of several questions each with its answer', () => {
  const line = { type: 'object', properties: { sku: { type: 'string', title: 'Item' } } };
  const shapes = [{ properties: { last4: {} } }, { properties: { to: { title: 'To whom' } } }];
  const properties = {
    name: { title: 'Name' },
    lines: { type: 'array', title: 'Lines', items: line },
    pay: { title: 'Payment', oneOf: shapes },
  };
  const form = { id: 'f', type: 'form', prompt: 'Invoice', schema: { type: 'object', properties } };
  const values = { name: 'Anna Berg', amount: 340, lines: [{ sku: 'A-1' }], pay: { to: 'Ben' } };
  deepStrictEqual(say({ questions: [form] }, { values: { f: values } }), [
    'Name: Anna Berg',
    'amount: 340',
    'Lines 1, Item: A-1',
    'Payment, To whom: Ben',
  ]);
  const options = [
    { value: '1', label: 'First' },
    { value: '2', label: 'Second' },
  ];
  const questions = [
    { id: 'a', type: 'choice', prompt: 'Which logo?', options },
    { id: 'b', type: 'multi', header: 'Sizes', prompt: 'Which sizes?', options },
    { ...form, header: 'Invoice' },
    { id: 'pw', type: 'text', prompt: 'Password', secret: true },
  ];
  deepStrictEqual(say({ questions }, { values: { a: '2', b: ['1', '2'], f: values } }), [
    'Which logo? Second',
    'Sizes: First, Second',
    'Invoice',
    'Name: Anna Berg',
    'amount: 340',
    'Lines 1, Item: A-1',
    'Payment, To whom: Ben',
    'Password: (given, not shown here)',
  ]);
  deepStrictEqual(
    say({ questions: questions.slice(1, 2).concat(questions[3] as never) }, { values: { b: ['1'] } }, 'zh'),
    ['Sizes：First', 'Password：（已提供，此处不显示）'],
  );
});

test('calls are told by how many were decided how, with the words about them', () => {
  const option = { id: 'no', label: 'No, and stop', type: 'reject' };
  const actions = ['a', 'b', 'c'].map((name) => ({ name, args: {}, options: [option] }));
  const reject = { type: 'reject', optionId: 'no', message: 'Not that one.' };
  deepStrictEqual(say({ actions }, { decisions: [{ type: 'approve' }, { type: 'approve' }, reject] }), [
    'Approved 2, rejected 1',
    'No, and stop',
    'Not that one.',
  ]);
  deepStrictEqual(say({ actions: actions.slice(0, 1) }, { decisions: [{ type: 'edit', args: { n: 1 } }] }), [
    'Approved with changes',
  ]);
});

test('an option that is called as its verb is not said twice', () => {
  const options = [{ id: 'yes', label: 'Approve', type: 'approve' }];
  const actions = [{ name: 'a', args: {}, options }];
  deepStrictEqual(say({ actions }, { decisions: [{ type: 'approve', optionId: 'yes' }] }), ['Approved']);
});

test('a schema whose members are of any other type names the fields as they are', () => {
  for (const odd of [null, 7, true, 'x', {}, [null]]) {
    const schema = { oneOf: odd, anyOf: odd, items: odd, properties: odd, title: odd };
    const form = { id: 'f', type: 'form', prompt: 'Odd', schema: { ...schema, properties: { a: schema } } };
    const [said] = say({ questions: [form] }, { values: { f: { a: { b: [1] } } } });
    deepStrictEqual(said?.endsWith(': 1'), true);
  }
});
