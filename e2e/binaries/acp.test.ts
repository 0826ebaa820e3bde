import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { until } from '../hub/until.ts';
import { acpx, claudeAcp, editor, geminiAcp } from './acp.ts';
import { openPeople, start, type Agent, type People, type Run } from './scene.ts';
import { startOnTerminal } from './terminal.ts';

const bash = [{ name: 'Bash', input: { command: 'echo asked >> ran.txt', description: 'Writes a file' } }];
const shell = [
  { name: 'run_shell_command', input: { command: 'echo asked >> ran.txt', description: 'Writes a file' } },
];

/** Answers with the button that says this. */
async function press(run: Omit<Run, 'program' | 'people'>, label: RegExp): Promise<Inquiry> {
  const inquiry = await run.asked();
  const option = inquiry.actions?.[0]?.options?.find((one) => label.test(one.label));
  if (!option) throw new Error(`no button says ${label.source}`);
  await run.answer(inquiry, { decisions: [{ type: option.type, optionId: option.id }] });
  return inquiry;
}

type Told = { asked?: { options?: unknown }; left?: string; stop?: string; code?: number };

/** What the editor showed, to its end. */
async function shown(run: Run): Promise<Told[]> {
  const { out, err } = await run.program.ended;
  const told = out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Told] : []));
  if (told.length === 0) throw new Error(err);
  return told.map((one) => (one.asked ? { asked: {} } : one));
}

/** Why a question left the phone. */
async function reason(run: Pick<Run, 'read'>, inquiry: Inquiry): Promise<[string, string | undefined]> {
  const read = async () => (await run.read(inquiry)).resolution;
  const { outcome, message } = await until('the question to leave the phone', read);
  return [outcome, message];
}

describe('an editor, `beckon acp` and a coding agent', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => (people = await openPeople()));
  after(() => people?.hub.remove());
  const begin = (t: TestContext, agent: Agent, calls = bash) => start(t, people, agent, { calls });

  const DONE = [{ asked: {} }, { left: 'permission' }, { stop: 'end_turn' }, { code: 0 }];
  const rows: [name: string, agent: Agent, calls: typeof bash, button: RegExp, ran: string | undefined][] = [
    ['Claude Code', editor(claudeAcp), bash, /^Yes$/, 'asked'],
    ['Claude Code, always', editor(claudeAcp), bash, /^Yes, and/, 'asked'],
    ['Claude Code, a no', editor(claudeAcp), bash, /^No$/, undefined],
    ['Claude Code in the draft of v2', editor(claudeAcp, 'never', 2), bash, /^Yes$/, 'asked'],
    ['Gemini CLI', editor(geminiAcp), shell, /^Allow$/, 'asked'],
  ];
  for (const [name, agent, calls, button, ran] of rows)
    test(`[DIA6] ${name}: a person on a device is first, and the editor puts its prompt away`, async (t) => {
      const run = await begin(t, agent, calls);
      const { actions: [action] = [], context, title } = await press(run, button);
      deepStrictEqual(await shown(run), DONE);
      deepStrictEqual([run.ran(), run.told().length, run.strayed()], [ran, 1, []]);
      deepStrictEqual([title, context?.cwd], ['echo asked >> ran.txt', run.place.folder]);
      match(`${context?.agent}: ${action?.name}`, /^(Claude Agent: Bash|Gemini CLI: execute)$/);
    });

  test('[DIA6] a form is filled in on a device', async (t) => {
    const options = ['Red', 'Blue'].map((label) => ({ label, description: label }));
    const questions = [{ question: 'Which colour?', header: 'Colour', multiSelect: false, options }];
    const run = await begin(t, editor(claudeAcp), [{ name: 'AskUserQuestion', input: { questions } } as never]);
    await run.answer(await run.asked(), { values: { form: { question_0: 'Blue' } } });
    deepStrictEqual(await shown(run), [{ asked: {} }, { left: 'form' }, { stop: 'end_turn' }, { code: 0 }]);
    match(run.told().join(), /"Which colour\?"="Blue"/);
  });

  const first: [answer: string, ran: string | undefined, reason: string, stop: string][] = [
    ['allow_once', 'asked', 'Answered in the editor.', 'end_turn'],
    ['reject_once', undefined, 'Answered in the editor.', 'end_turn'],
    ['cancel', undefined, 'Cancelled in the editor.', 'cancelled'],
  ];
  for (const [answer, ran, why, stop] of first)
    test(`[DIA6] the editor is first with ${answer}, and the question leaves the phone`, async (t) => {
      const run = await begin(t, editor(claudeAcp, answer));
      deepStrictEqual((await shown(run)).slice(-2), [{ stop }, { code: 0 }]);
      equal(run.ran(), ran);
      const [inquiry] = await run.all();
      deepStrictEqual(await reason(run, inquiry!), ['withdrawn', why]);
    });

  test('[DIA6] an editor that is killed takes its agent and the question with it', async (t) => {
    const run = await begin(t, editor(claudeAcp));
    const inquiry = await run.asked();
    await run.program.end('SIGKILL');
    deepStrictEqual(await reason(run, inquiry), ['withdrawn', 'Its agent has ended.']);
    equal(run.ran(), undefined);
  });

  test('[DIA6] [crash] a hub that is killed while it waits has the same question afterwards', async (t) => {
    const own = await openPeople();
    t.after(() => own.hub.remove());
    const run = await start(t, own, editor(claudeAcp), { calls: bash });
    const { id } = await run.asked();
    await own.hub.kill();
    await own.hub.start();
    equal((await press(run, /^Yes$/)).id, id);
    deepStrictEqual(await shown(run), DONE);
    equal(run.ran(), 'asked');
  });

  test('[DIA6] without a hub the editor asks alone', async (t) => {
    const own = await openPeople();
    t.after(() => own.hub.remove());
    const first = () => own.hub.kill();
    const run = await start(t, own, editor(claudeAcp, 'allow_once'), { calls: bash, first });
    deepStrictEqual(await shown(run), [{ asked: {} }, { stop: 'end_turn' }, { code: 0 }]);
    equal(run.ran(), 'asked');
    match(run.program.err, /No hub replies at .*\(beckon acp\)/);
  });

  test('[DIA6] acpx, on a terminal, which keeps its prompt when a person on a device was first', async (t) => {
    const run = await startOnTerminal(t, people, acpx(claudeAcp), { calls: bash });
    await run.shows('Allow echo asked');
    await press(run, /^Yes$/);
    await run.shows('Done.');
    let hasEnded = false;
    void run.ended.then(() => (hasEnded = true));
    await run.press('n\r', 'acpx to end', () => hasEnded);
    deepStrictEqual([run.ran(), run.told().length, await run.open()], ['asked', 1, []]);
  });

  test('[DIA6] acpx is first', async (t) => {
    const run = await startOnTerminal(t, people, acpx(claudeAcp), { calls: bash });
    const inquiry = await run.asked();
    await run.shows('(y/N)');
    await run.press('y\r', 'the tool to run', () => run.ran() !== undefined);
    deepStrictEqual(await reason(run, inquiry), ['withdrawn', 'Answered in the editor.']);
    await run.ended;
    deepStrictEqual([run.ran(), run.told().length], ['asked', 1]);
  });
});
