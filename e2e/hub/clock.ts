import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The clocks of one hub process: pass `settings` to its start, then step its wall clock, or let time pass as while the machine sleeps. */
export type SteppedClock = {
  settings: Record<string, string>;
  step(ms: number): void;
  sleep(ms: number): void;
  [Symbol.dispose](): void;
};

/** A wall clock that runs `ms` beside the machine's, from the next reading on. */
export function steppedClock(ms = 0): SteppedClock {
  const dir = mkdtempSync(join(tmpdir(), 'beckon-clock-'));
  const file = join(dir, 'offset');
  let [offset, slept] = [0, 0];
  const write = (): void => {
    // Renamed into place, so that no reading finds half a number.
    writeFileSync(`${file}.new`, `${offset} ${slept}`);
    renameSync(`${file}.new`, file);
  };
  const step = (by: number): void => {
    offset += by;
    write();
  };
  const sleep = (by: number): void => {
    slept += by;
    step(by);
  };
  step(ms);
  const preload = new URL('preload/step-clock.ts', import.meta.url).href;
  return {
    settings: { NODE_OPTIONS: `--import=${preload}`, BECKON_TEST_CLOCK: file },
    step,
    sleep,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}
