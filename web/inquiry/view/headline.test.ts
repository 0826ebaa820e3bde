import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { readHeadline, questionHeadline } from './headline.ts';

const inquiry = (parts: Partial<Inquiry>) => ({ title: 'Ship it?', ...parts }) as Inquiry;

test('the line that became the title is not said twice, and nothing else is left out', () => {
  deepStrictEqual(readHeadline(inquiry({ prompt: '# Ship it?\n\nAll tests passed.' })), {
    ask: 'Ship it?',
    prose: 'All tests passed.',
  });
  deepStrictEqual(readHeadline(inquiry({ prompt: 'All tests passed.' })), {
    ask: 'Ship it?',
    prose: 'All tests passed.',
  });
});

test('a title that was cut short leaves the whole prompt standing', () => {
  const prompt = 'Ship it? And if so, to whom first?';
  deepStrictEqual(readHeadline(inquiry({ prompt })), { ask: 'Ship it?', prose: prompt });
});

test('a title that the hub cut is not said twice: it stands whole, or goes on below', () => {
  const told = 'I drop the old tables now and that drops the audit table for good.';
  const cut = (prompt: string) => readHeadline(inquiry({ title: 'I drop the old tables now and that…', prompt }));
  deepStrictEqual(cut(`${told}\n\nMay I?`), { ask: told, prose: 'May I?' });
  const long = `${told}${' It is old.'.repeat(30)}`;
  deepStrictEqual(cut(`${long}\nMay I?`), {
    ask: 'I drop the old tables now and that…',
    prose: `…${long.slice('I drop the old tables now and that'.length)}\n\nMay I?`,
  });
});

test('a single question and a single call bring their own words', () => {
  const questions: Inquiry['questions'] = [{ id: 'a', type: 'text', prompt: 'Ship it?\nSay when.' }];
  deepStrictEqual(readHeadline(inquiry({ prompt: 'Before the weekend.', questions })), {
    ask: 'Ship it?',
    prose: 'Before the weekend.\n\nSay when.',
  });
  const actions: Inquiry['actions'] = [{ name: 'Ship it?', args: {}, description: 'It ships.', allowed: ['approve'] }];
  deepStrictEqual(readHeadline(inquiry({ actions })), { ask: 'Ship it?', prose: 'It ships.' });
});

test('a prompt is never heading and body: bold, of two lines, a quotation, or told twice', () => {
  const questions: Inquiry['questions'] = [{ id: 'a', type: 'text', prompt: 'Bill **Anna Berg**\n\nBy Friday.' }];
  const bold = { ask: 'Bill Anna Berg', prose: 'By Friday.' };
  deepStrictEqual(
    [
      readHeadline(inquiry({ title: 'Bill Anna Berg', questions })),
      readHeadline(inquiry({ title: 'Bill **Anna Berg**', questions })),
      readHeadline(inquiry({ title: 'Bill Anna Berg', prompt: 'Bill **Anna Berg**', questions })),
      readHeadline(inquiry({ prompt: 'Ship it?\n========\n\nNow.' })),
      readHeadline(inquiry({ prompt: '> Ship it?' })),
      readHeadline(inquiry({ prompt: '- Ship it?\n- Or not?' })),
      readHeadline(inquiry({ title: '5 degrees', prompt: '-5 degrees' })),
    ],
    [
      bold,
      bold,
      bold,
      { ask: 'Ship it?', prose: 'Now.' },
      { ask: 'Ship it?', prose: '' },
      { ask: 'Ship it?', prose: '- Ship it?\n- Or not?' },
      { ask: '5 degrees', prose: '-5 degrees' },
    ],
  );
});

test('one of several questions is its first line, what follows is prose', () => {
  deepStrictEqual(questionHeadline({ id: 'a', type: 'text', prompt: '**How many?**\n\nThe room is small.' }), {
    ask: 'How many?',
    prose: 'The room is small.',
  });
});

test('code and tables that come first are left whole, and the heading is the first line of words', () => {
  const code = '```\na\nb\n```\nOK?';
  const table = '| a | b |\n|---|---|\n| c | d |';
  deepStrictEqual(
    [
      readHeadline(inquiry({ title: 'OK?', prompt: code })),
      readHeadline(inquiry({ title: '```', prompt: code })),
      readHeadline(inquiry({ title: '| a | b |', prompt: table })),
      questionHeadline({ id: 'a', type: 'text', prompt: `${table}\n\nWhich?` }),
      questionHeadline({ id: 'a', type: 'text', prompt: code }),
      questionHeadline({ id: 'a', type: 'text', prompt: '~~~\na' }),
    ],
    [
      { ask: 'OK?', prose: code },
      { ask: '```', prose: code },
      { ask: '| a | b |', prose: table },
      { ask: 'Which?', prose: `${table}\n\nWhich?` },
      { ask: 'OK?', prose: code },
      { ask: '~~~', prose: '~~~\na' },
    ],
  );
});
