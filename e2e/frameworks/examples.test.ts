import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { Agent, type Call } from './agent.ts';
import { openExamples, type Examples } from './installed.ts';

const OLD: Call = ['delete_records', { table: 'old' }];
const NEW: Call = ['delete_records', { table: 'new' }];
const approve: Decision = { type: 'approve' };
const reject: Decision = { type: 'reject', message: 'Archive first.' };
const chosen: Decision = { type: 'approve', optionId: 'approve' };
const rejected: Decision = { ...reject, optionId: 'reject' };
const script = (...turns: Call[][]) => JSON.stringify(turns);

describe('further examples of agents on their real packages', { timeout: 120_000, concurrency: 2 }, () => {
  let at: Examples;

  before(async () => {
    at = await openExamples();
  });
  after(() => at?.remove());

  const start = (name: string, ...turns: Call[][]) => Agent.start({ ...at, name }, { turns });
  /** Answers the newest of so many inquiries; until then nothing has run but `ran`. */
  async function answer(agent: Agent, count: number, decisions: Decision[], ran: string[] = []): Promise<Inquiry[]> {
    const asked = await agent.asked(count);
    deepStrictEqual(agent.told.ran, ran);
    deepStrictEqual((await agent.answer(asked.at(-1)!, { decisions })).status, 200);
    return asked;
  }

  for (const name of ['langchain-stream', 'openai-stream', 'ai-sdk'])
    test(`[DIA1] ${name}: what a later turn calls is asked about too`, async () => {
      const [first, second] = name === 'openai-stream' ? [chosen, rejected] : [approve, reject];
      const agent = await start(name, [OLD], [NEW]);
      await answer(agent, 1, [first]);
      await answer(agent, 2, [second], ['old']);
      const { ran, said, err } = await agent.ended();
      deepStrictEqual([ran, err], [['old'], '']);
      match(said, /^Deleted old\. \| .*Archive first\./);
    });

  test('[DIA1] deepagents: sub-agents ask by what they inherit or by their own, at once', async () => {
    const task = (subagent_type: string, call: Call): Call => ['task', { description: script([call]), subagent_type }];
    const archive: Call = ['archive_records', { table: 'kept' }];
    const agent = await start('deepagents', [OLD], [task('general-purpose', NEW), task('archivist', archive)]);
    await answer(agent, 1, [approve]);
    const asked = (await agent.asked(3)).slice(1);
    deepStrictEqual(agent.told.ran, ['old']);
    const [archiving, deleting] = asked.toSorted((one, two) => (nameOf(one) < nameOf(two) ? -1 : 1));
    deepStrictEqual(
      [archiving, deleting].map((one) => one?.actions?.map(({ name, allowed }) => [name, ...allowed])),
      [[['archive_records', 'approve', 'reject']], [['delete_records', 'approve', 'edit', 'reject']]],
    );
    deepStrictEqual((await agent.answer(archiving!, { decisions: [approve] })).status, 200);
    deepStrictEqual(agent.told.ran, ['old']);
    deepStrictEqual((await agent.answer(deleting!, { decisions: [reject] })).status, 200);
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [['old', 'kept'], '']);
    match(said, /Deleted old\..*Archive first\..*Archived kept\.|Deleted old\..*Archived kept\..*Archive first\./);
  });

  test('[DIA1] openai: an agent as a tool is asked about, and the calls of that agent by themselves', async () => {
    const agent = await start('openai-nested', [['clean', { input: script([OLD, NEW]) }]]);
    await answer(agent, 1, [chosen]);
    const [, nested] = await answer(agent, 2, [chosen, rejected]);
    deepStrictEqual(
      [nested?.context?.agent, nested?.actions?.map(({ name, args }) => [name, args])],
      ['Cleaner', [OLD, NEW]],
    );
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [['old'], '']);
    match(said, /^Deleted old\. \| .*Archive first\./);
  });

  test('[DIA1] openai: an agent as a tool does not run after a rejection', async () => {
    const agent = await start('openai-nested', [['clean', { input: script([OLD]) }]]);
    await answer(agent, 1, [rejected]);
    const { ran, said } = await agent.ended();
    deepStrictEqual([ran, said], [[], 'Archive first.']);
  });

  test('[DIA1] openai: the command and the patch are shown before they run, and "always reject" is not asked again', async () => {
    const patch = { type: 'update_file', path: 'a.txt', diff: '@@\n a\n-b\n+c\n' };
    const shell: Call = ['shell', { commands: ['rm -r old'] }];
    const agent = await start('openai-shell', [shell, ['apply_patch', patch]], [shell]);
    const [asked] = await answer(agent, 1, [{ ...rejected, optionId: 'reject-always' }, chosen]);
    deepStrictEqual(
      asked?.actions?.map(({ name, args, diff }) => ({ name, args, diff })),
      [
        { name: 'shell', args: { commands: ['rm -r old'] }, diff: undefined },
        { name: 'apply_patch', args: patch, diff: [{ path: 'a.txt', oldText: '@@\na\nb\n', newText: '@@\na\nc\n' }] },
      ],
    );
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err, (await agent.inquiries()).length], [['update_file a.txt'], '', 1]);
    match(said, /Archive first\..*Archive first\./);
  });

  test('[DIA1] openai: a command runs once it is approved', async () => {
    const agent = await start('openai-shell', [['shell', { commands: ['ls', 'rm -r old'] }]]);
    await answer(agent, 1, [chosen]);
    deepStrictEqual(await agent.ended(), { ran: ['ls', 'rm -r old'], said: 'Did ls.Did rm -r old.', err: '' });
  });

  test('[RES4] langgraph: of two questions at once the one that nobody answered stays, and is asked again', async () => {
    const agent = await start('langgraph-parallel', [['First?'], ['Then?']]);
    const [first, then] = await agent.asked(2);
    deepStrictEqual((await agent.answer(first!, { outcome: 'declined' })).status, 200);
    deepStrictEqual(agent.told.ran, []);
    deepStrictEqual((await agent.answer(then!, { text: 'new' })).status, 200);
    const again = (await agent.asked(3)).at(-1);
    deepStrictEqual([again?.prompt, agent.told.ran], [first?.prompt, ['new']]);
    deepStrictEqual((await agent.answer(again!, { text: 'old' })).status, 200);
    deepStrictEqual(await agent.ended(), { ran: ['new', 'old'], said: 'Deleted old. | Deleted new.', err: '' });
  });

  test('ai-sdk: a question is answered beside an approval', async () => {
    const agent = await start('ai-sdk', [OLD, ['ask_user', { question: 'Which colour?' }]]);
    await answer(agent, 1, [{ type: 'respond', message: 'Blue' }, approve]);
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [['old'], '']);
    match(said, /Blue/);
  });
});

const nameOf = ({ actions = [] }: Inquiry) => actions[0]?.name ?? '';
