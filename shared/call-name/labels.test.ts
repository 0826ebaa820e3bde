import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { buttonsOf } from './buttons.ts';
import { labelsOf, lookOf } from './labels.ts';
import { answerText, listLabels } from '../text.ts';

const option = (label: string, value: string) => ({ label, value });

test('[SEE1] two labels that a person takes for one another are told apart by their values, else by their numbers', () => {
  const named = (...labels: [string, string][]) => labelsOf(labels.map(([label, value]) => option(label, value)));
  deepStrictEqual(
    [
      named(['Yes', 'y'], ['No', 'n']),
      named(['Go', 'a'], ['go ', 'b'], ['Stop', 'c']),
      // Invisible, and of full width.
      named(['Go', 'a'], ['G\u200bo', 'b'], ['Ｇｏ', 'c']),
      named(['Go', 'a'], ['Go', 'A'], ['Stop', 'c']),
      named(['Go', 'a'], ['Go', 'b'], ['Go (b)', 'c']),
      named(['Go', 'a'], ['Go', 'A'], ['Go (2)', 'c']),
      named(['Go', 'x'.repeat(41)], ['Go', 'y'.repeat(41)]),
      named([' ', 'a'], ['\u3164', '\u200b'], ['Go', 'c']),
      named(['', ' '], ['', '  ']),
      named(['b', 'a'], ['\ufe0f', 'b']),
    ],
    [
      ['Yes', 'No'],
      ['Go (a)', 'go  (b)', 'Stop'],
      ['Go (a)', 'G\u200bo (b)', 'Ｇｏ (c)'],
      ['Go (1)', 'Go (2)', 'Stop'],
      ['Go (1)', 'Go (2)', 'Go (b)'],
      ['Go (1)', 'Go (2)', 'Go (2) (3)'],
      ['Go (1)', 'Go (2)'],
      ['a', '(2)', 'Go'],
      ['(1)', '(2)'],
      ['b (a)', 'b (b)'],
    ],
  );
});

test('any two of a sender’s labels read differently, whatever they are', () => {
  const words = ['Go', 'go', 'Gо', ' ', '', '\u200b', 'Go (1)', 'Go (2)', 'Go (a)', 'Go (1) (1)', '1', '(1)'];
  const values = ['a', 'A', 'Go', ' ', '2', '\u2800'];
  for (const [at, first] of words.entries())
    for (const second of words.slice(at))
      for (const third of words)
        for (const value of values) {
          const told = labelsOf([option(first, value), option(second, `${value} `), option(third, '2')]).map(lookOf);
          strictEqual(new Set(told).size, 3, JSON.stringify([first, second, third, value, told]));
          strictEqual(told.includes(''), false);
        }
});

test('[SEE1] the hub’s verb stands on each button of a sender, whose words are a quotation beside it', () => {
  const options = (...all: [string, 'approve' | 'reject'][]) =>
    all.map(([label, type], at) => ({ id: `id-${at}`, label, type }));
  const both = (...all: [string, 'approve' | 'reject'][]) => [
    buttonsOf(options(...all), 'en'),
    buttonsOf(options(...all), 'zh'),
  ];
  deepStrictEqual(
    [
      both(['Reject', 'approve'], ['Approve', 'reject']),
      both(['Approve', 'approve'], ['批准', 'approve'], ['reject ', 'reject']),
      both(['Once', 'approve'], ['Approve once', 'approve'], ['Approved', 'reject'], ['批准一次', 'approve']),
      both(['Go', 'approve'], ['Go', 'approve'], ['Go', 'reject'], ['\u200b', 'reject']),
      both(['”. Reject “x', 'approve'], ['', 'approve']),
    ],
    [
      [
        ['Approve “Reject”', 'Reject “Approve”'],
        ['批准“Reject”', '拒绝“Approve”'],
      ],
      [
        ['Approve', 'Approve “批准”', 'Reject'],
        ['批准 (id-0)', '批准 (id-1)', '拒绝'],
      ],
      [
        ['Approve “Once” (id-0)', 'Approve “once” (id-1)', 'Reject “Approved”', 'Approve “批准一次”'],
        ['批准“Once” (id-0)', '批准“once” (id-1)', '拒绝“Approved”', '批准“一次”'],
      ],
      [
        ['Approve “Go” (id-0)', 'Approve “Go” (id-1)', 'Reject “Go”', 'Reject'],
        ['批准“Go” (id-0)', '批准“Go” (id-1)', '拒绝“Go”', '拒绝'],
      ],
      [
        ['Approve “". Reject "x”', 'Approve'],
        ['批准“". Reject "x”', '批准'],
      ],
    ],
  );
});

test('several labels are quoted where one holds what stands between two', () => {
  deepStrictEqual(
    [['a', 'b'], ['a, b'], ['a, b', 'a'], ['"a'], ['a、b', 'c']].flatMap((labels) => [
      listLabels(labels, 'en'),
      listLabels(labels, 'zh'),
    ]),
    [
      'a, b',
      'a、b',
      '"a, b"',
      '"a, b"',
      '"a, b", "a"',
      '"a, b"、"a"',
      '"\\"a"',
      '"\\"a"',
      '"a、b", "c"',
      '"a、b"、"c"',
    ],
  );
});

test('[SEE1] the text of an answer tells equal options, questions and lists apart', () => {
  const go = [option('Go', 'north'), option('go', 'south'), option('a, b', 'both'), option('\u200b', 'blank')];
  const choice = { id: 'one', type: 'choice' as const, prompt: 'Where?', options: go };
  const multi = { id: 'two', type: 'multi' as const, prompt: 'where? ', options: go };
  const calls = [
    {
      name: 'vacuum',
      args: {},
      allowed: ['approve' as const],
      options: [
        { id: 'fast', label: 'Go', type: 'approve' as const },
        { id: 'slow', label: 'Go', type: 'approve' as const },
      ],
    },
  ];
  deepStrictEqual(
    [
      answerText({ questions: [choice] }, { values: { one: 'south' } }, 'en'),
      answerText({ questions: [choice] }, { values: { one: 'blank' } }, 'en'),
      answerText({ questions: [multi] }, { values: { two: ['both', 'north'] } }, 'en'),
      answerText({ questions: [choice, multi] }, { values: { one: 'both', two: ['south', 'blank'] } }, 'en'),
      answerText({ actions: calls }, { decisions: [{ type: 'approve', optionId: 'slow' }] }, 'en'),
    ],
    [
      'go (south)',
      'blank',
      '"a, b", "Go (north)"',
      'Where? (one): a, b\nwhere?  (two): go (south), blank',
      'Approved (Go (slow)): `vacuum`, no arguments.',
    ],
  );
});
