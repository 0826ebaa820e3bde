import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { readExact } from './exact.ts';
import { listStretches, ROWS_MAX } from './stretches.ts';

const LONG = 'x'.repeat(200);
const read = (name: string, args: Record<string, unknown>) =>
  listStretches({ name, args: args as never }, readExact(JSON.stringify(args))).map((one) => [
    one.id,
    one.kind === 'args' ? one.rows.map((row) => row.name) : one.row.name,
  ]);

test('[SEE1] the texts that a tool writes stand apart, each below the row that says how long it is', () => {
  deepStrictEqual(read('MultiEdit', { file_path: 'a', edits: [{ old_string: LONG, new_string: LONG }], mode: 1 }), [
    ['args', ['file_path', 'edits', '1', 'old_string']],
    ['text.1', 'old_string'],
    ['args.1', ['new_string']],
    ['text.3', 'new_string'],
    ['args.2', ['mode']],
  ]);
  deepStrictEqual(read('Write', { file_path: 'a', content: 'short' }), [['args', ['file_path', 'content']]]);
});

test('[SEE1] what no known tool of files was given is one stretch, and so are more rows than a table has', () => {
  const one = (name: string, args: Record<string, unknown>) => read(name, args).map(([id]) => id);
  deepStrictEqual(one('write_and_run', { path: 'a', content: LONG }), ['args']);
  deepStrictEqual(one('Write', { content: LONG }), ['args']);
  deepStrictEqual(one('Bash', { command: LONG, content: LONG }), ['args']);
  deepStrictEqual(one('Write', {}), ['args']);
  const many = Object.fromEntries(Array.from({ length: ROWS_MAX }, (_, at) => [`m${at}`, at]));
  deepStrictEqual(one('Write', { file_path: 'a', content: LONG, ...many }), ['args']);
});

test('[SEE1] only the patch of a tool that does nothing else stands apart, not what a tool runs beside one', () => {
  const names = (name: string, args: Record<string, unknown>) => read(name, args).map(([id]) => id);
  const patch = `*** Begin Patch\n*** Update File: a\n+${LONG}\n*** End Patch`;
  const script = `${LONG}\ndiff --git a/b b/b\n`;
  deepStrictEqual(names('apply_patch', { input: patch }), ['args', 'text.1']);
  deepStrictEqual(names('apply_patch', { patch, note: 'short' }), ['args', 'text.1', 'args.1']);
  deepStrictEqual(names('apply_patch', { input: patch, script }), ['args', 'text.1', 'args.1']);
  deepStrictEqual(names('apply_patch', { input: patch, more: { input: script } }), ['args', 'text.1', 'args.1']);
  deepStrictEqual(names('apply_patch', { input: patch, command: script }), ['args']);
  deepStrictEqual(names('run_patch', { input: patch, script }), ['args']);
  deepStrictEqual(names('patch.run', { input: patch }), ['args']);
});
