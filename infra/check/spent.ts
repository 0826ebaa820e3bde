// Loaded into every test process by `npm test -- --slowest`: adds up what the tests' own code measured by
// `performance.measure`, and appends it to the file that BECKON_TEST_SPENT names when the process ends.
import { appendFileSync } from 'node:fs';
import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';
import { SPENT, type SpentLine } from './slowest.ts';

const spent = new Map<string, { ms: number; times: number }>();
const observer = new PerformanceObserver((list) => add(list.getEntries()));
observer.observe({ type: 'measure' });

process.on('exit', () => {
  add(observer.takeRecords());
  for (const [what, { ms, times }] of spent)
    appendFileSync(
      process.env['BECKON_TEST_SPENT'] ?? '',
      `${JSON.stringify({ what, ms, times } satisfies SpentLine)}\n`,
    );
});

function add(entries: PerformanceEntry[]): void {
  for (const { name, duration } of entries) {
    if (!name.startsWith(SPENT)) continue;
    const what = name.slice(SPENT.length);
    const { ms, times } = spent.get(what) ?? { ms: 0, times: 0 };
    spent.set(what, { ms: ms + duration, times: times + 1 });
  }
}
