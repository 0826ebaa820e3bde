import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { fold, languageOfMember, languageOfPath } from './arguments.ts';
import { tokenize } from './highlight.ts';

test('highlighted code is the same text, character for character, whatever it holds', () => {
  const hostile = `const a = "<b>&amp;'\u202E</span>"; // <script>&lt;\n\`\${a}\` < 2 && 'x'`;
  for (const language of ['typescript', 'json', 'bash', 'sql', 'xml', 'markdown', 'yaml', 'python'] as const)
    equal(
      tokenize(hostile, language)
        .map(({ text }) => text)
        .join(''),
      hostile,
      language,
    );
  deepStrictEqual(
    tokenize('{"a": 1}', 'json').filter(({ tone }) => tone === 'name'),
    [{ text: '"a"', tone: 'name' }],
  );
});

test('the language of an argument is told by its name, by what stands beside it, or by being JSON', () => {
  const told = (name: string, text: string, siblings: { name: string; text?: string }[] = []) =>
    languageOfMember(name, text, siblings);
  deepStrictEqual(
    [
      languageOfPath('/srv/app/main.PY'),
      languageOfPath('Dockerfile'),
      languageOfPath('notes'),
      told('statement', 'select 1'),
      told('query', 'cheap flights'),
      told('content', 'x', [{ name: 'file_path', text: 'a/b.ts' }]),
      told('code', 'x', [{ name: 'language', text: 'python' }]),
      told('body', '{"a": [1]}'),
      told('body', '{braces}'),
      told('subject', 'x', [{ name: 'path', text: 'b.ts' }]),
    ],
    ['python', 'bash', undefined, 'sql', undefined, 'typescript', 'python', 'json', undefined, undefined],
  );
});

test('a long text is folded with all that is left counted, a little over is shown whole', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');
  equal(fold(lines(45)).head, lines(45));
  const { head, lines: left, characters } = fold(lines(200));
  deepStrictEqual([head, left, characters], [lines(40), 160, lines(200).length - lines(40).length]);
  const long = '\u{1F600}'.repeat(5000);
  const cut = fold(`a${long}`);
  deepStrictEqual(
    [cut.head.length, cut.head.length + cut.characters, cut.head.endsWith('\u{1F600}')],
    [3999, 10001, true],
  );
});
