import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerContent } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { answerLines } from './said.ts';

const say = (inquiry: object, answer: object, language: 'en' | 'zh' = 'en') =>
  answerLines(inquiry as Inquiry, answer as AnswerContent, language).split('\n');

test('a form is told field by field, and of several questions each with its answer', () => {
  const form = { id: 'f', type: 'form', prompt: 'Invoice' };
  const values = { name: 'Anna Berg', amount: 340, lines: [{ sku: 'A-1' }] };
  deepStrictEqual(say({ questions: [form] }, { values: { f: values } }), [
    'name: Anna Berg',
    'amount: 340',
    'lines.1.sku: A-1',
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
    'name: Anna Berg',
    'amount: 340',
    'lines.1.sku: A-1',
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
