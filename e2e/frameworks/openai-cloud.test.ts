import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import { Agent, type Call } from './agent.ts';
import { openExamples, type Examples } from './installed.ts';

const OLD: Call = ['delete_records', { table: 'old' }];
const NEW: Call = ['delete_records', { table: 'new' }];
const HOSTED_OLD: Call = ['records: delete_records', { table: 'old' }];
const HOSTED_NEW: Call = ['records: delete_records', { table: 'new' }];
const approve: Decision = { type: 'approve', optionId: 'approve' };
const reject: Decision = { type: 'reject', optionId: 'reject', message: 'Archive first.' };

// OpenAI's cloud, and the MCP server that it hosts, are played by e2e/agents/models/cloud.mjs; the SDK is the real one.
describe('approvals that OpenAI’s cloud asks for', { timeout: 120_000 }, () => {
  let at: Examples;
  before(async () => {
    at = await openExamples();
  });
  after(() => at?.remove());

  test('[DIA1] a hosted MCP tool with `requireApproval` is asked about in each turn of a session', async () => {
    const agent = await Agent.start({ ...at, name: 'openai-hosted' }, { turns: [[HOSTED_OLD], [HOSTED_NEW]] });
    const [first] = await agent.asked(1);
    deepStrictEqual(
      first?.actions?.map(({ name, args, description }) => [name, args, description]),
      [['delete_records', { table: 'old' }, 'On the MCP server records']],
    );
    await agent.answer(first!, { decisions: [approve] });
    const [, second] = await agent.asked(2);
    deepStrictEqual(agent.told.ran, ['old']);
    await agent.answer(second!, { decisions: [reject] });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [['old'], '']);
    match(said, /^Deleted old\. \| .*Archive first\./);
  });

  test('[DIA1] a Realtime session: its own tool and one of a hosted server are asked about, at once', async () => {
    const agent = await Agent.start({ ...at, name: 'openai-realtime' }, { turns: [[OLD, HOSTED_NEW], [NEW]] });
    const [own, hosted] = (await agent.asked(2)).toSorted((one) => (one.actions?.[0]?.description ? 1 : -1));
    deepStrictEqual(
      [own, hosted].map((one) => one?.actions?.map(({ name, args }) => [name, args])),
      [[['delete_records', { table: 'old' }]], [['delete_records', { table: 'new' }]]],
    );
    deepStrictEqual(agent.told.ran, []);
    await agent.answer(own!, { decisions: [approve] });
    await agent.answer(hosted!, { decisions: [reject] });
    const [, , last] = await agent.asked(3);
    await agent.answer(last!, { outcome: 'declined' });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [['old'], '']);
    match(said, /^Deleted old\. \| .*Archive first\..* \| .*declined/s);
  });

  // The SDK listens to SIGTERM too, and would end the process before that.
  for (const [name, call] of Object.entries({ openai: OLD, 'openai-hosted': HOSTED_OLD, 'openai-realtime': OLD }))
    test(`${name}: SIGTERM takes its question back`, async () => {
      const agent = await Agent.start({ ...at, name }, { turns: [[call]], env: { HEARD: 'yes' } });
      const [asked] = await agent.asked(1);
      await agent.heard();
      deepStrictEqual((await agent.stop()).ran, []);
      const left = (await agent.inquiries()).map(({ id, state }) => [id, state]);
      deepStrictEqual(left, [[asked!.id, 'withdrawn']]);
    });
});
