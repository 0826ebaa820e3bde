import { deepStrictEqual, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SHELLS } from './command/completion.ts';
import { COMMANDS } from './commands.ts';
import { run } from './main.ts';

/** `node --test --test-update-snapshots server/cli/help.test.ts` writes it anew; then read the difference. */
const WHOLE = join(import.meta.dirname, 'testing/help.txt');

test('the whole help is as it was read last', async (context) => {
  const names = COMMANDS.map(({ name }) => name).filter((name) => name !== 'serve');
  const groups = ['source', 'webhook', 'person', 'device', 'audit'];
  const pages = await Promise.all(
    ['', ...groups, ...names].map((name) => printed([...name.split(' ').filter(Boolean), '--help'])),
  );
  context.assert.fileSnapshot(pages.join(`\n${'-'.repeat(100)}\n`), WHOLE, { serializers: [String] });
});

test('every command says how it is called, with an example that names it and knows its options', async () => {
  for (const { name, examples, options = {}, json } of COMMANDS) {
    const help = await printed([...name.split(' '), '--help']);
    deepStrictEqual(help, await printed(['help', ...name.split(' ')]));
    ok(help.startsWith(`beckon ${name}`) && examples.some((line) => line.includes(`beckon ${name}`)), name);
    const known = ['help', ...(json ? ['json'] : []), ...Object.keys(options)];
    const used = examples.flatMap((line) =>
      [...(line.split(' -- ')[0] ?? '').matchAll(/ --([a-z-]+)/g)].map(([, one]) => one),
    );
    const foreign = used.filter((one) => one !== undefined && !known.includes(one) && one !== 'env');
    deepStrictEqual([name, foreign], [name, []]);
  }
});

test('bash completes commands, their options and values', async () => {
  const script = await printed(['completion', 'bash']);
  const completed = (...words: string[]): string[] => {
    const line = `${script}\nCOMP_WORDS=(beckon "$@"); COMP_CWORD=$#; _beckon; echo "\${COMPREPLY[@]}"`;
    const found = execFileSync('bash', ['-c', line, 'bash', ...words], { encoding: 'utf8' }).trim();
    return found === '' ? [] : found.split(' ');
  };
  deepStrictEqual(
    {
      first: completed('s'),
      group: completed('source', ''),
      inGroup: completed('source', 'add', '--w'),
      value: completed('source', 'add', 'CI', '--locale', ''),
      second: completed('ask', '--ed'),
      later: completed('ask', 'Ship it?', '--o'),
      runs: completed('gate', 'li'),
      shells: completed('completion', ''),
    },
    {
      first: ['serve', 'show', 'source'],
      group: ['add', 'list', 'remove'],
      inGroup: ['--webhook'],
      value: ['en', 'zh'],
      second: ['--editable'],
      later: ['--options'],
      runs: ['list'],
      shells: ['bash', 'zsh', 'fish', 'sources', 'people', '--help'],
    },
  );
});

test('bash completes the names of sources and people, in a list of commas and with spaces too', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-names-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const script = await printed(['completion', 'bash']);
  // What stands for the command prints what it prints of a hub with these.
  writeFileSync(
    join(folder, 'beckon'),
    `#!/bin/sh
case "$*" in
  'completion sources') printf 'CI\\nRelease train\\n' ;;
  'completion people') printf 'anna\\nanton\\nops\\n' ;;
esac
`,
    { mode: 0o755 },
  );
  const completed = (...words: string[]): string => {
    const line = `${script}\nCOMP_WORDS=(beckon "$@"); COMP_CWORD=$#; _beckon; printf '%s|' "\${COMPREPLY[@]}"`;
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    return execFileSync('bash', ['-c', line, 'bash', ...words], { encoding: 'utf8', env });
  };
  deepStrictEqual(
    {
      source: completed('source', 'remove', 'R'),
      sourceOfOption: completed('webhook', 'list', '--source', ''),
      person: completed('person', 'link', 'o'),
      several: completed('ask', 'Ship it?', '--to', 'ops,an'),
      added: completed('person', 'add', 'a'),
    },
    {
      source: String.raw`Release\ train|`,
      sourceOfOption: String.raw`CI|Release\ train|`,
      person: 'ops|',
      several: 'ops,anna|ops,anton|',
      added: '|',
    },
  );
});

test('each shell gets every command and every option', async () => {
  for (const shell of SHELLS) {
    const script = await printed(['completion', shell]);
    const words = COMMANDS.flatMap(({ name, options = {} }) => [...name.split(' '), ...Object.keys(options)]);
    deepStrictEqual([shell, words.filter((word) => !new RegExp(`(-a|-l|[ '-])${word}\\b`).test(script))], [shell, []]);
  }
});

async function printed(args: string[]): Promise<string> {
  let out = '';
  const write = (text: string) => void (out += text);
  deepStrictEqual(await run(args, { env: {}, out: { write }, err: { write } }), 0);
  return out;
}
