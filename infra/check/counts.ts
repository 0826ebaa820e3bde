import type { Ended, Outcome } from './step.ts';

/** Reads the totals of `node --test`, of one run or of several; a skipped or unfinished test counts as failed, and so does a run without any. */
export function countNodeTests({ code, output }: Ended): Outcome {
  const total = (name: string) =>
    [...output.matchAll(new RegExp(`^ℹ ${name} (\\d+)$`, 'gm'))].reduce((sum, [, count]) => sum + Number(count), 0);
  const passed = total('pass');
  const unsound = ['skipped', 'todo', 'cancelled'].filter((name) => total(name) > 0);
  const failed = total('fail') + unsound.reduce((sum, name) => sum + total(name), 0);
  const failures = output.slice(Math.max(0, output.indexOf('✖ failing tests:')));
  const remarks = unsound.map((name) => `${total(name)} ${name}: here a test runs or is deleted.\n`);
  return { passed, failed: atLeastOne(failed, code !== 0 || passed === 0), output: [failures, ...remarks].join('\n') };
}

/** Reads the totals of Playwright; a test that passed only when tried again, or was not run, counts as failed. */
export function countPlaywrightTests({ code, output }: Ended): Outcome {
  const total = (name: string) => Number(new RegExp(`^\\s+(\\d+) ${name}\\b`, 'm').exec(output)?.[1] ?? 0);
  const passed = total('passed');
  const failed = ['failed', 'flaky', 'skipped', 'did not run', 'interrupted'].reduce(
    (sum, name) => sum + total(name),
    0,
  );
  return { passed, failed: atLeastOne(failed, code !== 0 || passed === 0), output };
}

function atLeastOne(failed: number, broken: boolean): number {
  return broken ? Math.max(1, failed) : failed;
}

/** The titles of the tests that failed, from the output of `node --test` or of Playwright's list. */
export function failedTitles(output: string): string[] {
  const patterns = [/^✖ (?!failing tests:)(.+?)(?: \([\d.]+ms\))?$/gm, /^ {4}(\S+\.e2e\.ts:\d+:\d+ › .+?)[\s─]*$/gm];
  return [...new Set(patterns.flatMap((pattern) => [...output.matchAll(pattern)].map((match) => match[1] ?? '')))];
}

/** The titles that name a seed, of the failed tests and of the groups that hold them, from the output of `node --test`. */
export function failedSeeds(output: string): string[] {
  return [
    ...new Set([...output.matchAll(/^\s*✖ (.*\bseed \d+.*?)(?: \([\d.]+ms\))?$/gm)].map(([, title = '']) => title)),
  ];
}
