import { deepStrictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonError } from '#shared/json.ts';
import { faultOfText, findSpan, textAt, withItem, withoutValue, withValue } from './json-text.ts';

test('a value is found by its path, whatever stands around it', () => {
  const text =
    ' { "a\\u0062" : [ {"params":1}, "}\\"" ] ,\n"params":{"x":"arguments","arguments" :\t{"n": 1.0 , "s":"]}"} } , "z":tru\\u0065 }'.replace(
      'tru\\u0065',
      'true',
    );
  const at = (path: string[]) => {
    const span = findSpan(text, path);
    return span && text.slice(span.start, span.end);
  };
  deepStrictEqual(
    [
      at(['params', 'arguments']),
      at(['params', 'arguments', 'n']),
      at(['ab']),
      at(['z']),
      at(['none']),
      at(['z', 'a']),
    ],
    ['{"n": 1.0 , "s":"]}"}', '1.0', '[ {"params":1}, "}\\"" ]', 'true', undefined, undefined],
  );
});

test('a value is replaced, or put in with the objects on its way, and the rest stays as it is', () => {
  deepStrictEqual(
    [
      withValue('{"a": {"b" : [1] , "c":2}}', ['a', 'b'], '{"n":1.0}'),
      withValue('{"a": { "c":2}}', ['a', 'b'], '1'),
      withValue('{"a":{ }}', ['a', 'b'], '1'),
      withValue('{ }', ['a', 'b', 'c'], '1'),
    ],
    ['{"a": {"b" : {"n":1.0} , "c":2}}', '{"a": {"b":1, "c":2}}', '{"a":{"b":1 }}', '{"a":{"b":{"c":1}} }'],
  );
});

test('a text that two programs may read differently is named as such', () => {
  const texts = [
    '{"method":"a","method":"b"}',
    '{"method":"a","M\\u0065thod":"b"}',
    '{"Method":"a"}',
    '{"params":{"Name":"a"}}',
    '{"params":{"arguments":{"a":1,"\\u0061":2}}}',
    '[{"id":1,"Id":2}]',
    '{"params":{},"param\u017f":{}}',
    '{"params":{"argument\\u017f":{}}}',
    '{"jsonrpc":"2.0","\uff49d":1}',
    '{"to\u212aen":1,"token":2}',
    '{"params":{"arguments":{"a":1,"A":2,"Name":3,"b":[{"a":1},{"a":2}]}},"id":"{\\"id\\":1,\\"id\\":2}"}',
    '{"params":{"_meta":{"name":1,"Name":2}},"result":{"params":1,"Params":2}}',
    '[]',
    '7',
  ];
  deepStrictEqual(texts.map(faultOfText), [
    'The member "method" stands in it twice.',
    'The member "Method" stands in it twice.',
    'The member "method" is written "Method" in it.',
    'The member "name" is written "Name" in it.',
    'The member "a" stands in it twice.',
    'The member "Id" stands in it twice.',
    'The member "param\u017f" stands in it twice.',
    'The member "arguments" is written "argument\u017f" in it.',
    'The member "id" is written "\uff49d" in it.',
    'The member "token" stands in it twice.',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a number or a word of any length hides nothing behind it', () => {
  const digits = '1'.repeat(5000);
  for (const before of [digits, `-${digits}.5e${digits}`, `[${digits}]`, `"${digits}"`]) {
    const text = `{"x":${before} ,"params":{"x":${before},"arguments":{"n":${digits}},"z":1}}`;
    deepStrictEqual(textAt(text, ['params', 'arguments']), `{"n":${digits}}`);
    deepStrictEqual(withValue(text, ['params', 'arguments'], '{}'), text.replace(`{"n":${digits}}`, '{}'));
  }
});

test('what a parser would read otherwise is told as nothing and changed in no way', () => {
  const twice = '{"params":{"arguments":{"a":1},"arguments":{"a":2}}}';
  const path = ['params', 'arguments'];
  const message = { kind: 'unsafe', message: 'The member "params.arguments" can be read in two ways.' };
  throws(() => textAt(twice, path), message);
  throws(() => textAt('{"params":{}}', path, { params: { arguments: {} } }), message);
  throws(() => textAt('{"params":{"arguments":{}}}', path, { params: {} }), message);
  const cannot = { kind: 'unsafe', message: 'The member "params.arguments" cannot be put into this message.' };
  throws(() => withValue('{"params":{"arguments":{"a":1},"Arguments":{}}}', path, '{}'), cannot);
  for (const text of ['{"params":7}', '{"params":[]}', '{"params":null}', '[]'])
    throws(() => withValue(text, path, '{}'), cannot);
  throws(() => withValue('{"params":{}}', path, '{},"x":1'), cannot);
  throws(() => withValue('{"params":{}}', path, '{"a":1,"a":2}'), cannot);
});

test('a member is taken out, and the rest stays byte by byte as it was before it was put in', () => {
  const path = ['params', 'requestState'];
  const cases = [
    [
      '{"params":{"name":"a","arguments":{"n":9007199254740993.0}}}',
      '{"params":{"name":"a","arguments":{"n":9007199254740993.0},"requestState":"s"}}',
    ],
    ['{ "params" : {"a" : 1 , "b":2} }', '{ "params" : {"a" : 1,\n"requestState" : "\\"}," , "b":2} }'],
    ['{"params":{ "b":1}}', '{"params":{"requestState":{"a":[1,"]"]}, "b":1}}'],
    ['{"params":{}}', '{"params":{"request\\u0053tate":null}}'],
    ['{"params":{"a":{"requestState":1}}}', '{"params":{"a":{"requestState":1}}}'],
  ] as const;
  deepStrictEqual(
    cases.map(([, text]) => withoutValue(text, path)),
    cases.map(([text]) => text),
  );
  throws(() => withoutValue('{"params":{"a":1,"a":2,"requestState":"s"}}', path), JsonError);
});

test('how deep a text nests is told before it is parsed', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  deepStrictEqual([nested(128), nested(129), `"${'['.repeat(500)}"`, '['.repeat(4_000_000)].map(faultOfText), [
    undefined,
    'It nests deeper than 128 levels.',
    undefined,
    'It nests deeper than 128 levels.',
  ]);
});

// JSON as no serializer writes it: odd spaces, characters as escapes, numbers of any length.
const space = fc.constantFrom('', ' ', '\n\t', '\r\n ');
const characters = fc
  .array(fc.tuple(fc.constantFrom('a', 'Z', '"', '\\', '{', ']', ',', ':', 'ſ', '🙈', '\u2028'), fc.boolean()), {
    maxLength: 8,
  })
  .map((pairs) =>
    pairs
      .map(([one, escaped]) =>
        escaped
          ? Array.from(
              { length: one.length },
              (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`,
            ).join('')
          : JSON.stringify(one).slice(1, -1),
      )
      .join(''),
  );
const text = characters.map((inner) => `"${inner}"`);
const number = fc
  .tuple(fc.boolean(), fc.constantFrom(1, 20, 999, 1000, 1001, 3000), fc.constantFrom('', '.0', '.5e-3', 'E+7'))
  .map(([minus, digits, end]) => `${minus ? '-' : ''}${'7'.repeat(digits)}${end}`);
// JSON.parse of Node 24.21 takes an escaped name for another one that holds a backslash, where it has seen that before.
const name = text.filter((one) => !(JSON.parse(one) as string).includes('\\'));
const member = (value: fc.Arbitrary<string>) => fc.tuple(name, value);
const joined = (parts: string[], around: string, [open, close]: [string, string]): string =>
  `${open}${around}${parts.join(`${around},${around}`)}${around}${close}`;
const objectOf = (members: [string, string][], around: string): string =>
  joined(
    members.map(([key, value]) => `${key}${around}:${around}${value}`),
    around,
    ['{', '}'],
  );
const members = (value: fc.Arbitrary<string>) =>
  fc.uniqueArray(member(value), {
    maxLength: 4,
    selector: ([key]) => (JSON.parse(key) as string).normalize('NFKC').toUpperCase(),
  });
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, text, fc.constantFrom('true', 'false', 'null')),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), space)
      .map(([parts, around]) => joined(parts, around, ['[', ']'])),
    fc.tuple(members(tie('value')), space).map(([inner, around]) => objectOf(inner, around)),
  ),
}));
const line = fc
  .record({
    outer: members(value),
    inner: members(value),
    args: members(value),
    around: space,
    at: fc.nat(8),
    has: fc.boolean(),
  })
  .map(({ outer, inner, args, around, at, has }) => {
    const own: [string, string][] = has ? [['"argu\\u006dents"', objectOf(args, around)]] : [];
    const params: [string, string] = ['"params"', objectOf(inner.toSpliced(at, 0, ...own), around)];
    return `${around}${objectOf(outer.toSpliced(at, 0, params), around)}${around}`;
  });
type Line = { params: { arguments?: unknown } };

test('an item is put at the end of a list, and nowhere where it is not certain which list is read', () => {
  const put = (text: string) => withItem(text, ['a', 'b'], '{"n":1.0}', JSON.parse(text));
  deepStrictEqual(put('{"a": {"b" : [ 2.50 , "]" ] , "c":[1]}}'), '{"a": {"b" : [ 2.50 , "]" ,{"n":1.0}] , "c":[1]}}');
  deepStrictEqual(put('{"a":{"b":[ ]}}'), '{"a":{"b":[ {"n":1.0}]}}');
  const others = [
    '{}',
    '{"a":null}',
    '{"a":[]}',
    '{"a":{"b":"[]"}}',
    '{"a":{"b":{}}}',
    '{"a":{"b":[1],"\\u0062":[2]}}',
  ];
  deepStrictEqual(others.map(put), others);
});

test('whatever a line looks like, its arguments are found and replaced as a parser reads them', () => {
  const path = ['params', 'arguments'];
  fc.assert(
    fc.property(line, members(value), space, (given, args, around) => {
      const read = JSON.parse(given) as Line;
      const found = textAt(given, path);
      deepStrictEqual(found === undefined ? undefined : JSON.parse(found), read.params.arguments);
      deepStrictEqual(faultOfText(given), undefined);
      const edited = objectOf(args, around);
      const changed = withValue(given, path, edited);
      deepStrictEqual(textAt(changed, path), edited);
      const { arguments: now, ...others } = (JSON.parse(changed) as Line).params;
      const { arguments: _before, ...left } = read.params;
      deepStrictEqual([now, others], [JSON.parse(edited), left]);
      deepStrictEqual(withoutValue(withValue(given, ['params', 'state'], edited), ['params', 'state']), given);
      const span = findSpan(given, path);
      if (span) deepStrictEqual(changed, given.slice(0, span.start) + edited + given.slice(span.end));
    }),
    { numRuns: 300 },
  );
});
