import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { until } from '../hub/until.ts';
import { claudeOnTerminal } from './claude.ts';
import { decide, REASON } from './outcomes.ts';
import { openPeople, type People } from './scene.ts';
import { startOnTerminal, type OnTerminal } from './terminal.ts';

// A second run would write a second line.
const calls = [{ name: 'Bash', input: { command: 'echo asked >> ran.txt', description: 'Writes a file' } }];
const [ENTER, ESCAPE] = ['\r', '\u001b'];

describe('Claude Code with the hooks of the guide, on a terminal', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => (people = await openPeople()));
  after(() => people?.hub.remove());

  /** Claude Code while it asks on the phone and in its terminal, and has run nothing. */
  async function asking(t: TestContext): Promise<{ run: OnTerminal; inquiry: Inquiry }> {
    const run = await startOnTerminal(t, people, claudeOnTerminal(), { calls });
    const inquiry = await run.asked();
    await run.shows('Do you want to proceed?');
    deepStrictEqual([run.ran(), (await run.read(inquiry)).resolution], [undefined, undefined]);
    return { run, inquiry };
  }

  /** How it left the phone. */
  async function left(run: OnTerminal, inquiry: Inquiry): Promise<[string, string | undefined]> {
    const { outcome, text } = await until(
      'the question to leave the phone',
      async () => (await run.read(inquiry)).resolution,
    );
    return [outcome, /Reason: (.*)/.exec(text)?.[1]];
  }

  test('[DIA1] a Yes in the terminal runs the tool once, and takes the question off the phone', async (t) => {
    const { run, inquiry } = await asking(t);
    await run.press(ENTER, 'the tool to run', () => run.ran() !== undefined);
    deepStrictEqual(await left(run, inquiry), ['withdrawn', 'Answered in the terminal.']);
    await run.shows('Done.');
    deepStrictEqual([run.ran(), run.told().length, await run.open()], ['asked', 1, []]);
  });

  test('[DIA1] a No in the terminal takes the question off the phone, and runs nothing', async (t) => {
    const { run, inquiry } = await asking(t);
    await run.press(ESCAPE, 'the terminal to take the No', () => run.wrote('Interrupted'));
    deepStrictEqual(await left(run, inquiry), ['withdrawn', 'No in the terminal, or Claude Code was ended there.']);
    deepStrictEqual([run.ran(), run.told(), await run.open()], [undefined, [], []]);
  });

  for (const [type, ran, told] of [
    ['approve', 'asked', '(Bash completed with no output)'],
    ['edit', 'edited', '(Bash completed with no output)'],
    ['reject', undefined, REASON],
  ] as const)
    test(`[DIA1] ${type} on the phone takes the prompt off the terminal`, async (t) => {
      const { run } = await asking(t);
      await decide(run, type);
      await run.shows('Done.');
      deepStrictEqual([run.ran(), run.told(), await run.open()], [ran, [told], []]);
      // A prompt would swallow the words.
      await run.press('Thanks', 'the terminal to take words again', () => run.wrote('Thanks'));
    });
});
