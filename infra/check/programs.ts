import { spawnSync } from 'node:child_process';

const NEEDED: Record<string, { program: string; sentence: string }> = {
  power: { program: 'strace', sentence: 'strace is missing, which records what a hub writes: install it, on Linux.' },
  failover: {
    program: 'pgbouncer',
    sentence: 'pgbouncer is missing, behind which Postgres is restarted too: install it, and put it on the PATH.',
  },
};

/** Ends the process with one sentence where one of these kinds of faults needs a program that is not installed. */
export function refuseWithout(...kinds: string[]): void {
  for (const kind of kinds) {
    const needed = NEEDED[kind];
    if (!needed || !spawnSync(needed.program, ['--version']).error) continue;
    console.error(needed.sentence);
    process.exit(2);
  }
}
