import { deepStrictEqual, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerProcess } from './server-process.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'beckon-server-'));

test('a server that ends at once fails with its last words and leaves no folder', async () => {
  const folder = newFolder();
  const accepts = async () => Promise.reject(new Error('nobody listens'));
  const server = new ServerProcess({
    command: ['sh', '-c', 'echo no room >&2; exit 1'],
    accepts,
    endsOn: 'TERM',
    folder,
  });
  await rejects(server.start(), /sh did not start: no room/);
  deepStrictEqual(existsSync(folder), false);
});

test('a killed server keeps its folder for the next start, a stopped one does not', async () => {
  const folder = newFolder();
  const server = new ServerProcess({ command: ['sleep', '600'], accepts: async () => {}, endsOn: 'TERM', folder });
  await server.start();
  const first = server.pid;
  await server.kill();
  const kept = existsSync(folder);
  await server.start();
  const second = server.pid;
  await server.stop();
  deepStrictEqual([kept, existsSync(folder), isAlive(first), isAlive(second)], [true, false, false, false]);
});

test('a server and its folder go with its test, even when that is killed with -9', async () => {
  const folder = newFolder();
  const code = `
    import { ServerProcess } from ${JSON.stringify(join(import.meta.dirname, 'server-process.ts'))};
    const folder = ${JSON.stringify(folder)};
    const server = new ServerProcess({ command: ['sleep', '600'], accepts: async () => {}, endsOn: 'TERM', folder });
    await server.start();
    console.log(server.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  const before = [isAlive(pid), existsSync(folder)];
  parent.kill('SIGKILL');
  const giveUpAt = performance.now() + 20_000;
  while ((isAlive(pid) || existsSync(folder)) && performance.now() < giveUpAt) await pause(10);
  deepStrictEqual([before, isAlive(pid), existsSync(folder)], [[true, true], false, false]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
