// Everything CI runs, as one list. `npm test` comes here once the packages and the pinned Node are in place:
// npm test [-- hub races] [--slowest]
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { finalLine, gaps, runSteps } from './check/list.ts';
import { watchTimes } from './check/slowest.ts';
import { command, type Step } from './check/step.ts';
import { prepareTests, testSteps } from './check/tests.ts';

const typeWorlds = ['tsconfig.json', ...globSync('{shared,web,e2e}/**/tsconfig*.json').toSorted()];

const pageBuild = command('page build', 'vite', ['build', 'web', '--logLevel', 'warn']);
const steps: Step[] = [
  command('format', 'oxfmt', ['--list-different']),
  command('lint', 'oxlint', []),
  ...typeWorlds.map((path) => command(`types of ${worldOf(path)}`, 'tsc', ['-p', path])),
  command('unused code', 'knip', []),
  pageBuild,
  ...testSteps,
];

const { chosen, slowest } = readArguments();
console.log(
  `${chosen === steps ? 'Everything CI runs' : 'A part of what CI runs'}, on Node ${process.versions.node}:\n`,
);
const missing = prepareTests();
for (const gap of gaps(chosen, missing)) console.log(gap);
const times = slowest ? watchTimes() : undefined;
const totals = await runSteps(chosen, missing, times);
if (times) console.log(times.report());
console.log(finalLine(totals));
process.exitCode = totals.failed > 0 ? 1 : 0;

function readArguments(): { chosen: Step[]; slowest: boolean } {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { slowest: { type: 'boolean' } } });
  const names = steps.map(({ name }) => name);
  if (positionals.some((name) => !names.includes(name))) {
    console.error(`Use: npm test [-- ${testSteps.map(({ name }) => name).join(' ')}] [--slowest]`);
    process.exit(2);
  }
  const chosen = positionals.length === 0 ? steps : steps.filter((step) => isChosen(step, positionals));
  return { chosen, slowest: values.slowest ?? false };
}

// The page that a hub hands out is the one of the sources as they are now.
function isChosen(step: Step, names: string[]): boolean {
  const isServed = names.some((name) => ['hub', 'push', 'e2e'].includes(name));
  return names.includes(step.name) || (step === pageBuild && isServed);
}

function worldOf(path: string): string {
  return path.replace(/\/?tsconfig\.json$/, '') || 'server';
}
