import { deepStrictEqual, match } from 'node:assert/strict';
import { cpSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { freshDatabase } from '../hub/servers.ts';
import { Agent, type Call } from './agent.ts';
import { openExamples, type Examples } from './installed.ts';

const CLIENT = join(import.meta.dirname, '../../server/dialects/client');
const OLD: Call = ['delete_records', { table: 'old' }];

/** What each framework tells, and lets people do; the AI SDK asks about one call of a turn after the other. */
type Framework = { runId?: string; edits?: true; options?: true; inTurn?: true };
const FRAMEWORKS: Record<string, Framework> = {
  'langchain-middleware': { runId: 'thread-1', edits: true },
  'openai-middleware': { options: true },
  'ai-sdk-middleware': { inTurn: true },
  'deepagents-middleware': { runId: 'thread-1', edits: true },
};

describe('middleware of the client', { timeout: 300_000, concurrency: 2 }, () => {
  let at: Examples;
  before(async () => {
    at = await openExamples();
    for (const name of Object.keys(FRAMEWORKS)) {
      const client = join(at.copy, name, 'client');
      cpSync(CLIENT, client, { recursive: true });
      renameSync(join(client, 'beckon.mjs'), join(client, 'patient.mjs'));
      writeFileSync(join(client, 'beckon.mjs'), IMPATIENT);
    }
  });
  after(() => at?.remove());

  const start = (name: string, turns: Call[][], env?: Record<string, string>) =>
    Agent.start({ ...at, name }, { turns, ...(env ? { env } : {}) });

  for (const [name, { runId, edits, options, inTurn }] of Object.entries(FRAMEWORKS)) {
    const yes: Decision = { type: 'approve', ...(options ? { optionId: 'approve' } : {}) };
    const no = (message: string): Decision => ({
      type: 'reject',
      message,
      ...(options ? { optionId: 'reject' } : {}),
    });

    test(`[DIA1] ${name}: each call is asked about by itself, a reject of one drops no other, and one edited runs as edited`, async () => {
      const tables = ['old', 'new', 'gone'];
      const agent = await start(name, [tables.map((table): Call => ['delete_records', { table }])]);
      // An edit as the page writes it.
      const third: Decision = edits ? { type: 'edit', argsText: '{"table": "lost"}' } : yes;
      const decisions = { new: no('Keep it.'), old: yes, gone: third };
      if (!inTurn) deepStrictEqual([(await agent.asked(3)).length, agent.told.ran], [3, []]);
      for (const [at, table] of (inTurn ? tables : Object.keys(decisions)).entries()) {
        const asked = await agent.asked(inTurn ? at + 1 : 3);
        await agent.answer(about(asked, table), { decisions: [decisions[table as keyof typeof decisions]] });
      }
      deepStrictEqual(
        (await agent.asked(3)).map(({ actions, context }) => [actions?.length, context?.agent, context?.runId]),
        Array.from({ length: 3 }, () => [1, 'Cleaner', runId]),
      );
      const { ran, said, err } = await agent.ended();
      const last = edits ? 'lost' : 'gone';
      deepStrictEqual([ran.toSorted(), err], [[last, 'old'].toSorted(), '']);
      deepStrictEqual(
        said.split(' | ').map((one) => one.replace(/^.*Keep it\..*$/s, 'rejected')),
        ['Deleted old.', 'rejected', `Deleted ${last}.`],
      );
    });

    test(`[RES4] [DIA1] ${name}: what nobody decided, or somebody declined, does not run`, async () => {
      const agent = await start(name, [[OLD], [OLD]], { DEADLINE: '5' });
      const [inquiry] = await agent.asked(1);
      await agent.answer(inquiry!, { outcome: 'declined' });
      await agent.asked(2);
      const { ran, err } = await agent.ended();
      deepStrictEqual([ran, err], [[], '']);
      const ends = (await agent.inquiries()).map(({ resolution }) => resolution?.outcome);
      deepStrictEqual(ends, ['declined', 'expired']);
    });

    test(`[ASK5] ${name}: a yes never approves the same call of a later run, whatever ids its model and thread use again`, async () => {
      const agent = await start(name, [[OLD]]);
      const [first] = await agent.asked(1);
      await agent.answer(first!, { decisions: [yes] });
      deepStrictEqual((await agent.ended()).ran, ['old']);
      agent.again();
      const [, second] = await agent.asked(2);
      await agent.answer(second!, { decisions: [no('Not again.')] });
      deepStrictEqual((await agent.ended()).ran, []);
    });

    test(`[DIA1] ${name}: without a hub nothing runs, and the run ends with an error that says where it was looked for`, async () => {
      const agent = await start(name, [[OLD]], { BECKON_URL: 'http://127.0.0.1:9', GIVE_UP_MS: '1' });
      const { ran, said, err } = await agent.ended();
      deepStrictEqual([ran, said], [[], '']);
      match(err, /The hub at http:\/\/127\.0\.0\.1:9 was not reached \(/);
    });
  }

  test('[ASK2] [DIA1] langchain: a run that goes on in another process finds its questions again, and each call runs once', async (t) => {
    const database = await freshDatabase();
    t.after(() => database.drop());
    const calls = ['old', 'new'].map((table): Call => ['delete_records', { table }]);
    const agent = await start('langchain-middleware', [calls], { DATABASE_URL: database.url });
    const asked = await agent.asked(2);
    deepStrictEqual((await agent.kill()).ran, []);
    await agent.answer(about(asked, 'old'), { decisions: [{ type: 'approve' }] });
    agent.again();
    await agent.answer(about(asked, 'new'), { decisions: [{ type: 'reject', message: 'No.' }] });
    const { ran, err } = await agent.ended();
    deepStrictEqual([ran, err, (await agent.inquiries()).length], [['old'], '', 2]);
  });

  test('[DIA1] langchain: a call that its rule is not for runs unasked', async () => {
    const calls = ['scratch', 'old'].map((table): Call => ['archive_records', { table }]);
    const agent = await start('langchain-middleware', [calls]);
    const [inquiry] = await agent.asked(1);
    await agent.answer(about([inquiry!], 'old'), { decisions: [{ type: 'reject', message: 'No.' }] });
    const { ran, err } = await agent.ended();
    deepStrictEqual([ran, err], [['scratch'], '']);
  });

  test('[DIA1] openai: a run goes on in another process, where what was decided is not asked again', async () => {
    const agent = await start('openai-middleware', [
      ['old', 'new'].map((table): Call => ['delete_records', { table }]),
    ]);
    const asked = await agent.asked(2);
    await agent.answer(about(asked, 'old'), { decisions: [{ type: 'approve', optionId: 'approve' }] });
    deepStrictEqual((await agent.kill()).ran, []);
    agent.again();
    await agent.answer(about(asked, 'new'), { decisions: [{ type: 'reject', message: 'No.', optionId: 'reject' }] });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, said, err], [['old'], 'Deleted old. | No.', '']);
    deepStrictEqual((await agent.inquiries()).length, 2);
  });

  test('[DIA1] openai: a yes runs a call once: after a crash while it ran people are asked anew', async () => {
    const agent = await start('openai-middleware', [[['delete_records', { table: 'crash' }]]]);
    const [first] = await agent.asked(1);
    await agent.answer(first!, { decisions: [{ type: 'approve', optionId: 'approve' }] });
    deepStrictEqual((await agent.ended()).ran, ['crash']);
    agent.again();
    const [, again] = await agent.asked(2);
    await agent.answer(again!, { decisions: [{ type: 'reject', message: 'Enough.', optionId: 'reject' }] });
    const { ran, said } = await agent.ended();
    deepStrictEqual([ran, said], [[], 'Enough.']);
  });

  test('[APR1] openai: what was approved does not run once that has ended, whatever is decided beside it', async () => {
    const calls = ['old', 'new'].map((table): Call => ['delete_records', { table }]);
    const agent = await start('openai-middleware', [calls], { AHEAD_MS: `${30 * 86_400_000}` });
    for (const inquiry of await agent.asked(2))
      await agent.answer(inquiry, { decisions: [{ type: 'approve', optionId: 'approve-always' }] });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [[], '']);
    match(said, /^(The approval ended at \S+Z, before it was used\. Nothing was run\.( \| )?){2}$/);
  });

  test('[DIA1] openai: "always" is not asked again, and never lets a call run that was rejected beside it', async () => {
    const agent = await start('openai-middleware', [
      ['old', 'new'].map((table): Call => ['delete_records', { table }]),
      [['delete_records', { table: 'next' }]],
      [['delete_records', { table: 'last' }]],
    ]);
    const asked = await agent.asked(2);
    await agent.answer(about(asked, 'old'), { decisions: [{ type: 'reject', message: 'No.', optionId: 'reject' }] });
    await agent.answer(about(asked, 'new'), { decisions: [{ type: 'approve', optionId: 'approve-always' }] });
    const next = about(await agent.asked(3), 'next');
    await agent.answer(next, { decisions: [{ type: 'approve', optionId: 'approve-always' }] });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran, err], [['new', 'next', 'last'], '']);
    deepStrictEqual(said, 'No. | Deleted new. | Deleted next. | Deleted last.');
    deepStrictEqual((await agent.inquiries()).length, 3);
  });

  test('[APR1] ai-sdk: a turn does not run where an approval in it ended before all was decided', async () => {
    const calls = ['old', 'new'].map((table): Call => ['delete_records', { table }]);
    const agent = await start('ai-sdk-middleware', [calls], { AHEAD_MS: `${30 * 86_400_000}` });
    for (const count of [1, 2])
      await agent.answer((await agent.asked(count)).at(-1)!, { decisions: [{ type: 'approve' }] });
    const { ran, err } = await agent.ended();
    deepStrictEqual(ran, []);
    match(err, /The approval of an earlier call ended while this one was decided\./);
  });

  test('[DIA1] ai-sdk: a tool that is not named runs unasked', async () => {
    const agent = await start('ai-sdk-middleware', [[['list_records', { table: 'old' }]]]);
    const { ran, err } = await agent.ended();
    deepStrictEqual([ran, err, await agent.inquiries()], [['old'], '', []]);
  });

  test('[DIA1] deepagents: sub-agents ask by what they inherit or by their own, at once, and are named on the card', async () => {
    const task = (subagent_type: string, calls: Call[]): Call => [
      'task',
      { description: JSON.stringify([calls]), subagent_type },
    ];
    const archive: Call = ['archive_records', { table: 'kept' }];
    const agent = await start('deepagents-middleware', [
      [task('general-purpose', [OLD]), task('archivist', [archive, ['delete_records', { table: 'own' }]])],
    ]);
    const asked = await agent.asked(2);
    deepStrictEqual(
      ['kept', 'old'].map((table) => {
        const { context, actions } = about(asked, table);
        return [context?.agent, context?.runId, actions?.[0]?.name, actions?.[0]?.allowed];
      }),
      [
        ['archivist', 'thread-1', 'archive_records', ['approve', 'reject']],
        ['general-purpose', 'thread-1', 'delete_records', ['approve', 'edit', 'reject']],
      ],
    );
    await agent.answer(about(asked, 'kept'), { decisions: [{ type: 'approve' }] });
    await agent.answer(about(asked, 'old'), { decisions: [{ type: 'reject', message: 'Archive first.' }] });
    const { ran, said, err } = await agent.ended();
    deepStrictEqual([ran.toSorted(), err], [['kept', 'own'], '']);
    match(said, /Archive first\..*Archived kept\./s);
  });
});

function about(asked: Inquiry[], table: string): Inquiry {
  const found = asked.find(({ actions }) => JSON.stringify(actions?.[0]?.args).includes(table));
  if (!found) throw new Error(`nobody asked about ${table}`);
  return found;
}

/** The client of tests, which cannot wait as long as people may, and whose clock may be ahead. */
const IMPATIENT = `import * as client from './patient.mjs';
const { DEADLINE, GIVE_UP_MS, AHEAD_MS } = process.env;
export const hubTime = () => client.hubTime() + Number(AHEAD_MS || 0);
const within = (options) => ({ ...options, ...(DEADLINE && { deadline: DEADLINE }), ...(GIVE_UP_MS && { giveUpMs: Number(GIVE_UP_MS) }) });
export const ask = (dialect, body, options) => client.ask(dialect, body, within(options));
export const inquire = (inquiry, options) => client.inquire(inquiry, within(options));
`;
