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
      ['mcp__postgres_prod__query', { sql: 'delete from users' }, 'Delete from users (postgres_prod)'],
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

  test('is called a read, a fetch or a write only where its tool does nothing else', () => {
    const rows: Named[] = [
      ['remove_open_file', { path: '/a' }, 'remove_open_file /a'],
      ['view_and_delete', { path: '/a' }, 'view_and_delete /a'],
      ['mcp__web__fetch_and_delete', { url: 'https://a.example' }, 'web.fetch_and_delete https://a.example'],
      ['delete_file_edit', { path: '/a' }, 'delete_file_edit /a'],
      ['update_file_permissions', { path: '/a', mode: '777' }, 'update_file_permissions /a'],
      ['WebFetch', { url: 'https://a.example', options: { method: 'DELETE' } }, 'WebFetch https://a.example'],
      ['fetch', { url: 'https://a.example', method: { is: 'PUT' } }, 'fetch https://a.example'],
      ['str_replace_based_edit_tool', { command: 'delete', path: '/a' }, 'str_replace_based_edit_tool /a'],
      ['str_replace_based_edit_tool', { command: 'view', path: '/a' }, 'Read /a'],
      ['mcp__remover__get_file_contents', { path: '/a' }, 'Read /a (remover)', true],
      ['read_multiple_files', { path: '/a' }, 'Read /a', true],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('that deletes files by a patch says so first, and how much more it does', () => {
    const patch = (...lines: string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
    const rows: Named[] = [
      [
        'apply_patch',
        patch('*** Update File: c', '+a', ' *** Delete File: a', '*** Delete File: b'),
        'apply_patch *** Delete File: a, +2',
      ],
      ['apply_patch', patch(' *** Add File: a', '+*** Delete File: b'), 'Write a +1 −0'],
      ['apply_patch', patch('*** Update File: a', '*** Move to: b', '-c'), 'Write 2 files +0 −1'],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('that pays or sends says how much, and the one who gets it', () => {
    const rows: Named[] = [
      ['transfer', { amount: 1_000_000, from: 'a', destination: 'b' }, 'transfer 1000000, a to b'],
      ['transfer', { amount: 5, channel: 'web', to: 'Alice' }, 'transfer 5 to Alice, …'],
      ['send', { email: 'a@b.example', recipients: ['c'], user: 'c' }, 'send to c, …'],
      ['send', { to: 'c', user: 'c' }, 'send to c'],
      ['send', { amount: 5, to: [{ id: 1 }] }, 'send 5, …'],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('that runs a command is called by the command, and by no single one of several', () => {
    const diff = [{ path: 'README.md', oldText: '', newText: 'b' }];
    const { parts, exact } = callName({ name: 'Bash', args: { command: 'rm -rf ~' }, diff }, 'en');
    deepStrictEqual([plainName(parts, 100), exact], ['Run rm -rf ~', false]);
    const rows: Named[] = [['Bash', { command: 'ls', cmd: 'rm -rf ~' }, 'Bash, 2 arguments']];
    deepStrictEqual(named(rows), rows);
  });

  test('whose words say that it holds a secret shows no value', () => {
    const rows: Named[] = [
      ['set_password', { value: 'hunter2' }, 'set_password, 1 argument'],
      ['setPassword', 'hunter2', 'setPassword, 1 argument'],
      ['mcp__vault__put_secret', { to: 'hunter2', text: 'a' }, 'vault.put_secret, 2 arguments'],
      ['set_env', { value: 'hunter2', variable: 'DB_PASSWORD' }, 'set_env, 2 arguments'],
      ['auth0.create_user', { name: 'Anna' }, 'auth0.create_user Anna'],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('is called a run only where its tool does nothing else with the line', () => {
    const rows: Named[] = [
      ['delete_promo_code', { code: 'SUMMER' }, 'delete_promo_code SUMMER'],
      ['k8s_delete_node', { code: 'n1' }, 'k8s_delete_node n1'],
      ['verify_code', { code: '123456' }, 'verify_code 123456'],
      ['node', { code: 'n1' }, 'node n1'],
      ['delete_shell', { command: 'web-1' }, 'delete_shell web-1'],
      ['prod_ssh_exec', { command: 'reboot' }, 'prod_ssh_exec reboot'],
      ['mcp__python__drop', { code: 'all' }, 'python.drop all'],
      ['execute_code', { code: 'print(1)' }, 'Run print(1)', true],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('whose arguments name two places, lines or patches is called by neither', () => {
    const rows: Named[] = [
      ['postgres.query', { sql: 'select 1', query: 'drop table users' }, 'postgres.query, 2 arguments'],
      ['python', { code: 'print(1)', cmd: 'rm -rf ~' }, 'python, 2 arguments'],
      ['write_file', { path: '/tmp/a', file: '/etc/passwd' }, 'write_file, 2 arguments'],
      ['fetch', { url: 'https://a.example', uri: 'https://b.example' }, 'fetch, 2 arguments'],
      ['apply_patch', { patch: '*** Begin Patch\n*** Add File: a', input: 'b' }, 'apply_patch, 2 arguments'],
      ['read_file', { path: '/a', file_path: '/a' }, 'Read /a'],
    ];
    deepStrictEqual(named(rows), rows);
  });

  test('is called by what tells, however many members stand before it', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, 'x']));
    const rows: Named[] = [['deploy', { ...many, service: 'web' }, 'deploy web']];
    deepStrictEqual(named(rows), rows);
  });
});
