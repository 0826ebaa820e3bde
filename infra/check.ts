// Everything CI runs, as one list. `npm test` comes here once the packages and the pinned Node are in place.
import { globSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { finalLine, runSteps } from './check/list.ts';
import { equipMachine, locate } from './check/machine.ts';
import { countNodeTests, countPlaywrightTests } from './check/counts.ts';
import { command, type Options, type Step, type Tool } from './check/step.ts';

const typeWorlds = ['tsconfig.json', ...globSync('{shared,web,e2e}/**/tsconfig*.json').toSorted()];
const servers: Tool[] = ['Postgres', 'Redis'];
const desktop: Tool[] = ['Chromium', 'Firefox', 'D-Bus', 'libnotify'];

// The minutes end what hangs; a slow machine may need several times what a quick one does.
const steps: Step[] = [
  command('format', 'oxfmt', ['--list-different']),
  command('lint', 'oxlint', []),
  ...typeWorlds.map((path) => command(`types of ${worldOf(path)}`, 'tsc', ['-p', path])),
  command('unused code', 'knip', []),
  command('page build', 'vite', ['build', 'web', '--logLevel', 'warn']),
  script('unit', { minutes: 15 }),
  script('races', { minutes: 15, needs: servers }),
  script('sim', { minutes: 10 }),
  script('hub', { minutes: 40, needs: servers }),
  script('e2e', { minutes: 40, needs: [...servers, 'Chromium'], count: countPlaywrightTests }),
  // Only on Linux can a test stand for the desktop that browsers send their notifications to.
  ...(process.platform === 'linux' ? [script('push', { minutes: 30, needs: desktop })] : []),
];

console.log(`Everything CI runs, on Node ${process.versions.node}:\n`);
const missing = equipMachine();
// Homebrew keeps Postgres off the PATH.
process.env['PATH'] += delimiter + dirname(locate('Postgres') ?? '');
process.env['BECKON_TEST_CHROMIUM'] ??= locate('Chromium') ?? '';
process.env['BECKON_TEST_FIREFOX'] ??= locate('Firefox') ?? '';
const totals = await runSteps(steps, missing);
console.log(finalLine(totals));
process.exitCode = totals.failed > 0 ? 1 : 0;

function script(name: string, options: Options): Step {
  return command(name, 'npm', ['run', '-s', name], { count: countNodeTests, ...options });
}

function worldOf(path: string): string {
  return path.replace(/\/?tsconfig\.json$/, '') || 'server';
}
