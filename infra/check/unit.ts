// The unit tests. A process of its own for each file takes longer to start than its tests take, so most share one of
// four, which wait as often as they compute; those that change or end their process have their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import './in-memory.ts';

const GROUPS = [
  /^server\/mcp\//,
  /^server\/(inquiries|dialects|live|notices|people|sources)\//,
  /^server\/(platform|reports|simulation)\//,
  /./,
];
const ALONE = /^(infra|server\/cli)\/|^web\/bundle\.test\.ts$/;
const files = globSync('{shared,web,infra,server}/**/*.test.ts').filter(
  (path) => !/\.(pg|sim)\.test\.ts$|\/node_modules\//.test(path),
);
const groups = Map.groupBy(files, (path) =>
  ALONE.test(path) || mocksTimers(path) ? ALONE : GROUPS.find((group) => group.test(path)),
);

const codes = await Promise.all(
  [...groups].map(([group, paths]) => run(group === ALONE ? [] : ['--test-isolation=none'], paths)),
);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

// A hub that another file of the process has started would lose its timers to the mock.
function mocksTimers(path: string): boolean {
  return /timers\.enable\(\{ apis: \[[^\]]*'set/.test(readFileSync(path, 'utf8'));
}

/** What they print comes at their end, so that the failures of one stand together. */
async function run(options: string[], paths: string[]): Promise<number | null> {
  const all = ['--test', '--test-concurrency=1', '--test-timeout=120000', ...options, ...paths.toSorted()];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  process.stdout.write(await text(child.stdout));
  const [code] = await closed;
  return code;
}
