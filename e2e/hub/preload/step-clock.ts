/**
 * Loaded before a hub by `--import`: its wall clock goes by the first number of milliseconds in the file that
 * BECKON_TEST_CLOCK names, as after `date -s`, and `os.uptime` by the second, as after a sleep of the machine. What else is
 * monotonic (`performance.now`, timers) stays as it is.
 */
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

const file = process.env['BECKON_TEST_CLOCK'];
if (file === undefined) throw new Error('BECKON_TEST_CLOCK names no file');
const RealDate = Date;
const realNow = Date.now.bind(Date);
const offsets = (): [number, number] => {
  const [wall = '', slept = ''] = readFileSync(file, 'utf8').split(' ');
  return [Number(wall), Number(slept)];
};
const now = (): number => realNow() + offsets()[0];

class SteppedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }
  static override now = now;
}
const realUptime = os.uptime.bind(os);
os.uptime = () => realUptime() + offsets()[1] / 1000;
syncBuiltinESMExports();
globalThis.Date = SteppedDate as DateConstructor;
