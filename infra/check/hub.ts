// The tests of whole hubs. They mostly wait, so four files run at a time; the one that counts the seconds of single calls
// runs alone.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const ALONE = ['e2e/frozen.test.ts'];
/** What needs rights or programs that not every machine has, or takes long, runs in `npm run nightly` and `npm run faults` alone. */
const ELSEWHERE = ['power', 'failover', 'net'].map((name) => `e2e/faults/${name}.test.ts`);
const files = globSync('e2e/**/*.test.ts').filter(
  (path) => !/^e2e\/(push|binaries|agents)\//.test(path) && !ELSEWHERE.includes(path),
);
const beside = files.filter((path) => !ALONE.includes(path));

const codes = [run(4, beside.toSorted()), run(1, ALONE)];
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;

function run(atOnce: number, paths: string[]): number | null {
  const options = ['--test', `--test-concurrency=${atOnce}`, '--test-timeout=300000'];
  return spawnSync(process.execPath, [...options, ...paths], { stdio: 'inherit' }).status;
}
