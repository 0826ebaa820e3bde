import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Marked } from 'marked';
import { parseBounded } from './bounded.ts';

const { defaults } = new Marked({ gfm: true });
const html = (text: string) => parseBounded(text, defaults);
const lists = (depth: number) => Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- x`).join('\n');

test('[PAG4] markdown that nests deeper than 50 levels is left as it was written, and 40 are drawn', () => {
  const nested: Record<string, (depth: number) => string> = {
    quotations: (depth) => `a\n\n${'>'.repeat(depth)}x`,
    lists: (depth) => lists(depth),
    both: (depth) => `${'> - '.repeat(depth / 2)}x`,
    emphasis: (depth) => `${'*a **a '.repeat(depth / 2)}x${'a** a*'.repeat(depth / 2)}`,
    images: (depth) => `${'![x'.repeat(depth)}${'](y)'.repeat(depth)}`,
  };
  deepStrictEqual(
    Object.entries(nested).map(([what, of]) => [what, [40, 110, 2500].map((depth) => html(of(depth)) !== undefined)]),
    Object.keys(nested).map((what) => [what, [true, what === 'images', what === 'images']]),
  );
});

test('[PAG4] markdown whose work grows with its square, or whose HTML does, is left as it was written', () => {
  const costly: Record<string, string> = {
    underscores: '_a'.repeat(32_000),
    asterisks: 'a*'.repeat(32_000),
    tildes: '~a'.repeat(32_000),
    addresses: 'http://a.b/(('.repeat(5000),
    'a table of millions of cells': `${'|h'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|\n${'|x|\n'.repeat(5000)}`,
    'many lines in many quotations': `${'- > '.repeat(20)}x\n${'x\n'.repeat(32_000)}`,
  };
  deepStrictEqual(
    Object.entries(costly).filter(([, text]) => html(text) !== undefined),
    [],
  );
});

test('usual text of 64 KiB is drawn, whatever it is made of', () => {
  const paragraph = 'A *word* and **another** with `code`, a [link](https://a.example) and ~~nothing~~ more.\n';
  const usual: Record<string, string> = {
    paragraphs: `${paragraph.repeat(8)}\n`.repeat(90),
    'one long word': 'x'.repeat(65_000),
    'a list of 10,000': '- word\n'.repeat(9300),
    'lists in quotations': `> - one\n>   - two ${paragraph}\n`.repeat(600),
    'a table of 1,000 rows': `| a | b | c |\n|---|---|---|\n${'| one | *two* | three |\n'.repeat(2500)}`,
    code: `\`\`\`ts\n${'const a = `_x_ * ${b}`;\n'.repeat(2500)}\`\`\``,
  };
  for (const [what, text] of Object.entries(usual)) {
    ok(text.length > 40_000, what);
    match(html(text) ?? '', /^<(?:p|ul|blockquote|table|pre)>/, what);
  }
});

test('a table is as wide as its widest row: no cell is left out', () => {
  deepStrictEqual(
    ['| a |\n|-|\n| b | c |', 'a | b\n-|-\nc|d|e|f\n\nz', '|a|b|\n|:-|-:|\n|c \\| d|e|f|'].map((text) =>
      (html(text) ?? '').replace(/\n/g, '').replace(/<\/?(?:thead|tbody|tr)>/g, ''),
    ),
    [
      '<table><th>a</th><th></th><td>b</td><td>c</td></table>',
      '<table><th>a</th><th>b</th><th></th><th></th><td>c</td><td>d</td><td>e</td><td>f</td></table><p>z</p>',
      '<table><th align="left">a</th><th align="right">b</th><th></th><td align="left">c | d</td><td align="right">e</td><td>f</td></table>',
    ],
  );
});
