import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { holdsTexts, OLD, oldWords } from './labels.ts';
import { isForTests, readFiles } from './tree.ts';

const texts = readFiles(['{web,server,shared}/**/*.{ts,tsx,webmanifest}']).filter(
  (file) => holdsTexts(file) && !isForTests(file.path),
);

test('every text that a person reads says the usual word, in English and in Chinese', () => {
  ok(texts.some(({ path }) => path === 'web/app/words.ts') && texts.length > 40);
  deepStrictEqual(oldWords(texts), []);
});

test('an old word in a text is named with the usual one; in a comment, a path or an identifier it is not', () => {
  const planted = [
    "import { openLetter } from '../live/letters.ts';",
    '/** Whether it rings. */',
    'const letter = openLetter;',
    "export const en = { fine: 'Fine', ring: 'Let it ring', say: `${name} knocks`, code: 'let_in' };",
    "export const zh = { owner: '主人', hint: 'Lower-case letters, and 收件箱', door: '开一道门' };",
  ].join('\n');
  deepStrictEqual(oldWords([{ path: 'a.ts', text: planted }]), [
    'a.ts says "Fine"; say OK, 好',
    'a.ts says "Let it ring"; say notifications, 通知',
    'a.ts says "${name} knocks"; say sign in, 登录',
    'a.ts says "主人"; say 所有者',
    'a.ts says "开一道门"; say gate, 审批网关',
  ]);
  ok(
    OLD.every(([old]) => !old.global),
    'a pattern with a memory would pass every second text',
  );
});
