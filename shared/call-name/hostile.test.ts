import { deepStrictEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../json.ts';
import { callName } from './name.ts';
import { plainName } from './parts.ts';

type Named = [tool: string, args: Json, name: string, exact?: true];
const named = (rows: Named[]): Named[] =>
  rows.map(([tool, args]) => {
    const { parts, exact } = callName({ name: tool, args }, 'en');
    return [tool, args, plainName(parts, 400), ...(exact ? ([true] as const) : ([] as const))];
  });
const blanks = ' '.repeat(9_900);

describe('a call that would mislead', () => {
  test('long runs of blanks, dashes and keys are read once', () => {
    const rows: Named[] = [
      ['Bash', { command: `curl -token${blanks}-` }, 'Run curl -token … -'],
      ['shell', { commands: Array<string>(8).fill(`a${blanks}b`) }, 'Run a … b, a … b, a … b, a … b, …'],
      ['Bash', { command: `a${'-eyJabcdefgh'.repeat(900)}` }, 'Run a-•••• …'],
      ['query', { sql: `${'-- '.repeat(3_000)}x` }, 'query “-- -- -- … -- -- -- x”'],
      ['query', { sql: '-- all of them\n  -- twice\nselect 1' }, 'Run -- all of them ↵ -- twice ↵ select 1'],
    ];
    const short = named(rows).map(([tool, args, name]): Named => [
      tool,
      args,
      name.replace(/(?:-- ){4,}… (?:-- ){4,}x/, '-- -- -- … -- -- -- x'),
    ]);
    deepStrictEqual(short, rows);
  });

  test('is exact only where no member is left out', () => {
    const rows: Named[] = [
      ['Bash', { command: 'ls', cwd: '', sandbox: null }, 'Run ls'],
      ['Read', { file_path: 'a', limit: null }, 'Read a'],
      ['wipe', { all: null, confirm: '' }, 'wipe, 2 arguments'],
      ['wipe', {}, 'wipe, no arguments', true],
      ['Bash', { command: 'ls' }, 'Run ls', true],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('says which server it runs on', () => {
    const rows: Named[] = [
      ['mcp__prod-ssh__exec', { command: 'rm -rf /var' }, 'Run rm -rf /var (prod-ssh)', true],
      ['mcp__postgres_prod__query', { sql: 'delete from users' }, 'Run delete from users (postgres_prod)', true],
      ['mcp__files__read_file', { path: '/a' }, 'Read /a (files)', true],
      ['mcp__files__write_file', { path: '/a', content: 'b' }, 'Write /a (files)'],
    ];
    deepStrictEqual(named(rows), rows);
    const diff = [{ path: 'a.ts', oldText: '', newText: 'b' }];
    deepStrictEqual(callName({ name: 'mcp__files__edit', args: {}, diff }, 'zh').parts.at(-1), { text: '（files）' });
  });

  test('marks what it leaves out, and shows the end of what is long', () => {
    const rows: Named[] = [
      ['Bash', { command: `echo a${blanks}${blanks}b ; rm -rf ~` }, 'Run echo a … ; rm -rf ~'],
      ['Bash', { command: `A_TOKEN=${'x'.repeat(20_000)} ; rm -rf ~` }, 'Run A_TOKEN=•••• … ; rm -rf ~'],
      ['shell', { commands: ['a', 'b', 'c', 'd', 'rm -rf ~'] }, 'Run a, b, c, d, …'],
    ];
    deepStrictEqual(named(rows), rows);
  });
});
