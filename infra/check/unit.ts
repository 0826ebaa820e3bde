// The unit tests. A process of its own for each file takes longer to start than its tests take, so most share one of two;
// those that change or end their process have their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import './in-memory.ts';

const SECOND = /^server\/(inquiries|live|mcp|notices|people|platform|reports|simulation|sources)\//;
const ALONE = /^(infra|server\/cli)\/|^web\/bundle\.test\.ts$/;
const files = globSync('{shared,web,infra,server}/**/*.test.ts').filter(
  (path) => !/\.(pg|sim)\.test\.ts$|\/node_modules\//.test(path),
);
const alone = files.filter((path) => ALONE.test(path));
const shared = files.filter((path) => !ALONE.test(path));
const [first, second] = [shared.filter((path) => !SECOND.test(path)), shared.filter((path) => SECOND.test(path))];

const codes = await Promise.all([
  run(['--test-isolation=none'], first),
  run(['--test-isolation=none'], second),
  run([], alone),
]);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** What they print comes at their end, so that the failures of one stand together. */
async function run(options: string[], paths: string[]): Promise<number | null> {
  const all = ['--test', '--test-concurrency=1', '--test-timeout=120000', ...options, ...paths.toSorted()];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close') as Promise<[number | null]>;
  process.stdout.write(await text(child.stdout));
  const [code] = await closed;
  return code;
}
