// Repeats test suites while every core is busy, and prints each title that ever failed:
// npm run stress [-- unit races sim hub e2e push] [--times 10]
import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { failedTitles } from './check/counts.ts';
import type { Step } from './check/step.ts';
import { prepareTests, testSteps } from './check/tests.ts';

const TIMES: Record<string, number> = { unit: 10, races: 10, sim: 10, hub: 3, e2e: 3, push: 3 };

const { steps, times } = readArguments();
const missing = prepareTests();
const load = busyCores();
const failures = new Map<string, number>();
let runs = 0;
let failedRuns = 0;
try {
  for (const step of steps) {
    for (let at = 1; at <= (times ?? TIMES[step.name] ?? 1); at++) await runOnce(step, at);
  }
} finally {
  load.forEach((child) => child.kill('SIGKILL'));
}
for (const [title, count] of failures) console.log(`${count}x ${title}`);
console.log(`\n${runs - failedRuns} passed, ${failedRuns} failed`);
process.exitCode = failedRuns > 0 ? 1 : 0;

async function runOnce(step: Step, at: number): Promise<void> {
  const lacking = step.needs.find((tool) => missing.has(tool));
  const began = performance.now();
  const outcome = lacking ? { passed: 0, failed: 1, output: missing.get(lacking) ?? '' } : await step.run();
  runs++;
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${step.name} ${at}: ${outcome.passed} passed, ${outcome.failed} failed, in ${seconds} s`);
  if (outcome.failed === 0) return;
  failedRuns++;
  const titles = failedTitles(outcome.output);
  for (const title of titles.length > 0 ? titles : ['a run that ended before its tests'])
    failures.set(`${step.name}: ${title}`, (failures.get(`${step.name}: ${title}`) ?? 0) + 1);
  console.log(outcome.output);
}

/** One process for each core that only computes, and ends when this one is gone. */
function busyCores(): ChildProcess[] {
  const compute =
    'const parent = process.ppid; setInterval(() => { for (const end = Date.now() + 200; Date.now() < end; ); if (process.ppid !== parent) process.exit(); });';
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', compute], { stdio: 'ignore' }),
  );
}

function readArguments(): { steps: Step[]; times: number | undefined } {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { times: { type: 'string' } } });
  const names = testSteps.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  const times = values.times === undefined ? undefined : Number(values.times);
  if (unknown !== undefined || (times !== undefined && !(Number.isInteger(times) && times > 0))) {
    console.error(`Use: npm run stress [-- ${names.join(' ')}] [--times 3]`);
    process.exit(2);
  }
  return { steps: testSteps.filter(({ name }) => positionals.length === 0 || positionals.includes(name)), times };
}
