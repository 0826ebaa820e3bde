// The simulation, in two processes: npm run sim [-- --seeds 10000 --minutes 60] draws so many seeds, 200 without a number,
// beside those that have a name; npm run sim -- --seed 42 runs that one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import './in-memory.ts';

const PROCESSES = 2;
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '60' },
  },
});
const { seed, seeds, minutes } = values;
const each = ['--seeds', String(Math.ceil(Number(seeds) / PROCESSES)), '--minutes', minutes];
const codes = await Promise.all(seed === undefined ? [run([...each, '--named']), run(each)] : [run(['--seed', seed])]);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** What they print comes at their end, so that the failures of one stand together. */
async function run(options: string[]): Promise<number | null> {
  const all = ['server/simulation/simulation.sim.test.ts', ...options];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  process.stdout.write(await text(child.stdout));
  const [code] = await closed;
  return code;
}
