import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Acknowledging } from './acknowledge.ts';

/** Runs `acknowledge.ts` to its end, or `kill -9`s it at its `killAt`th row; returns every row it acknowledged. */
export async function spawnAcknowledging(work: Acknowledging, killAt = Infinity): Promise<string[]> {
  const script = join(import.meta.dirname, 'acknowledge.ts');
  const child = spawn(process.execPath, [script, JSON.stringify(work)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let count = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    count += chunk.split('\n').length - 1;
    if (count >= killAt) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (killAt === Infinity ? code !== 0 : signal !== 'SIGKILL')
    throw new Error(`the child ended with ${String(code ?? signal)}`);
  return output.split('\n').slice(0, -1);
}
