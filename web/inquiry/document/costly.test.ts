import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { isCostly } from './costly.ts';
import { CORPUS } from './testing/corpus.ts';

test('a document that the editor would stop the page for is written in as plain lines, and no usual one is', () => {
  const hostile = {
    quotations: `a\n\n${'>'.repeat(2500)}x`,
    'quotations and lists': `${'> - '.repeat(1200)}x`,
    'numbered lists': `${'1. '.repeat(60)}x`,
    'nested lists': Array.from({ length: 240 }, (_, level) => `${'  '.repeat(level)}- x`).join('\n'),
    emphasis: `${'*a **a '.repeat(4000)}x${'a** a*'.repeat(4000)}`,
    brackets: `${'['.repeat(30_000)}x`,
    'lines of brackets': '> [[[[[[[[\r\n'.repeat(5000),
    links: '[a]('.repeat(16_000),
  };
  const usual = {
    ...CORPUS,
    list: '- [a](b) *c*\n'.repeat(5000),
    paragraphs: 'Some *words* and [a link](https://a.example).\n\n'.repeat(1300),
    table: `| a | b |\n|---|---|\n${'| *one* | two |\n'.repeat(2000)}`,
    word: 'x'.repeat(65_000),
    deep: `${'>'.repeat(40)} x`,
  };
  deepStrictEqual(
    [
      Object.entries(hostile).filter(([, text]) => !isCostly(text)),
      Object.entries(usual).filter(([, text]) => isCostly(text)),
    ].map((wrong) => wrong.map(([name]) => name)),
    [[], []],
  );
});
