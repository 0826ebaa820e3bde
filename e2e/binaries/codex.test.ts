import { deepStrictEqual, equal } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { until } from '../hub/until.ts';
import { codex } from './codex.ts';
import { decide, UNDECIDED, WRITES } from './outcomes.ts';
import { openPeople, type People } from './scene.ts';
import { startOnTerminal, type OnTerminal } from './terminal.ts';

const escalated = { sandbox_permissions: 'require_escalated', justification: 'To try.' };
const calls = [{ name: 'exec_command', input: { cmd: WRITES, ...escalated } }];
const ITS_OWN_QUESTION = 'Would you like to run the following command?';

describe('Codex with the hook of the guide, on a terminal', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => (people = await openPeople()));
  after(() => people?.hub.remove());

  /** Codex at work. */
  async function trusting(t: TestContext, at: People, task: object = {}): Promise<OnTerminal> {
    const run = await startOnTerminal(t, at, codex, { calls, ...task });
    return run;
  }

  test('[DIA1] approve', async (t) => {
    const run = await trusting(t, people);
    await decide(run, 'approve');
    await run.shows('Done.');
    equal(run.ran(), 'asked');
    // No setting turns its announcements off.
    deepStrictEqual([...new Set(run.strayed())], ['raw.githubusercontent.com:443']);
  });

  test('[DIA1] reject', async (t) => {
    const run = await trusting(t, people);
    await decide(run, 'reject');
    await until('the model to be told', () => run.told().some((words) => words.includes('Archive first.')));
    equal(run.ran(), undefined);
  });

  for (const [name, { settings, does, ...task }] of Object.entries(UNDECIDED))
    test(`[DIA1] ${name}: Codex asks itself, and runs nothing without an answer`, async (t) => {
      const own = settings ? await openPeople(settings) : people;
      if (settings) t.after(() => own.hub.remove());
      const run = await trusting(t, own, task);
      await does?.({ ...run, people: own });
      await run.shows(ITS_OWN_QUESTION);
      equal(run.ran(), undefined);
    });
});
