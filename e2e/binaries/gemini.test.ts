import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gemini } from './gemini.ts';
import { DECIDED, driven, killed, UNDECIDED, WRITES } from './outcomes.ts';
import { REPLY_COUNT, startReplies } from './replies.ts';
import { openPeople, start, type People } from './scene.ts';

const calls = [{ name: 'run_shell_command', input: { command: WRITES, description: 'Writes a file' } }];

/** What the model is told of its call, where it is not the tool's own words. */
const TOLD: Record<string, RegExp> = {
  reject: /Tool execution blocked: Archive first\./,
  decline: /blocked: The person declined to answer this\./,
  expiry: /Nobody decided: this is neither a yes nor a no\./,
  withdrawal: /taken back before anybody answered/,
  'hub stopping': /blocked: The hub is stopping/,
  'hub killed': /blocked: curl: /,
  'hub down': /blocked: curl: \(7\)/,
  '401': /blocked: This credential is not known here\./,
  '422': /blocked: \/deadline must be seconds/,
  '429': /blocked: Too many requests/,
};

describe('Gemini CLI in --yolo with the hook of the guide', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => (people = await openPeople()));
  after(() => people?.hub.remove());

  for (const [name, outcome] of Object.entries({ ...DECIDED, ...UNDECIDED }))
    test(`[DIA1] ${name}`, async (t) => {
      const { ran, told } = await driven(t, people, { agent: gemini(), calls, outcome });
      deepStrictEqual(ran, outcome.ran);
      if (!ran) match(told, TOLD[name] ?? /^$/);
    });

  test('[DIA1] a Gemini CLI that is killed takes its question back', async (t) => {
    await killed(await start(t, people, gemini(), { calls }));
  });

  test('[DIA1] a question that is open longer than curl waits blocks the tool', async (t) => {
    const agent = gemini((settings) => settings.replace('--max-time 3650', '--max-time 1'));
    const { ran, told } = await driven(t, people, { agent, calls, outcome: {} });
    deepStrictEqual(ran, undefined);
    match(told, /blocked: curl: \(28\)/);
  });

  test('[DIA7] what is no reply of the hub blocks the tool', async (t) => {
    const elsewhere = await startReplies(t);
    const agent = gemini((settings) => settings.replace(/http:[^?]*gemini-hook/, `${elsewhere}/v1/ask/gemini-hook`));
    // Gemini CLI stops a model that calls the same again and again.
    const many = Array.from({ length: REPLY_COUNT }, (_, at) => ({
      ...calls[0]!,
      input: { command: WRITES, description: `Writes file ${at}` },
    }));
    const { ran, told } = await driven(t, people, { agent, calls: many, outcome: {} });
    deepStrictEqual([ran, told.split('No decision came from the Beckon hub.').length - 1], [undefined, REPLY_COUNT]);
  });

  const OPEN: Record<string, (settings: string) => string> = {
    'its own "timeout" ends the hook': (settings) => settings.replace('"timeout": 3660000', '"timeout": 1000'),
  };
  for (const [name, change] of Object.entries(OPEN))
    test(`Gemini CLI runs the tool, nobody asked, where ${name}`, async (t) => {
      const { ran } = await driven(t, people, { agent: gemini(change), calls, outcome: { deadline: 5 } });
      deepStrictEqual(ran, 'asked');
    });
});
