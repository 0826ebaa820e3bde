import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { argumentLines, fold, languageOfMember, languageOfPath } from './arguments.ts';
import { readExact } from './exact.ts';
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

test('arguments are listed as names with their values, and no value passes for a line of another', () => {
  const read = (json: string) => argumentLines(readExact(json) ?? { kind: 'other', text: '' });
  deepStrictEqual(
    [
      read('{"description": "Lists files", "timeout": 9007199254740993, "env": {"CI": true, "path": ["a", "b"]}}'),
      read('{"note": "x\\ncommand: rm", "a: 1\\nb": "2", "is": "true", "none": "", "list": []}'),
      read('{}'),
      read('["a"]'),
    ],
    [
      'description: Lists files\ntimeout: 9007199254740993\nenv:\n  CI: true\n  path:\n    1: a\n    2: b',
      'note: "x\\ncommand: rm"\n"a: 1\\nb": "2"\nis: "true"\nnone: ""\nlist: []',
      '{}',
      '[\n  "a"\n]',
    ],
  );
});
