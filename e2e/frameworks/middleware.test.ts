import { deepStrictEqual } from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Agent } from './agent.ts';
import { openExamples, type Examples } from './installed.ts';

const CLIENT = join(import.meta.dirname, '../../server/dialects/client');
const NAME = 'langchain-middleware';

describe('middleware of the client', { timeout: 180_000 }, () => {
  let at: Examples;
  before(async () => {
    at = await openExamples();
    cpSync(CLIENT, join(at.copy, NAME, 'client'), { recursive: true });
  });
  after(() => at?.remove());

  test('[DIA1] LangChain: each call is asked about by itself, a reject of one drops no other, and one edited runs as edited', async () => {
    const tables = ['old', 'new', 'gone'];
    const turns = [tables.map((table): [string, object] => ['delete_records', { table }])];
    const agent = await Agent.start({ ...at, name: NAME }, { turns });
    const asked = await agent.asked(3);
    const of = (table: string) => asked.find(({ actions }) => JSON.stringify(actions?.[0]?.args).includes(table))!;
    deepStrictEqual(
      asked.map(({ actions, context }) => [actions?.length, actions?.[0]?.name, context?.agent, context?.runId]),
      Array.from({ length: 3 }, () => [1, 'delete_records', 'Cleaner', 'thread-1']),
    );
    deepStrictEqual(agent.told.ran, []);
    await agent.answer(of('new'), { decisions: [{ type: 'reject', message: 'Keep it.' }] });
    await agent.answer(of('old'), { decisions: [{ type: 'approve' }] });
    await agent.answer(of('gone'), { decisions: [{ type: 'edit', args: { table: 'lost' } }] });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran.toSorted(), err], [['lost', 'old'], '']);
    deepStrictEqual(
      said.split(' | ').map((one) => one.replace(/^.*Keep it\..*$/s, 'rejected')),
      ['Deleted old.', 'rejected', 'Deleted lost.'],
    );
  });

  test('[RES4] [DIA1] LangChain: what nobody decided, or somebody declined, does not run', async () => {
    const turns: [string, object][][] = [[['delete_records', { table: 'old' }]]];
    const agent = await Agent.start({ ...at, name: NAME }, { turns });
    const [inquiry] = await agent.asked(1);
    await agent.answer(inquiry!, { outcome: 'declined' });
    const { ran, err } = await agent.ended();
    deepStrictEqual([ran, err], [[], '']);
  });

  test('[ASK5] LangChain: a yes never approves the same call of a later run, whatever ids its model and thread use again', async () => {
    const turns: [string, object][][] = [[['delete_records', { table: 'old' }]]];
    const agent = await Agent.start({ ...at, name: NAME }, { turns });
    const [first] = await agent.asked(1);
    await agent.answer(first!, { decisions: [{ type: 'approve' }] });
    deepStrictEqual((await agent.ended()).ran, ['old']);
    agent.again();
    const [, second] = await agent.asked(2);
    await agent.answer(second!, { decisions: [{ type: 'reject' }] });
    deepStrictEqual((await agent.ended()).ran, []);
  });
});
