import { deepStrictEqual, match } from 'node:assert/strict';
import { test } from 'node:test';
import { finalLine, gaps, runSteps } from './list.ts';
import { command, type Outcome, type Step } from './step.ts';

const step = (name: string, outcome: Partial<Outcome> = {}, needs: Step['needs'] = []): Step => ({
  name,
  needs,
  run: async () => ({ passed: 1, failed: 0, output: '', ...outcome }),
});

async function runQuietly(
  steps: Step[],
  missing = new Map(),
): Promise<{ passed: number; failed: number; printed: string[] }> {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const { passed, failed } = await runSteps(steps, missing, { print, now: () => 0 });
  return { passed, failed, printed: printed.map((text) => text.replace(/ +/g, ' ')) };
}

test('steps run in order, a line each', async () => {
  deepStrictEqual(await runQuietly([step('format'), step('unit', { passed: 40 })]), {
    passed: 41,
    failed: 0,
    printed: ['✔ format 0.0 s', '✔ unit 0.0 s 40 passed'],
  });
});

test('a step that mostly waits runs beside the suites before it, and has its line after them', async () => {
  const { promise: pushed, resolve } = Promise.withResolvers<void>();
  const unit = { ...step('unit'), isSuite: true, run: () => pushed.then(step('unit').run) };
  const push = { ...step('push'), mostlyWaits: true, run: async () => (resolve(), step('push').run()) };
  const { printed } = await runQuietly([step('format'), unit, step('hub'), push, step('e2e')]);
  deepStrictEqual(
    printed,
    ['format', 'unit', 'hub', 'push', 'e2e'].map((name) => `✔ ${name} 0.0 s`),
  );
});

test('a step that is no suite runs beside the one before it, and no suite does', async () => {
  const begun: string[] = [];
  const noted = (one: Step): Step => ({ ...one, run: async () => (begun.push(one.name), one.run()) });
  const { promise: built, resolve } = Promise.withResolvers<void>();
  const lint = noted({ ...step('lint'), run: () => built.then(step('lint').run) });
  const build = noted({ ...step('build'), run: async () => (resolve(), step('build').run()) });
  await runQuietly([lint, build, noted({ ...step('unit'), isSuite: true })]);
  deepStrictEqual(begun, ['lint', 'build', 'unit']);
});

test('the first failing step shows its output and ends the list', async () => {
  const steps = [
    step('format'),
    step('lint', { passed: 0, failed: 1, output: 'a.ts:3 is wrong\n' }),
    step('unit'),
    step('pages'),
  ];
  deepStrictEqual(await runQuietly(steps), {
    passed: 1,
    failed: 1,
    printed: ['✔ format 0.0 s', '✖ lint 0.0 s', '\na.ts:3 is wrong\n', 'Not run: pages.'],
  });
});

test('a suite that fails shows its output, and the other suites run', async () => {
  const suite = { ...step('unit', { passed: 7, failed: 2, output: 'two' }), isSuite: true };
  deepStrictEqual(await runQuietly([suite, step('pages')]), {
    passed: 8,
    failed: 2,
    printed: ['✖ unit 0.0 s 7 passed, 2 failed', '\ntwo\n', '✔ pages 0.0 s'],
  });
});

test('a step whose tool is missing fails with one sentence, and the others run', async () => {
  const missing = new Map([['Redis', 'Redis is missing; install it with: sudo apt-get install -y redis-server']]);
  const { failed, printed } = await runQuietly([step('races', {}, ['Redis']), step('pages')], missing);
  deepStrictEqual([failed, printed], [1, ['✖ races 0.0 s', `\n${missing.get('Redis')}\n`, '✔ pages 0.0 s']]);
});

test('what is missing is said before the first step, with the suites that show nothing without it', () => {
  const missing = new Map([
    ['Firefox', 'Firefox is missing; install it by hand.'],
    ['Redis', 'Redis is missing.'],
    ['zsh', 'zsh is missing.'],
  ] as const);
  const steps = [step('unit'), step('races', {}, ['Redis']), step('hub', {}, ['Redis']), step('push', {}, ['Firefox'])];
  deepStrictEqual(gaps(steps, missing), [
    'Firefox is missing; install it by hand.\nWithout it nothing is shown by: push.\n',
    'Redis is missing.\nWithout it nothing is shown by: races, hub.\n',
  ]);
});

test('the last line holds the totals', () => {
  deepStrictEqual(finalLine({ passed: 412, failed: 1, ms: 83_400 }), '\n412 passed, 1 failed, in 1 min 23 s');
});

test('a command fails by its exit code, by not being there and by taking too long', async () => {
  deepStrictEqual(await command('good', process.execPath, ['-p', '1']).run(), {
    passed: 1,
    failed: 0,
    output: '1\n',
    whole: '1\n',
  });
  deepStrictEqual((await command('bad', process.execPath, ['-e', 'process.exit(3)']).run()).failed, 1);
  match((await command('absent', 'no-such-program', []).run()).output, /could not be started/);
  const endless = command('endless', process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { minutes: 1 / 600 });
  match((await endless.run()).output, /Stopped after/);
});

test('a letter that a command says in two pieces is one letter', async () => {
  const halves = `const { stdout } = process;
    stdout.write(Buffer.from([0xe2]), () => setTimeout(() => stdout.write(Buffer.from([0x9c, 0x94])), 100));`;
  deepStrictEqual((await command('halves', process.execPath, ['-e', halves]).run()).output, '✔');
});

test('a command that has ended is not waited for because of what it left behind', async (t) => {
  const leaves = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
    { detached: true, stdio: 'inherit' });
    child.unref();
    console.log(child.pid);`;
  const { passed, output } = await command('leaves', process.execPath, ['-e', leaves]).run();
  t.after(() => process.kill(Number(output)));
  deepStrictEqual([passed, Number(output) > 0], [1, true]);
});
