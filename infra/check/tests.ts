import { delimiter, dirname, resolve } from 'node:path';
import { countNodeTests, countPlaywrightTests } from './counts.ts';
import type { Missing } from './list.ts';
import { equipMachine, locate } from './machine.ts';
import { command, type Options, type Step, type Tool } from './step.ts';

const servers: Tool[] = ['Postgres', 'Redis'];
const desktop: Tool[] = ['Chromium', 'Firefox', 'D-Bus', 'libnotify'];

/** Every suite, from fast to slow. The minutes end a hanging run; a slow machine may need several times as many as a fast one. */
export const testSteps: Step[] = [
  script('unit', { minutes: 15 }),
  script('races', { minutes: 15, needs: servers }),
  script('sim', { minutes: 10 }),
  script('shells', { minutes: 5, needs: ['bash', 'dash', 'zsh'] }),
  script('hub', { minutes: 40, needs: servers }),
  // Only on Linux can a test stand for the desktop that browsers send their notifications to.
  ...(process.platform === 'linux' ? [{ ...script('push', { minutes: 30, needs: desktop }), mostlyWaits: true }] : []),
  script('e2e', { minutes: 40, needs: [...servers, 'Chromium'], count: countPlaywrightTests }),
];

/** Installs the servers, browsers and shells that are missing and puts the paths of all of them into the environment. */
export function prepareTests(): Missing {
  const missing = equipMachine();
  // Homebrew keeps Postgres off the PATH.
  process.env['PATH'] += delimiter + dirname(locate('Postgres') ?? '');
  process.env['BECKON_TEST_CHROMIUM'] ??= locate('Chromium') ?? '';
  process.env['BECKON_TEST_CHROMIUM_SHELL'] ??= locate('Chromium shell') ?? '';
  process.env['BECKON_TEST_FIREFOX'] ??= locate('Firefox') ?? '';
  // Tests start hundreds of processes from the same files: each compiled once saves a quarter of their time.
  process.env['NODE_COMPILE_CACHE'] ??= resolve(import.meta.dirname, '../../node_modules/.cache/node');
  return missing;
}

function script(name: string, options: Options): Step {
  return { ...command(name, 'npm', ['run', '-s', name], { count: countNodeTests, ...options }), isSuite: true };
}
