import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The wall clock of one hub process: pass `settings` to its start, then step it at any time. */
export type SteppedClock = { settings: Record<string, string>; step(ms: number): void; [Symbol.dispose](): void };

/** A wall clock that runs `ms` beside the machine's, from the next reading on. */
export function steppedClock(ms = 0): SteppedClock {
  const dir = mkdtempSync(join(tmpdir(), 'beckon-clock-'));
  const file = join(dir, 'offset');
  let offset = 0;
  const step = (by: number): void => {
    offset += by;
    // Renamed into place, so that no reading finds half a number.
    writeFileSync(`${file}.new`, String(offset));
    renameSync(`${file}.new`, file);
  };
  step(ms);
  const preload = new URL('preload/step-clock.ts', import.meta.url).href;
  return {
    settings: { NODE_OPTIONS: `--import=${preload}`, BECKON_TEST_CLOCK: file },
    step,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}
