import { deepStrictEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.ts';
import { environmentOfWrapped, folderOfWrapped } from './environment.ts';
import { lineReader } from './lines.ts';
import { readArgsText, parseLoose, withArguments } from '../../mcp/messages.ts';

test('lines come out as they were written, however they were cut', () => {
  const text = '{"a":"é"}\n\n{"b":2}\r\n{"c"';
  for (const size of [1, 2, 3, 7, 100]) {
    const got: string[] = [];
    const read = lineReader((line) => got.push(line.toString()), { onTooLong: () => got.push('too long') });
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) read(Buffer.from(bytes.subarray(at, at + size)));
    deepStrictEqual(got, ['{"a":"é"}', '{"b":2}\r'], `cut every ${size} bytes`);
  }
});

test('a line that never ends is told once and kept nowhere', () => {
  const got: string[] = [];
  const read = lineReader((line) => got.push(line.toString()), { max: 10, onTooLong: () => got.push('too long') });
  read(Buffer.from('short\n12345'));
  read(Buffer.from('678901\nnext\n'));
  read(Buffer.from('more\n'));
  deepStrictEqual(got, ['short', 'too long']);
});

test('numbers survive being read and written again', () => {
  const text = '{"params":{"arguments":{"id":12345678901234567890,"rate":1.0},"_meta":{"x":1e3}}}';
  deepStrictEqual(JSON.stringify(parseLoose(text)), text);
  deepStrictEqual(readArgsText(text), '{"id":12345678901234567890,"rate":1.0}');
  deepStrictEqual(withArguments(text, '{"id": 2.50}'), '{"params":{"arguments":{"id": 2.50},"_meta":{"x":1e3}}}');
});

test('a program gets no secret of the hub', () => {
  const own = { PATH: '/bin', DATABASE_URL: 'postgres://', SEALING_KEY: 's', BECKON_KEY: 'k', TOKEN: 't' };
  deepStrictEqual(environmentOfWrapped(own), {
    PATH: '/bin',
    DATABASE_URL: 'postgres://',
    SEALING_KEY: 's',
    TOKEN: 't',
  });
  const { BECKON_KEY: _none, ...ofHub } = own;
  deepStrictEqual(environmentOfWrapped(ofHub), { PATH: '/bin', TOKEN: 't' });
});

test('a program that npm started runs where its client is, and hears nothing of npm', () => {
  const npm = { npm_package_name: 'beckon', npm_lifecycle_event: 'beckon', npm_config_prefix: '/opt/beckon' };
  const own = {
    ...npm,
    npm_config_registry: 'https://npm.example',
    INIT_CWD: '/home/ada/shop',
    BECKON_KEY: 'k',
    A: 'a',
  };
  deepStrictEqual(environmentOfWrapped(own), { npm_config_registry: 'https://npm.example', A: 'a' });
  deepStrictEqual(
    [folderOfWrapped(own, '/opt/beckon'), folderOfWrapped({ INIT_CWD: '/elsewhere' }, '/here')],
    ['/home/ada/shop', '/here'],
  );
});

test('a program ends with all it started, however little it wants to', { timeout: 30_000 }, async () => {
  const stubborn = `
    const { spawn } = require('node:child_process');
    process.on('SIGTERM', () => {});
    const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    console.log(JSON.stringify([process.pid, inner.pid]));
    setInterval(() => {}, 1000);`;
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const child = startChild(
    { command: process.execPath, args: ['-e', stubborn], env: process.env },
    {
      onLine: (line) => resolve(JSON.parse(line.toString()) as number[]),
      graceMs: { toEnd: 20, toDie: 20, toClose: 2000 },
    },
  );
  const pids = await promise;
  deepStrictEqual(await child.end(), { code: 137, sentence: `"${process.execPath}" was ended by SIGKILL.` });
  for (const pid of pids) await ending(pid);
});

test('a program that ends by itself takes with it what it left running', { timeout: 30_000 }, async () => {
  const leaving = `
    const { spawn } = require('node:child_process');
    const inner = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    inner.unref();
    console.log(inner.pid);
    process.exitCode = 5;`;
  let pid = 0;
  const child = startChild(
    { command: process.execPath, args: ['-e', leaving], env: process.env },
    { onLine: (line) => (pid = Number(line.toString())) },
  );
  deepStrictEqual((await child.ended).code, 5);
  await ending(pid);
});

test('a program has ended though what left its process group holds its output open', async (t) => {
  const escaping = `
    const { spawn } = require('node:child_process');
    const options = { detached: true, stdio: ['ignore', 'inherit', 'ignore'] };
    const escaped = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options);
    escaped.unref();
    console.log(escaped.pid);
    process.stdin.once('data', () => process.exit(0));`;
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = startChild(
    { command: process.execPath, args: ['-e', escaping], env: process.env },
    {
      onLine: (line) => resolve(Number(line.toString())),
      graceMs: { toEnd: 20, toDie: 20, toClose: 50 },
    },
  );
  const pid = await promise;
  t.after(() => process.kill(pid, 'SIGKILL'));
  child.send('go');
  deepStrictEqual([(await child.ended).code, lives(pid)], [0, true]);
});

test('a program or a folder that is not there is one sentence', async () => {
  const start = (command: string, cwd?: string) =>
    startChild({ command, args: [], env: {}, cwd }, { onLine: () => {} });
  deepStrictEqual(
    [await start('/nowhere/x').ended, await start(process.execPath, '/nowhere').ended],
    [
      { code: 127, sentence: '"/nowhere/x" cannot be started: there is no such program.' },
      { code: 127, sentence: `"${process.execPath}" cannot be started: there is no folder /nowhere.` },
    ],
  );
});

// One that was killed is a zombie only once the system has come to it.
async function ending(pid: number): Promise<void> {
  while (lives(pid)) await pause(5);
}

// One that was killed and that nobody has collected yet has a process id still.
function lives(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}
