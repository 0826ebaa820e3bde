import { deepStrictEqual, match } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import { freshDatabase } from '../hub/servers.ts';
import { until } from '../hub/until.ts';
import { Agent, type Call, type Told } from './agent.ts';
import { openExamples, type Examples } from './installed.ts';

const OLD: Call = ['delete_records', { table: 'old' }];
const NEW: Call = ['delete_records', { table: 'new' }];
const WAITING = ['langchain', 'deepagents', 'langgraph', 'openai', 'ai-sdk', 'ag-ui'];
/** Their state outlives their process, with the key of what they ask; the first two end when they have asked. */
const SUSPENDED = ['langchain-suspended', 'ai-sdk-suspended', 'openai-suspended'];

describe('runs of agents over crashes', { timeout: 180_000, concurrency: 2 }, () => {
  let at: Examples;

  before(async () => {
    at = await openExamples();
  });
  after(() => at?.remove());

  const start = (name: string, turns = [[OLD]], env = {}) => Agent.start({ ...at, name }, { turns, env });

  /** Starts a suspended example; its Postgres outlives its processes. */
  async function suspend(t: TestContext, name: string, turns = [[OLD]], env = {}): Promise<Agent> {
    if (name !== 'langchain-suspended') return start(name, turns, env);
    const database = await freshDatabase();
    t.after(() => database.drop());
    return start(name, turns, { ...env, DATABASE_URL: database.url });
  }

  /** Ends the process that asked: by itself where it does not wait. */
  const endOf = (agent: Agent, name: string): Promise<Told> =>
    name === 'openai-suspended' ? agent.kill() : agent.ended();

  for (const name of SUSPENDED) {
    test(`[ASK2] [DIA1] ${name}: over kill -9 each question is asked once, and the tool runs once`, async (t) => {
      const agent = await suspend(t, name, [[OLD], [NEW]]);
      const [first] = await agent.asked();
      deepStrictEqual((await endOf(agent, name)).ran, []);
      agent.again();
      if (name !== 'openai-suspended') await agent.waits();
      deepStrictEqual([(await agent.kill()).ran, (await agent.inquiries()).length], [[], 1]);
      deepStrictEqual((await agent.answer(first!, approval(name))).status, 200);
      agent.again();
      const [, second] = await agent.asked(2);
      deepStrictEqual((await endOf(agent, name)).ran, ['old']);
      deepStrictEqual((await agent.answer(second!, rejection(name))).status, 200);
      agent.again();
      const { ran, said, err } = await agent.ended();
      deepStrictEqual([ran, err, (await agent.inquiries()).length], [[], '', 2]);
      match(said, /^Deleted old\. \| .*Archive first\./);
    });

    test(`[RES4] [RES6] ${name}: an approval after the deadline changes nothing of what it goes on with`, async (t) => {
      const agent = await suspend(t, name, [[OLD]], { DEADLINE: '1' });
      const [inquiry] = await agent.asked();
      await endOf(agent, name);
      await until('the deadline', async () => (await agent.inquiries())[0]?.resolution);
      deepStrictEqual((await agent.answer(inquiry!, { ...approval(name), late: true })).body.won, false);
      agent.again();
      const { ran, said } = await agent.ended();
      deepStrictEqual([ran, (await agent.inquiries()).length], [[], 1]);
      match(said, /Nobody decided/);
    });
  }

  test('openai-suspended: a state of another version of the agent, or of the SDK, runs nothing', async () => {
    const agent = await start('openai-suspended');
    await agent.asked();
    await agent.kill();
    const row = join(agent.folder, 'run.json');
    const kept = JSON.parse(readFileSync(row, 'utf8')) as { version: string; text: string };
    const text = JSON.stringify({ ...(JSON.parse(kept.text) as object), $schemaVersion: '99.0' });
    for (const [other, refusal] of [
      [{ ...kept, version: '0' }, /Version 0 of this agent has to go on with this run/],
      [{ ...kept, text }, /schema version 99\.0 is not supported/],
    ] as const) {
      writeFileSync(row, JSON.stringify(other));
      agent.again();
      const { ran, said, err } = await agent.ended();
      deepStrictEqual([ran, said, (await agent.inquiries()).length], [[], '', 1]);
      match(err, refusal);
    }
  });

  for (const name of WAITING)
    test(`[DIA2] ${name}: a run that was lost and starts anew asks anew, whatever the lost one was told`, async () => {
      const agent = await start(name);
      const [lost] = await agent.asked();
      deepStrictEqual((await agent.kill()).ran, []);
      deepStrictEqual((await agent.answer(lost!, approval(name))).status, 200);
      agent.again();
      const [, anew] = await agent.asked(2);
      deepStrictEqual(agent.told, { ran: [], said: '', err: '' });
      await agent.withdraw(anew!);
      deepStrictEqual((await agent.ended()).ran, []);
    });
});

test('[ASK1] [DIA1] over kill -9 of the hub every waiting agent gets its answer, and its tool runs once', async (t) => {
  const at = await openExamples();
  t.after(at.remove);
  const agents = await Promise.all(WAITING.map((name) => Agent.start({ ...at, name }, { turns: [[OLD]] })));
  for (const agent of agents) await agent.asked();
  for (const answers of [false, true]) {
    await at.hub.kill();
    await at.hub.start();
    for (const [at, agent] of answers ? agents.entries() : []) {
      const [inquiry] = await agent.asked();
      deepStrictEqual((await agent.answer(inquiry!, approval(WAITING[at] ?? ''))).status, 200);
    }
  }
  for (const agent of agents) {
    deepStrictEqual(await agent.ended(), { ran: ['old'], said: 'Deleted old.', err: '' });
    deepStrictEqual((await agent.inquiries()).length, 1);
  }
});

const chosen = (name: string, optionId: string) => (name.startsWith('openai') ? { optionId } : {});

function approval(name: string): AnswerBody {
  return name === 'langgraph' ? { text: 'old' } : { decisions: [{ type: 'approve', ...chosen(name, 'approve') }] };
}

function rejection(name: string): AnswerBody {
  return { decisions: [{ type: 'reject', message: 'Archive first.', ...chosen(name, 'reject') }] };
}
