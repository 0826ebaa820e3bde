import { deepStrictEqual, strictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonical, isMisread, isRaw, JsonError, parseExact, plain } from './json.ts';

const malformed = { name: 'Error', constructor: JsonError, kind: 'malformed' };
const unsafe = { name: 'Error', constructor: JsonError, kind: 'unsafe' };

test('a number comes back as it was written', () => {
  for (const text of [
    '9007199254740993',
    '-9007199254740993',
    '1.0',
    '1e3',
    '1E+3',
    '-0',
    '0.10',
    '1e400',
    '123456789012345678901234567890',
  ])
    strictEqual(JSON.stringify(parseExact(`{"n":[${text}]}`)), `{"n":[${text}]}`);
});

test('a text that looks like a number stays a text, also beside numbers that are kept as written', () => {
  const text = '{"1.0":"1.0","a\\"1.0":["-0","x1e3",1.0,[-0,"\\\\"],true,null],"b":{"c":1e3,"d":"[1.0]"}}';
  strictEqual(JSON.stringify(parseExact(text)), text);
  throws(() => parseExact('{"a":"\\u00001.0","b":1.0}'), unsafe);
});

test('any JSON text without white space comes back byte for byte', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, noUnicodeString: false }), (text) => {
      const compact = JSON.stringify(JSON.parse(text));
      fc.pre(!compact.includes('\\u') && !compact.includes('__proto__'));
      strictEqual(JSON.stringify(parseExact(compact)), compact);
    }),
  );
});

test('a number that a double holds as written stays an ordinary number', () => {
  const parsed = parseExact('{"a":1,"b":-1.5,"c":1e21}') as { a: unknown; b: unknown; c: unknown };
  deepStrictEqual([parsed.a, parsed.b, isRaw(parsed.a), isRaw(parsed.c)], [1, -1.5, false, true]);
});

test('plain gives ordinary numbers to code that computes', () => {
  deepStrictEqual(plain(parseExact('{"a":1.0,"b":[9007199254740993,"x",null]}')), {
    a: 1,
    b: [9007199254740992, 'x', null],
  });
});

test('the canonical text sorts members by code unit at every level and keeps arrays and numbers', () => {
  const text = '{"b":[{"d":1.0,"c":9007199254740993}],"a":{"é":1,"z":2,"Z":3,"10":4,"9":5}}';
  strictEqual(
    canonical(parseExact(text)),
    '{"a":{"10":4,"9":5,"Z":3,"z":2,"é":1},"b":[{"c":9007199254740993,"d":1.0}]}',
  );
});

test('the canonical text does not depend on the order in which members were written', () => {
  const shuffled = fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
    .chain((object) =>
      fc.tuple(
        fc.constant(object),
        fc.shuffledSubarray(Object.keys(object), { minLength: Object.keys(object).length }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([object, order]) => {
      const reordered = Object.fromEntries(order.map((member) => [member, object[member]]));
      strictEqual(canonical(reordered), canonical(object));
      strictEqual(canonical(JSON.parse(canonical(object))), canonical(object));
    }),
  );
});

test('what is not JSON is malformed', () => {
  for (const text of ['', '{', '{"a":}', "{'a':1}", '[1,]', 'undefined', 'NaN', '01', '"a\nb"', '1 2'])
    throws(() => parseExact(text), malformed);
});

test('64 levels are read and 65 are refused before anything is parsed', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  strictEqual(JSON.stringify(parseExact(nested(64))), nested(64));
  throws(() => parseExact(nested(65)), malformed);
  throws(() => parseExact('{"a":'.repeat(65) + '1' + '}'.repeat(65)), malformed);
  throws(() => parseExact('['.repeat(1_000_000)), malformed);
});

test('brackets inside a text are not levels', () => {
  const text = JSON.stringify({ a: '['.repeat(100), b: `\\"${'{'.repeat(100)}` });
  strictEqual(JSON.stringify(parseExact(text)), text);
});

test('a member that stands twice in one object is unsafe, plain or escaped, at any depth, and in two objects it is not', () => {
  for (const bad of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"\\u0061":2}',
    '[{"b":{"a":1.0,"x":":","a":[]}}]',
  ])
    throws(() => parseExact(bad), unsafe);
  const good = '[{"a":":"},{"a":{"a":"a\\":b"}}]';
  strictEqual(JSON.stringify(parseExact(good)), good);
});

test('U+0000, half a surrogate pair and __proto__ are unsafe, in values and in members', () => {
  for (const bad of ['a\\u0000b', '\\ud83d', '\\ude00x', 'x\\ud83dy']) {
    throws(() => parseExact(`"${bad}"`), unsafe);
    throws(() => parseExact(`{"a":["${bad}"]}`), unsafe);
    throws(() => parseExact(`{"${bad}":1}`), unsafe);
  }
  throws(() => parseExact('{"a":{"__proto__":{"admin":true}}}'), unsafe);
  throws(() => parseExact('{"\\u005f_proto__":1}'), unsafe);
  strictEqual(parseExact('"\\ud83d\\ude00"'), '😀');
});

test('whatever the text, the outcome is a value or a JsonError', () => {
  const nearJson = fc
    .array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '1', '-', '.', 'e', 'null', '\\u0000', '\\ud800', ' '),
      { maxLength: 30 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearJson), (text) => {
      try {
        parseExact(text);
      } catch (error) {
        strictEqual(error instanceof JsonError, true, String(error));
      }
    }),
  );
});

test('a member that the engine reads under another name is refused, and no other is', () => {
  // Shapes that only this test makes: once it has read the first, Node 24.21 reads the second as having its names.
  const cases: [string, string, unknown][] = [
    ['{"mis":1,"read":2,"\\\\u0063o":1}', '{"mis":1,"read":2,"\\u0063ommand":3}', { mis: 1, read: 2, command: 3 }],
    ['{"misread":1,"\\\\":1}', '{"misread":1,"\\n":1}', { misread: 1, '\n': 1 }],
    ['[{"misread2":7,"\\\\u0":1}]', '[{"misread2":7,"\\u0061bc" :1}]', [{ misread2: 7, abc: 1 }]],
  ];
  const read = (text: string): unknown => {
    try {
      return parseExact(text);
    } catch (error) {
      return (error as JsonError).kind;
    }
  };
  for (const [first, second, right] of cases) {
    strictEqual(JSON.stringify(parseExact(first)), first);
    const seen = read(second);
    deepStrictEqual(seen === 'unsafe' ? right : seen, right);
  }
  const held = { ab: { 'c\n': [1, 'x":'] }, d: 'd"' };
  strictEqual(isMisread('{"a\\u0062":{"c\\n":[1,"x\\":"]},"d":"\\u0064\\""}', held), false);
  strictEqual(isMisread('{"a\\u0062":1,"c":2}', { 'a\\': 1, c: 2 }), true);
  // One that hides another behind its name.
  strictEqual(isMisread('{"a\\u0062":1,"a\\\\":2}', { 'a\\': 2 }), true);
  const paths = '{"C:\\\\a\\"b":{"\\u00e9\\t":[{"\\\\":1.0}]}}';
  strictEqual(JSON.stringify(parseExact(paths)), paths.replace('\\u00e9', 'é'));
});
