// Everything CI runs, as one list. `npm test` comes here once the packages and the pinned Node are in place.
import { existsSync, globSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { finalLine, runSteps } from './check/list.ts';
import { equipMachine, locate } from './check/machine.ts';
import { countNodeTests, countPlaywrightTests } from './check/counts.ts';
import { command, type Step } from './check/step.ts';

const typeWorlds = ['tsconfig.json', ...globSync(['{shared,web,e2e}/tsconfig*.json', 'web/*/tsconfig.json'])];

const steps: Step[] = [
  command('format', 'oxfmt', ['--check']),
  command('lint', 'oxlint', []),
  ...typeWorlds.map((path) =>
    command(`types of ${path.replace(/\/?tsconfig\.json$/, '') || 'server'}`, 'tsc', ['-p', path]),
  ),
  command('unused code', 'knip', []),
  command('unit tests', 'npm', ['run', '-s', 'unit'], { count: countNodeTests, minutes: 5 }),
  command('store and race tests', 'npm', ['run', '-s', 'races'], {
    count: countNodeTests,
    minutes: 6,
    needs: ['Postgres', 'Redis'],
  }),
  command('simulation', 'npm', ['run', '-s', 'sim'], { count: countNodeTests, minutes: 3 }),
  command('hub tests', 'npm', ['run', '-s', 'hub'], {
    count: countNodeTests,
    minutes: 10,
    needs: ['Postgres', 'Redis'],
  }),
  command('page build', 'vite', ['build', 'web', '--logLevel', 'warn']),
  ...(existsSync('e2e/playwright.config.ts')
    ? [
        command('end-to-end tests', 'npm', ['run', '-s', 'e2e'], {
          count: countPlaywrightTests,
          minutes: 10,
          needs: ['Chromium', 'Postgres', 'Redis'],
        }),
      ]
    : []),
];

console.log(`Everything CI runs, on Node ${process.versions.node}:\n`);
const missing = equipMachine();
// Homebrew keeps Postgres off the PATH.
process.env['PATH'] += delimiter + dirname(locate('Postgres') ?? '');
process.env['BECKON_TEST_CHROMIUM'] ??= locate('Chromium') ?? '';
const totals = await runSteps(steps, missing);
console.log(finalLine(totals));
process.exitCode = totals.failed > 0 ? 1 : 0;
