// Runs what draws its cases by chance for as long as it takes, with many more cases than `npm test` has, and prints the
// title of each failure with its seed, to be pinned where the last line says: npm run nightly [-- --times 3]
import { parseArgs } from 'node:util';
import { countNodeTests, failedSeeds } from './check/counts.ts';
import { refuseWithout } from './check/programs.ts';
import { command } from './check/step.ts';
import { prepareTests } from './check/tests.ts';

const FAULTS = ['power', 'rot', 'failover', 'net'];
const DRAWN = ['crash', 'crash-deciders', 'frozen', 'fuzz', 'race', ...FAULTS.map((kind) => `faults/${kind}`)].map(
  (name) => `e2e/${name}.test.ts`,
);
const NO_LIMIT = { count: countNodeTests, minutes: 24 * 60 };
const { values } = parseArgs({ options: { times: { type: 'string', default: '10' } } });

refuseWithout(...FAULTS);
prepareTests();
process.env['BECKON_TEST_NIGHTLY'] = '1';
const steps = [
  // Ten times as many of them are ten thousand.
  command('sim', 'npm', ['run', '-s', 'sim', '--', '--seeds', '1000', '--minutes', '30'], NO_LIMIT),
  command('shells', 'npm', ['run', '-s', 'shells'], NO_LIMIT),
  command('push', 'npm', ['run', '-s', 'push'], NO_LIMIT),
  command('hub', 'node', ['infra/with-servers.ts', 'node', '--test', '--test-concurrency=1', ...DRAWN], NO_LIMIT),
];
let failures = 0;
for (let at = 1; at <= Number(values.times); at++) {
  for (const { name, run } of steps) {
    const { passed, failed, output, whole = '' } = await run();
    console.log(`${name} ${at}: ${passed} passed, ${failed} failed`);
    if (failed === 0) continue;
    failures++;
    console.log([output, ...failedSeeds(whole)].join('\n'));
  }
}
if (failures > 0)
  console.log(
    'Pin these seeds: of sim in server/simulation/simulation.sim.test.ts, of shells in server/automation/rules/shell/shells.sim.test.ts, of others in e2e/hub/chance.ts.',
  );
process.exitCode = failures > 0 ? 1 : 0;
