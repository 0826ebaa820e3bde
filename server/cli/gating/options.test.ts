import { deepStrictEqual, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../command/terminal.ts';
import { readGiven } from '../command/read.ts';
import { gate } from '../gate.ts';
import { type OPTIONS, readWrapping } from './options.ts';
import type { Given } from '../command/command.ts';

test('rules count in the order given, whichever option they came by, before those of a file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-gating-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'gate.json');
  writeFileSync(file, '{"rules":[{"tool":"*","does":"ask","caution":true}],"otherwise":"deny","deadline":60}');
  const args = [
    '--deny=drop_*',
    '--allow',
    'get_*',
    '--config',
    file,
    '--ask',
    'get_secret',
    '--deadline',
    '90',
    '--wait',
    '0.5',
  ];
  deepStrictEqual(
    wrappingOf([...args, '--to', 'alice,bob', '--elicit', 'people', '--', 'npx', '-y', '@x/server-files@2.1', '--ask']),
    {
      gate: {
        name: 'server-files',
        rules: [
          { tool: 'drop_*', does: 'deny' },
          { tool: 'get_*', does: 'allow' },
          { tool: 'get_secret', does: 'ask' },
          { tool: '*', does: 'ask', caution: true },
        ],
        otherwise: 'deny',
        elicitation: 'people',
        deadline: 90,
        to: ['alice', 'bob'],
        waitSeconds: 0.5,
      },
      command: 'npx',
      args: ['-y', '@x/server-files@2.1', '--ask'],
    },
  );
});

test('a server is called after what is run, not after what runs it', () => {
  const names = [['npx', 'server-x'], ['uvx', 'mcp-server-git'], ['node', '/opt/a/server.js'], ['/opt/bin/files.exe']];
  deepStrictEqual(
    names.map((command) => wrappingOf(['--', ...command]).gate.name),
    ['server-x', 'mcp-server-git', 'server', 'files'],
  );
});

test('a file may hold rules with conditions, and is refused where one cannot be read here', (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'beckon-')), 'gate.json');
  t.after(() => rmSync(dirname(file), { recursive: true }));
  const read = (rule: string) => {
    writeFileSync(file, `{"rules":[${rule}]}`);
    return wrappingOf(['--config', file, '--', 'x']).gate.rules;
  };
  const rule =
    '{"tool":"Bash","when":{"args":{"/n":{"equals":9007199254740993}},"shell":["git status"]},"does":"allow"}';
  deepStrictEqual(JSON.stringify(read(rule)), `[${rule}]`);
  for (const [when, why] of [
    ['{"shell":["a; b"]}', /rules\/0\/when\/shell\/0 does not stand for a command/],
    ['{"source":"src_00000000000000000000000001"}', /rules\/0\/when\/source is for gates of the hub only/],
    ['{"run":"r"}', /rules\/0\/when/],
  ] as const)
    throws(() => read(`{"tool":"Bash","when":${when},"does":"allow"}`), why);
});

test('what is wrong with the text of a file ends in one full stop', (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'beckon-')), 'gate.json');
  t.after(() => rmSync(dirname(file), { recursive: true }));
  for (const [text, why] of [
    ['{"rules":[],"rules":[]}', 'A member stands twice in it.'],
    ['{"rules":', 'Unexpected end of JSON input.'],
  ] as const) {
    writeFileSync(file, text);
    const message = `The file ${file} is not JSON: ${why}`;
    throws(() => wrappingOf(['--config', file, '--', 'x']), { message });
  }
});

test('options that make no gate are refused in one sentence', () => {
  for (const args of [
    [],
    ['--'],
    ['true'],
    ['--frob', '--', 'x'],
    ['--ask', '', '--', 'x'],
    ['--config', '/none', '--', 'x'],
    ['--wait', '1h', '--', 'x'],
    ['--wait=-1', '--', 'x'],
    ['--wait', '2592001', '--', 'x'],
  ])
    throws(() => wrappingOf(args), UsageError);
});

function wrappingOf(args: string[]) {
  return readWrapping(readGiven(gate, args) as Given<typeof OPTIONS>);
}
