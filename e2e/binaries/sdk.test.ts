import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../hub/until.ts';
import { type Asking, DECIDED, driven, UNDECIDED, WRITES } from './outcomes.ts';
import { openPeople, start, type People } from './scene.ts';
import { sdkAgent } from './sdk.ts';

const bash = { name: 'Bash', input: { command: WRITES, description: 'Writes a file' } };
const { expiry = {}, withdrawal = {}, '401': refused = {}, '422': invalid = {}, 'hub down': down = {} } = UNDECIDED;

/** What the model is told of its call, where it is not the tool's own words. */
const TOLD: Record<string, RegExp> = {
  reject: /^Archive first\.$/,
  decline: /^The person declined to answer this\./,
  expiry: /Nobody decided: this is neither a yes nor a no\./,
  withdrawal: /taken back before anybody answered/,
  '401': /This credential is not known here\./,
  '422': /\/deadline must be seconds/,
  'hub down': /The hub at http:\S+ was not reached/,
};

describe('Claude Agent SDK with canUseTool of the guide', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => {
    people = await openPeople();
  });
  after(() => people?.hub.remove());

  const outcomes = { ...DECIDED, expiry, withdrawal, '401': refused, '422': invalid, 'hub down': down };
  for (const form of ['middleware', 'by itself'] as const)
    for (const [name, outcome] of Object.entries(outcomes))
      test(`[DIA1] ${form}: ${name}`, async (t) => {
        const agent = sdkAgent(form, outcome === down ? 1_000 : undefined);
        const { ran, told } = await driven(t, people, { agent, calls: [bash], outcome });
        deepStrictEqual(ran, outcome.ran);
        if (!ran) match(told, TOLD[name] ?? /^$/);
      });

  test('[DIA1] middleware: a run that is aborted takes its question back at once', async (t) => {
    const run = await start(t, people, sdkAgent('middleware'), { calls: [bash] });
    const inquiry = await run.asked();
    await run.program.signal('SIGUSR2');
    // Where its connection alone were lost, that would take a minute.
    await until('the question to be taken back', async () => (await run.read(inquiry)).resolution, 20_000);
    await run.program.ended;
    deepStrictEqual([run.ran(), (await run.read(inquiry)).resolution?.outcome], [undefined, 'withdrawn']);
  });

  test('[ASK1] a kill -9 of the hub changes nothing: the question is found again', async (t) => {
    const does = async (run: Asking) => {
      const { id } = await run.asked();
      await run.people.hub.kill();
      await run.people.hub.start();
      const again = await run.asked();
      deepStrictEqual(again.id, id);
      await run.answer(again, { decisions: [{ type: 'approve', optionId: 'once' }] });
    };
    const { ran } = await driven(t, people, {
      agent: sdkAgent('middleware'),
      calls: [bash],
      outcome: { settings: {}, does },
    });
    deepStrictEqual(ran, 'asked');
  });

  test('one approval for the rest of the session: the second call asks nobody', async (t) => {
    const write = (file: string) => ({ name: 'Write', input: { file_path: `ran-${file}.txt`, content: file } });
    const run = await start(t, people, sdkAgent('middleware'), { calls: [write('one'), write('two')] });
    const inquiry = await run.asked();
    const option = inquiry.actions?.[0]?.options?.find(({ remember }) => remember !== undefined);
    await run.answer(inquiry, { decisions: [{ type: 'approve', optionId: option?.id }] });
    await run.program.ended;
    deepStrictEqual([run.ran('ran-one.txt'), run.ran('ran-two.txt')], ['one', 'two']);
  });

  test("a question of Claude's own is answered with a person's words", async (t) => {
    const question = 'Which colour?';
    const options = ['Red', 'Blue'].map((label) => ({ label, description: label }));
    const asks = {
      name: 'AskUserQuestion',
      input: { questions: [{ question, header: 'Colour', multiSelect: false, options }] },
    };
    const does = async (run: Asking) => {
      const inquiry = await run.asked();
      await run.answer(inquiry, { other: { 0: 'Teal' } });
    };
    const { told } = await driven(t, people, { agent: sdkAgent('middleware'), calls: [asks], outcome: { does } });
    match(told, /"Which colour\?"="Teal"/);
  });
});
