// Runs one kind of fault as long as it takes, with many more cases than `npm test` has, and prints the seed of what fails:
// npm run faults -- power [--seed 5] [--cases 10000]
// `page` is a test of the browser, which draws nothing.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { refuseWithout } from './check/programs.ts';
import { prepareTests } from './check/tests.ts';

const PAGE = 'page';
const KINDS = [PAGE, ...globSync('e2e/faults/*.test.ts').map((file) => basename(file, '.test.ts'))];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, cases: { type: 'string' } },
});
const [kind = ''] = positionals;
if (positionals.length !== 1 || !KINDS.includes(kind)) {
  console.error(`Use: npm run faults -- ${KINDS.toSorted().join('|')} [--seed NUMBER] [--cases NUMBER]`);
  process.exit(2);
}
for (const sentence of prepareTests().values()) console.log(sentence);
refuseWithout(kind);
if (kind === PAGE) spawnSync('vite', ['build', 'web', '--logLevel', 'error'], { stdio: 'inherit' });
process.env['BECKON_TEST_NIGHTLY'] = '1';
if (values.seed !== undefined) process.env['BECKON_FAULT_SEED'] = values.seed;
if (values.cases !== undefined) process.env['BECKON_FAULT_CASES'] = values.cases;
const test =
  kind === PAGE
    ? ['playwright', 'test', '-c', 'e2e', '--reporter=list', 'page-faults.e2e.ts']
    : ['node', '--test', `e2e/faults/${kind}.test.ts`];
const program = ['infra/with-servers.ts', ...test];
process.exitCode = spawnSync('node', program, { stdio: 'inherit' }).status ?? 1;
