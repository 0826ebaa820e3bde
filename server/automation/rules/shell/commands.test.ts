import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCommands } from './commands.ts';

const ascii = fc.string({
  unit: fc.constantFrom(...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))),
});
const bare = fc.stringMatching(/^[\w./:,@%+-]+$/);
const single = ascii.map((text) => text.replaceAll(/['!]/g, '').replace(/\\+$/, ''));
const double = ascii.map((text) => text.replaceAll(/["$`\\!]/g, ''));
const word = fc.oneof(
  bare.map((text) => ({ text, written: text })),
  single.map((text) => ({ text, written: `'${text}'` })),
  double.map((text) => ({ text, written: `"${text}"` })),
);
const command = fc
  .tuple(
    bare.map((name) => `x${name}`),
    fc.array(word, { maxLength: 5 }),
  )
  .map(([name, words]) => ({
    words: [name, ...words.map(({ text }) => text)],
    written: [name, ...words.map((one) => one.written)].join(' '),
  }));
const separator = fc.constantFrom(
  ';',
  ' ; ',
  '&&',
  ' && ',
  ' || ',
  '|',
  ' | ',
  '\n',
  '\n\n',
  ' &&\n ',
  ' |\n',
  ';\n',
  ' 2>&1 | ',
  ' >/dev/null; ',
);

test('a line of plain and quoted words is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 5 }), separator, (commands, between) => {
      deepStrictEqual(
        parseCommands(commands.map(({ written }) => written).join(between)),
        commands.map(({ words }) => words),
      );
    }),
  );
});

test('one character outside the alphabet, and the whole line is not understood', () => {
  const foreign = fc.oneof(
    fc.constantFrom(...'$`\\<>(){}[]*?~#!^\t\r\0\x7f&'.split('')),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }).filter((text) => /[^\n -~]/.test(text)),
  );
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 3 }), foreign, fc.nat(), (commands, character, place) => {
      const words = commands.flatMap(({ words: [name = ''] }) => name);
      const line = words.join('; ');
      const at = place % (line.length + 1);
      strictEqual(parseCommands(line.slice(0, at) + character + line.slice(at)), undefined);
    }),
  );
});

test('no text makes it throw, and what it reads has words of printable ASCII', () => {
  const shellish = fc.string({ unit: fc.constantFrom(...`ab1 '"\n;|&=><$\\\`!./-+{}()[]*?~#\t\ré`.split('')) });
  fc.assert(
    fc.property(fc.oneof(shellish, fc.string({ unit: 'binary' }), fc.string()), (line) => {
      const commands = parseCommands(line);
      ok(
        commands === undefined ||
          commands.every((words) => words.length > 0 && words.every((one) => /^[ -~]*$/.test(one))),
      );
    }),
    { numRuns: 5_000 },
  );
});

test('a line is read up to 64 KiB and 1000 words', () => {
  const repeated = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
  deepStrictEqual(
    [
      parseCommands(`cat ${repeated('x', 65_532)}`)?.[0]?.length,
      parseCommands(`cat ${repeated('x', 65_533)}`),
      parseCommands(repeated('a;', 2_000))?.length,
      parseCommands(repeated('a;', 2_002)),
      parseCommands(repeated('a ', 2_002)),
      parseCommands(`${repeated('a=', 65_535)}$`),
      ...[`'`, `"`, `''""`, ' ', '\n', 'a ', 'a|', '$(', '2>&1 ', `"a"'b'c`].map((text) =>
        parseCommands(`a${repeated(text, 65_534)}$`),
      ),
    ],
    [2, undefined, 1_000, ...Array.from({ length: 13 }, () => undefined)],
  );
});

test('a redirection without a command is not understood, wherever it stands: zsh runs cat or more for it', () => {
  const redirections = [
    '>/dev/null',
    '> /dev/null',
    '1>/dev/null',
    '2>/dev/null',
    '2>&1',
    '>x',
    '<x',
    '>/dev/null 2>&1',
  ];
  const places = [
    '@',
    ' @',
    '\n @',
    'a;@',
    'a; @',
    'a ;  @',
    'a;\n @',
    'a\n @',
    'a\n\n @',
    'a && @',
    'a || @',
    'a | @',
  ];
  const lines = [...places, '(@)', '( @ )', '{ @; }', 'a;( @)'].flatMap((place) =>
    ['', ';', '\n', '; a', '\na', ' && a', ' | a', ' a'].flatMap((rest) =>
      redirections.map((redirection) => place.replace('@', redirection) + rest),
    ),
  );
  deepStrictEqual(
    lines.filter((line) => parseCommands(line) !== undefined),
    [],
  );
});
