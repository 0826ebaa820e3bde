// Everything CI runs, as one list. `npm test` comes here once the packages and the pinned Node are in place.
import { globSync } from 'node:fs';
import { finalLine, runSteps } from './check/list.ts';
import { command, type Step } from './check/step.ts';
import { prepareTests, testSteps } from './check/tests.ts';

const typeWorlds = ['tsconfig.json', ...globSync('{shared,web,e2e}/**/tsconfig*.json').toSorted()];

const steps: Step[] = [
  command('format', 'oxfmt', ['--list-different']),
  command('lint', 'oxlint', []),
  ...typeWorlds.map((path) => command(`types of ${worldOf(path)}`, 'tsc', ['-p', path])),
  command('unused code', 'knip', []),
  command('page build', 'vite', ['build', 'web', '--logLevel', 'warn']),
  ...testSteps,
];

console.log(`Everything CI runs, on Node ${process.versions.node}:\n`);
const totals = await runSteps(steps, prepareTests());
console.log(finalLine(totals));
process.exitCode = totals.failed > 0 ? 1 : 0;

function worldOf(path: string): string {
  return path.replace(/\/?tsconfig\.json$/, '') || 'server';
}
