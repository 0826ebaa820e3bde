import { deepStrictEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { readExact, writeExact } from './exact.ts';
import { argumentRows } from './arguments.ts';

const TEXT =
  '{"order":9007199254740993117,"rate":1.0,"tags":["a","b"],"note":"a \\"b\\" {c}, d","order":2,"none":null,"deep":{"x":{}}}';

test('arguments are shown with the digits and the members they came with, twins included', () => {
  const args = readExact(TEXT);
  deepStrictEqual(args && argumentRows(args), [
    { name: 'order', depth: 0, text: '9007199254740993117' },
    { name: 'rate', depth: 0, text: '1.0' },
    { name: 'tags', depth: 0, entries: 2 },
    { name: '1', depth: 1, text: 'a' },
    { name: '2', depth: 1, text: 'b' },
    { name: 'note', depth: 0, text: 'a "b" {c}, d' },
    { name: 'order', depth: 0, text: '2' },
    { name: 'none', depth: 0, text: 'null' },
    { name: 'deep', depth: 0, entries: 1 },
    { name: 'x', depth: 1, text: '{}' },
  ]);
});

test('a text that could be taken for something else keeps its quotes', () => {
  const args = readExact('{"a":"34000","b":"true","c":"","d":" x","e":"plain"}');
  deepStrictEqual(args && argumentRows(args).map(({ text }) => text), ['"34000"', '"true"', '""', '" x"', 'plain']);
});

test('indented JSON says the same as the JSON it came from', () => {
  const args = readExact(TEXT);
  const written = args ? writeExact(args) : '';
  equal(written.replace(/\n\s*/g, '').replaceAll('": ', '":'), TEXT);
});

test('what is not JSON is not read', () => {
  deepStrictEqual([readExact('{"a":'), readExact("{'a':1}"), readExact('')], [undefined, undefined, undefined]);
});
