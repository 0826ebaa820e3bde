import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { ambiguityOf, spanOf, withValue } from './json-text.ts';

test('a value is found by its path, whatever stands around it', () => {
  const text =
    ' { "a\\u0062" : [ {"params":1}, "}\\"" ] ,\n"params":{"x":"arguments","arguments" :\t{"n": 1.0 , "s":"]}"} } , "z":tru\\u0065 }'.replace(
      'tru\\u0065',
      'true',
    );
  const at = (path: string[]) => {
    const span = spanOf(text, path);
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
    '{"params":{"arguments":{"a":1,"A":2,"Name":3,"b":[{"a":1},{"a":2}]}},"id":"{\\"id\\":1,\\"id\\":2}"}',
    '{"params":{"_meta":{"name":1,"Name":2}},"result":{"params":1,"Params":2}}',
    '[]',
    '7',
  ];
  deepStrictEqual(texts.map(ambiguityOf), [
    'The member "method" stands in it twice.',
    'The member "Method" stands in it twice.',
    'The member "method" is written "Method" in it.',
    'The member "name" is written "Name" in it.',
    'The member "a" stands in it twice.',
    'The member "Id" stands in it twice.',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
