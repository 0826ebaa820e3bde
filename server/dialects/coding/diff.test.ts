import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { readDiff } from './diff.ts';

const patch = (...lines: string[]) => ({ command: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n') });

test('a patch is a difference for each hunk of each file', () => {
  const input = patch(
    '*** Update File: src/a.ts',
    '@@ function one()',
    ' same',
    '-old',
    '+new',
    '@@',
    '-gone',
    '*** End of File',
    '*** Add File: b.txt',
    '+first',
    '+',
  );
  deepStrictEqual(readDiff('apply_patch', input), [
    { path: 'src/a.ts', oldText: 'same\nold', newText: 'same\nnew' },
    { path: 'src/a.ts', oldText: 'gone', newText: '' },
    { path: 'b.txt', oldText: '', newText: 'first\n' },
  ]);
});

test('what the arguments alone do not say is no difference', () => {
  const replacement = { old_string: 'a', new_string: 'b' };
  const inputs: [tool: string, input: unknown][] = [
    ['apply_patch', patch('*** Delete File: a.ts')],
    ['apply_patch', patch('*** Update File: a.ts', '*** Move to: b.ts', '-a', '+b')],
    ['apply_patch', patch('*** Add File: a.ts', ' not added')],
    ['apply_patch', patch('-a', '+b')],
    ['apply_patch', patch()],
    ['apply_patch', { command: 'rm -r build' }],
    ['apply_patch', { command: ['apply_patch'] }],
    ['Write', { file_path: '/a.ts', content: 'x' }],
    ['Edit', { file_path: '', ...replacement }],
    ['Edit', { file_path: '/a.ts', old_string: 'a' }],
    ['MultiEdit', { file_path: '/a.ts', edits: Array.from({ length: 101 }, () => replacement) }],
    ['toString', {}],
  ];
  deepStrictEqual(
    inputs.map(([tool, input]) => readDiff(tool, input)),
    inputs.map(() => undefined),
  );
});
