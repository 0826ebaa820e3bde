import type { Chance } from '../hub/chance.ts';

/** Texts that have broken servers before. Half a surrogate pair reaches the wire as its JSON escape. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'tail \udc00',
  '\u0007\u001b[31m',
  'line\nbreak\r\n\u2028\u2029',
  '🙈👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'שלום \u202e‮ مرحبا \u2066evil\u2069',
  'e\u0301'.repeat(200),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "' or 1=1; drop table inquiries; --",
  '../../etc/passwd',
  '${7*7}{{7*7}}<script>alert(1)</script>',
  '%00%ff',
  'x'.repeat(141),
  'x'.repeat(70_000),
  '😀'.repeat(20_000),
  'javascript:alert(1)',
  'http://169.254.169.254/',
  '2026-02-30T25:61:00Z',
  '-271821-04-20T00:00:00Z',
  'inq_zzzzzzzzzzzzzzzzzzzzzzzzzz',
];

/** JSON as text, because some of these do not survive `JSON.stringify`. */
const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1e999',
  '-1e999',
  '9007199254740993',
  '1e-400',
  '0.1',
  '1.0',
  '2592000000000',
  '123456789012345678901234567890',
];
const OTHERS = [
  'null',
  'true',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"__proto__":{"owner":true}}',
  '{"constructor":{"prototype":1}}',
  '{"toString":1,"valueOf":2}',
  '{"length":-1}',
  '"\\ud83d"',
];

/** A JSON text that is wrong nearly everywhere. */
export function nastyJson(chance: Chance): string {
  switch (chance.below(6)) {
    case 0:
      return chance.of(NUMBERS);
    case 1:
      return chance.of(OTHERS);
    case 2:
      return nested(chance.of([3, 60, 63, 64, 65, 200]), chance.of(['[', '{']));
    case 3:
      return `[${Array.from({ length: chance.of([21, 101, 2000]) }, () => chance.of(NUMBERS)).join(',')}]`;
    default:
      return JSON.stringify(chance.of(TEXTS));
  }
}

/** Nesting of this depth. */
export function nested(depth: number, bracket: '[' | '{'): string {
  return bracket === '[' ? '['.repeat(depth) + ']'.repeat(depth) : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** Bodies that are hardly JSON. */
export function brokenBody(chance: Chance): Buffer {
  const text = chance.of([
    '',
    ' ',
    '{',
    '{"a":1}{"b":2}',
    "{'a':1}",
    '{"a":1,}',
    '\ufeff{}',
    'null',
    '"text"',
    '1',
    '[]',
    'NaN',
    '{"prompt":"\u0001"}',
    nested(100_000, '['),
    `{"prompt":"${'x'.repeat(262_200)}"}`,
  ]);
  const bytes = Buffer.from(text);
  return chance.below(4) === 0
    ? Buffer.concat([
        Buffer.from('{"prompt":"'),
        Buffer.from(chance.of([[0xff, 0xfe], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8]])),
        bytes,
        Buffer.from('"}'),
      ])
    : bytes;
}

/** The JSON text of `body` with up to three of its parts replaced, removed, doubled or added. */
export function spoil(body: unknown, chance: Chance): string {
  const marks = new Map<string, string>();
  let copy: unknown = structuredClone(body);
  for (let times = 1 + chance.below(3); times > 0; times--) copy = spoilOnce(copy, chance, marks);
  let text = JSON.stringify(copy) ?? 'null';
  for (const [mark, json] of marks) text = text.replaceAll(`"${mark}"`, () => json);
  return text;
}

function spoilOnce(value: unknown, chance: Chance, marks: Map<string, string>): unknown {
  if (typeof value !== 'object' || value === null || chance.below(5) === 0) return marked(chance, marks);
  if (Array.isArray(value)) {
    const at = chance.below(value.length + 1);
    if (at === value.length) return [...value, ...(chance.below(2) ? value : [marked(chance, marks)])];
    return value.with(at, spoilOnce(value[at], chance, marks));
  }
  const members = Object.entries(value);
  const [name, inner] = members[chance.below(members.length)] ?? ['', undefined];
  switch (chance.below(5)) {
    case 0:
      return Object.fromEntries(members.filter(([member]) => member !== name));
    case 1:
      return Object.fromEntries([...members, [chance.of(TEXTS).slice(0, 300), marked(chance, marks)]]);
    default:
      return Object.fromEntries(
        members.map(([member, old]) => [member, member === name ? spoilOnce(inner, chance, marks) : old]),
      );
  }
}

function marked(chance: Chance, marks: Map<string, string>): string {
  const mark = `nasty-${marks.size}`;
  marks.set(mark, nastyJson(chance));
  return mark;
}
