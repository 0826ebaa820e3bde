import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { required } from './on-screen.ts';

const call = (more: Partial<Action> = {}) => ({ name: 'pay', args: { to: 'DE02' }, allowed: ['approve'], ...more });
const edges = (actions: object[], toEnd?: boolean) =>
  required({ title: 'Now?', actions } as unknown as Inquiry, toEnd).join(' ');
const whole = (...ids: string[]) => ids.flatMap((id) => [`${id}:top`, `${id}:end`]).join(' ');
const LONG = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n');
const PATCH = `*** Begin Patch\n*** Update File: a.ts\n@@\n${LONG.replace(/^/gm, '+')}\n*** End Patch`;
const file = (path: string, oldText = 'a') => ({ path, oldText, newText: LONG });

test('[PAG1] [SEE1] what runs has to be on the screen to its end, and with caution all that is said of it too', () => {
  deepStrictEqual(edges([call()]), whole('0.name', '0.args'));
  const careful = call({ caution: true, diff: [file('a')] });
  deepStrictEqual(edges([careful]), whole('prose', '0.name', '0.args', '0.file.0'));
  for (const args of [{ command: LONG }, { query: LONG }, { content: LONG }, { path: 'a.ts', script: LONG }])
    for (const name of ['Bash', 'sql_query', 'deploy', 'write_and_run'])
      deepStrictEqual([name, edges([call({ name, args })])], [name, whole('0.name', '0.args')]);
});

test('[SEE1] of the text of a file the head has to be there, and every other argument, also below it', () => {
  const write = call({ name: 'Write', args: { file_path: 'a.ts', content: LONG } });
  deepStrictEqual(edges([write]), `${whole('0.name', '0.args')} 0.text.1:top`);
  const below = call({ name: 'mcp__fs__edit_file', args: { path: 'a.ts', new_string: LONG, run: 'rm -rf /' } });
  deepStrictEqual(edges([below]), `${whole('0.name', '0.args')} 0.text.1:top ${whole('0.args.1')}`);
  const patch = call({ name: 'apply_patch', args: { input: PATCH } });
  deepStrictEqual(edges([patch]), `${whole('0.name', '0.args')} 0.text.1:top`);
  // The same text in a shell runs.
  const run = call({ name: 'shell', args: { command: ['apply_patch', PATCH] } });
  deepStrictEqual(edges([run]), whole('0.name', '0.args'));
});

test('[SEE1] of a diff the head of each file has to be there, and its end too where it destroys or somebody wants it', () => {
  const edit = call({ name: 'edit', args: {}, diff: [file('a'), file('b')] });
  deepStrictEqual(edges([edit]), `${whole('0.name')} 0.file.0:top 0.file.1:top`);
  deepStrictEqual(edges([edit], true), whole('0.name', '0.file.0', '0.file.1'));
  const emptied = call({ name: 'edit', args: {}, diff: [{ path: 'a', oldText: LONG, newText: '' }, file('b')] });
  deepStrictEqual(edges([emptied]), whole('0.name', '0.file.0', '0.file.1'));
  deepStrictEqual(edges([edit, call()]), whole('0.name', '0.file.0', '0.file.1', '1.name', '1.args'));
});
