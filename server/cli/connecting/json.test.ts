import { deepStrictEqual, strictEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { push, put, take, takeItems, valueOf } from './json.ts';
import { CannotChange } from './cannot-change.ts';

const HOOK = { hooks: [{ url: 'https://beckon.example.com' }] };
const isOurs = (value: unknown): boolean => JSON.stringify(value) === JSON.stringify(HOOK);

test('a member goes in at the end, in the style of the file, and nothing else changes', () => {
  const before = `{
    // who I am
    "name": "x", /* kept */
    "env": { "A": "1" } // the last one
}
`;
  strictEqual(
    put(put(before, ['env', 'B'], '2'), ['mcpServers', 'beckon'], { url: 'u' }),
    `{
    // who I am
    "name": "x", /* kept */
    "env": { "A": "1", "B": "2" }, // the last one
    "mcpServers": {
        "beckon": {
            "url": "u"
        }
    }
}
`,
  );
});

const FILES = {
  'comments and a comma at the end': '{\n  // one\n  "hooks": {\n    "Stop": [1, 2,], // two\n  },\n}\n',
  'tabs and Windows line ends': '{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{"a": 1}\r\n\t\t]\r\n\t}\r\n}\r\n',
  'one line': '{"hooks":{"Stop":[{"a":1}]},"b":[]}',
  'a mark of its encoding': '\uFEFF{\n  "a": 1\n}',
  'an object that holds a comment alone': '{\n  // nothing yet\n}\n',
  nothing: '{}\n',
};
for (const [what, before] of Object.entries(FILES))
  test(`what goes in comes out again to the byte: ${what}`, () => {
    const changed = push(
      push(put(before, ['mcpServers', 'beckon'], { url: 'u' }), ['hooks', 'Stop'], HOOK),
      ['x'],
      HOOK,
    );
    deepStrictEqual(
      [valueOf(changed)].map((value) => (value as { mcpServers: unknown }).mcpServers),
      [{ beckon: { url: 'u' } }],
    );
    const without = [['hooks', 'Stop'], ['x']].reduce((text, path) => takeItems(text, path, isOurs), changed);
    strictEqual(take(without, ['mcpServers', 'beckon']), before);
  });

test('a member of this name gives way to the new one, where it stands', () => {
  strictEqual(put('{"a": {"b": 1}, "c": 2}', ['a', 'b'], 3), '{"a": {"b": 3}, "c": 2}');
});

test('of members with one name the last counts, and one called __proto__ is like any other', () => {
  strictEqual(put('{"a": {"b": 1}, "a": {"b": 1}}', ['a', 'b'], 2), '{"a": {"b": 1}, "a": {"b": 2}}');
  strictEqual(JSON.stringify(valueOf('{"__proto__": {"a": 1}}')), '{"__proto__":{"a":1}}');
});

test('a blank file becomes one with an object', () => {
  strictEqual(put('', ['a'], 1), '{\n  "a": 1\n}\n');
});

test('an object goes below a comment that its file ends with', () => {
  strictEqual(put('// only a comment', ['a'], 1), '// only a comment\n{\n  "a": 1\n}\n');
});

test('a text that is no JSON is refused with its line', () => {
  for (const text of ['{\n  "a": 1,\n  b: 2\n}', '{\n\n"a" 1}', '{"a":1}\n\n]', '{\n\n  "a": tru\n}'])
    throws(() => put(text, ['c'], 1), new CannotChange('line 3 is no JSON'));
});

test('what goes into something else than an object or a list is refused', () => {
  throws(() => put('{\n  "a": 1\n}', ['a', 'b'], 1), new CannotChange('line 2 holds no object'));
  throws(() => put('[]', ['a'], 1), new CannotChange('line 1 holds no object'));
  throws(() => push('{"a": {}}', ['a'], 1), new CannotChange('line 1 holds no list'));
});

test('any JSON keeps its value, and a member put in and taken out leaves the text as it was', () => {
  const texts = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.constantFrom(0, 2, 4, '\t'));
  fc.assert(
    fc.property(texts, fc.string(), ([value, indent], name) => {
      fc.pre(!Object.hasOwn(value, name) && name !== '__proto__' && !Object.hasOwn(value, '__proto__'));
      const text = JSON.stringify(value, null, indent);
      const changed = put(text, [name], { url: 'u' });
      deepStrictEqual(JSON.parse(changed), JSON.parse(JSON.stringify({ ...value, [name]: { url: 'u' } })));
      strictEqual(take(changed, [name]), text);
    }),
  );
});
