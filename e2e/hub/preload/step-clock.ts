/**
 * Loaded before a hub by `--import`: its wall clock goes by the number of milliseconds in the file that BECKON_TEST_CLOCK
 * names, as after `date -s`. What is monotonic (`performance.now`, `os.uptime`, timers) stays as it is.
 */
import { readFileSync } from 'node:fs';

const file = process.env['BECKON_TEST_CLOCK'];
if (file === undefined) throw new Error('BECKON_TEST_CLOCK names no file');
const RealDate = Date;
const realNow = Date.now.bind(Date);
const now = (): number => realNow() + Number(readFileSync(file, 'utf8'));

class SteppedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }
  static override now = now;
}
globalThis.Date = SteppedDate as DateConstructor;
