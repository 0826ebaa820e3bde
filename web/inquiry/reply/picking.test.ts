import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Option, Question } from '#shared/inquiry.ts';
import { shortChoice } from './picking.ts';

const YES = { value: 'yes', label: 'Yes' };
const NO = { value: 'no', label: 'No', description: 'everyone has it by 14:20' };
const ask = (options: Option[], more: object = {}): Question => ({
  id: 'q',
  type: 'choice',
  prompt: 'Now?',
  options,
  ...more,
});
const areButtons = (...questions: Question[]) => shortChoice({ questions }) !== undefined;

test('two or three short options of a question asked alone are buttons', () => {
  deepStrictEqual(
    [
      areButtons(ask([YES, NO])),
      areButtons(ask([YES, NO, { value: 'x', label: 'x'.repeat(24) }], { allowOther: true })),
      areButtons(ask([YES, { value: 'x', label: '立即发布到生产环境，现在' }])),
    ],
    [true, true, true],
  );
});

test('whatever would be cut, hidden or left blank on a button is a list', () => {
  const long = { value: 'x', label: 'x'.repeat(25) };
  deepStrictEqual(
    [
      areButtons(ask([YES])),
      areButtons(ask([YES, NO, { value: 'a', label: 'a' }, { value: 'b', label: 'b' }])),
      areButtons(ask([YES, long])),
      areButtons(ask([YES, { value: 'x', label: '立即发布到生产环境，现在吗' }])),
      areButtons(ask([YES, { ...NO, description: 'x'.repeat(61) }])),
      areButtons(ask([YES, { ...NO, label: 'No\nor not' }])),
      areButtons(ask([YES, { ...NO, preview: '# why' }])),
      areButtons(ask([YES, NO], { required: false })),
      areButtons(ask([YES, NO]), ask([YES, NO])),
      areButtons(ask([YES, NO], { type: 'multi' })),
      areButtons({ id: 't', type: 'text', prompt: 'Why?' }),
      areButtons(),
    ],
    Array.from({ length: 12 }, () => false),
  );
});
