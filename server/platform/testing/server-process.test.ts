import { deepStrictEqual, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerProcess } from './server-process.ts';

const never = async () => Promise.reject(new Error('nobody listens'));

test('a server that ends at once fails with its last words', async () => {
  const server = new ServerProcess({
    command: ['sh', '-c', 'echo no room >&2; exit 1'],
    accepts: never,
    endsOn: 'TERM',
  });
  await rejects(server.start(), /sh did not start: no room/);
});

test('a server ends with its test, even when that is killed with -9', async () => {
  const code = `
    import { ServerProcess } from ${JSON.stringify(join(import.meta.dirname, 'server-process.ts'))};
    const server = new ServerProcess({ command: ['sleep', '600'], accepts: async () => {}, endsOn: 'TERM' });
    await server.start();
    console.log(server.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  const alive = isAlive(pid);
  parent.kill('SIGKILL');
  const giveUpAt = performance.now() + 10_000;
  while (isAlive(pid) && performance.now() < giveUpAt) await pause(10);
  deepStrictEqual([alive, isAlive(pid)], [true, false]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
