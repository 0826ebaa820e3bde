import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Asking, DECIDED, driven, UNDECIDED, WRITES } from './outcomes.ts';
import { openPeople, start, type People } from './scene.ts';
import { sdkAgent } from './sdk.ts';

const bash = { name: 'Bash', input: { command: WRITES, description: 'Writes a file' } };
const { expiry = {}, withdrawal = {}, '401': refused = {}, '422': invalid = {} } = UNDECIDED;

/** What the model is told of its call, where it is not the tool's own words. */
const TOLD: Record<string, RegExp> = {
  reject: /^Archive first\.$/,
  decline: /^The person declined to answer this\./,
  expiry: /Nobody decided: this is neither a yes nor a no\./,
  withdrawal: /taken back before anybody answered/,
  '401': /This credential is not known here\./,
  '422': /\/deadline must be seconds/,
};

describe('Claude Agent SDK with canUseTool of the guide', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  let client: string;
  before(async () => {
    people = await openPeople();
    client = await (await fetch(`${people.hub.url}/client/beckon.mjs`)).text();
  });
  after(() => people?.hub.remove());

  const outcomes = { ...DECIDED, expiry, withdrawal, '401': refused, '422': invalid };
  for (const [name, outcome] of Object.entries(outcomes))
    test(`[DIA1] ${name}`, async (t) => {
      const { ran, told } = await driven(t, people, { agent: sdkAgent(client), calls: [bash], outcome });
      deepStrictEqual(ran, outcome.ran);
      if (!ran) match(told, TOLD[name] ?? /^$/);
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
      agent: sdkAgent(client),
      calls: [bash],
      outcome: { settings: {}, does },
    });
    deepStrictEqual(ran, 'asked');
  });

  test('one approval for the rest of the session: the second call asks nobody', async (t) => {
    const write = (file: string) => ({ name: 'Write', input: { file_path: `ran-${file}.txt`, content: file } });
    const run = await start(t, people, sdkAgent(client), { calls: [write('one'), write('two')] });
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
    const { told } = await driven(t, people, { agent: sdkAgent(client), calls: [asks], outcome: { does } });
    match(told, /"Which colour\?"="Teal"/);
  });
});
