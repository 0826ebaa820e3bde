import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { environment } from '../hub/hub.ts';
import type { Place } from './scene.ts';

const MAIN = resolve(import.meta.dirname, '../../server/cli/main.ts');

/** The key is in the settings: the program's own environment has none. */
export const WITHOUT_KEY = { BECKON_KEY: '', BECKON_URL: '' };

/** Runs `beckon connect` for a program, whose home has its settings then. */
export function connect({ home, hub }: Place, agent: string): void {
  const env = environment({ HOME: home, BECKON_URL: hub.url, BECKON_KEY: hub.key });
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'connect', agent, '--yes', '--no-test'], { env });
  if (status !== 0) throw new Error(`beckon connect ${agent} ended with ${status}: ${String(stderr)}`);
}
