import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './step.ts';

/** How many tests are named. */
const NAMED = 20;
/** With this begin the names of what the tests' own code measures: `performance.measure('test: start a hub', …)`. */
export const SPENT = 'test: ';
/** What one test process spent on one thing. */
export type SpentLine = { what: string; ms: number; times: number };
type Timed = { title: string; ms: number };

/**
 * Watches where the time of the steps goes: call it before they run. Every test process that starts from here on loads
 * `spent.ts`; `after` reads a step that has ended, and `report` is the whole as lines to print.
 */
export function watchTimes() {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-spent-'));
  const file = join(folder, 'spent');
  const preload = new URL('spent.ts', import.meta.url).href;
  process.env['BECKON_TEST_SPENT'] = file;
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`.trim();
  const tests: Timed[] = [];
  const rows: string[] = [];
  return {
    after(step: string, { whole = '' }: Outcome, ms: number): void {
      const lines = existsSync(file) ? readSpent(readFileSync(file, 'utf8')) : [];
      rmSync(file, { force: true });
      const own = timedTests(whole);
      if (own.length === 0) return;
      tests.push(...own.map((one) => ({ ...one, title: `${step}: ${one.title}` })));
      rows.push(...spentRows(step, ms, own, lines));
    },
    report(): string {
      rmSync(folder, { recursive: true, force: true });
      const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, NAMED);
      return [
        '',
        `The ${slowest.length} slowest of ${tests.length} tests:`,
        ...slowest.map(({ title, ms }) => `${seconds(ms)}  ${title}`),
        '',
        'What the tests of each step spent their time on; several run at once, and a wait may hold a start:',
        ...rows,
      ].join('\n');
    },
  };
}

/** Every test with its time, from the output of `node --test` or of Playwright's list; a suite is not one. */
export function timedTests(output: string): Timed[] {
  const suites = new Set([...output.matchAll(/^\s*▶ (.+?)(?: \([\d.]+ms\))?$/gm)].map(([, title]) => title));
  const failing = output.indexOf('✖ failing tests:');
  const node = [...output.slice(0, failing < 0 ? undefined : failing).matchAll(/^\s*[✔✖] (.+) \(([\d.]+)ms\)$/gm)];
  const playwright = [...output.matchAll(/^\s+[✓✘]\s+\d+ (\S+\.e2e\.ts:\d+:\d+ › .+) \(([\d.]+)(ms|s|m)\)$/gm)];
  return [
    ...node.flatMap(([, title = '', ms]) => (suites.has(title) ? [] : [{ title, ms: Number(ms) }])),
    ...playwright.map(([, title = '', number, unit]) => ({ title, ms: Number(number) * (UNITS[unit ?? ''] ?? 1) })),
  ];
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };

/** The lines that test processes left, added up by what they name. */
export function readSpent(text: string): SpentLine[] {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SpentLine);
  return [...Map.groupBy(lines, ({ what }) => what)]
    .map(([what, same]) => ({
      what,
      ms: same.reduce((sum, { ms }) => sum + ms, 0),
      times: same.reduce((sum, { times }) => sum + times, 0),
    }))
    .toSorted((a, b) => b.ms - a.ms);
}

function spentRows(step: string, wallMs: number, tests: Timed[], spent: SpentLine[]): string[] {
  const all = tests.reduce((sum, { ms }) => sum + ms, 0);
  return [
    `${seconds(wallMs)}  ${step}: its ${tests.length} tests took ${seconds(all).trim()} in all`,
    ...spent.map(({ what, ms, times }) => `${seconds(ms)}    ${what}, ${times} times`),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(9);
}
