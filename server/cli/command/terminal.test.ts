import { deepStrictEqual } from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { askLine } from './terminal.ts';

test('an input that ends before its line does counts as an empty line', async () => {
  const answers = ['yes\n', 'y\nmore\n', ''].map(async (text) => {
    const input = new PassThrough();
    const said = askLine('Write this? (y/N) ', { input, output: new PassThrough() });
    input.end(text);
    return said;
  });
  deepStrictEqual(await Promise.all(answers), ['yes', 'y', '']);
});
