import { deepStrictEqual, equal } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Json } from '#shared/json.ts';
import { call } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import type { ToolCall } from './model.ts';
import { openPeople, start, type Agent, type People, type Place, type Run, type Task } from './scene.ts';

/** A program that asks, without a terminal or on one. */
export type Asking = Omit<Run, 'program'>;

/** What happens to a question; `ran`: what its tool writes then, where it runs at all. */
export type Outcome = Omit<Task, 'calls'> & {
  ran?: 'asked' | 'edited';
  /** What a hub of its own is started with, where the hub is in trouble. */
  settings?: Record<string, string>;
  does?: (run: Asking) => Promise<unknown>;
};

/** A command that writes a file. */
export const WRITES = 'echo asked > ran.txt';
export const REASON = 'Archive first.';

/** What a person does. */
export const DECIDED: Record<string, Outcome> = {
  approve: { ran: 'asked', does: (run) => decide(run, 'approve') },
  edit: { ran: 'edited', does: (run) => decide(run, 'edit') },
  reject: { does: (run) => decide(run, 'reject') },
  decline: { does: async (run) => run.answer(await run.asked(), { outcome: 'declined' }) },
};

/** What goes on without anybody. */
export const UNDECIDED: Record<string, Outcome> = {
  expiry: { deadline: 1 },
  withdrawal: { does: async (run) => run.withdraw(await run.asked()) },
  'hub stopping': { settings: {}, does: async (run) => [await run.asked(), await run.people.hub.stop()] },
  'hub killed': { settings: {}, does: async (run) => [await run.asked(), await run.people.hub.kill()] },
  'hub down': { settings: {}, first: (_, { hub }) => hub.kill() },
  '401': { key: `bks_${'x'.repeat(43)}` },
  '422': { deadline: 'soon' },
  '429': { settings: { RATE_LIMIT: '3' }, first: ({ hub }) => spendAll(hub, 3) },
};

/** Runs a program to its end: what its tool wrote, and what its model was told of it. */
export async function driven(
  t: TestContext,
  people: People,
  { agent, calls, outcome }: { agent: Agent; calls: ToolCall[]; outcome: Outcome },
): Promise<{ ran: string | undefined; told: string }> {
  const { settings, does, ...task } = outcome;
  const own = settings ? await openPeople(settings) : people;
  if (settings) t.after(() => own.hub.remove());
  const run = await start(t, own, agent, { calls, ...task });
  await does?.(run);
  const { out, err } = await run.program.ended;
  const told = run.told();
  if (told.length !== calls.length) throw new Error(`the model was told of ${told.length} calls:\n${out}\n${err}`);
  deepStrictEqual(run.strayed(), []);
  return { ran: run.ran(), told: told.join('\n') };
}

/** Kills a program that waits: its question is taken back, and its tool never runs. */
export async function killed(run: Run): Promise<void> {
  const inquiry = await run.asked();
  await run.program.end('SIGKILL');
  const { resolution } = await until('the question to be taken back', async () => {
    const read = await run.read(inquiry);
    return read.resolution && read;
  });
  equal(resolution?.outcome, 'withdrawn');
  equal(run.ran(), undefined);
}

/** Decides about the one call that is asked, which has not run yet. */
export async function decide(run: Omit<Asking, 'people'>, type: 'approve' | 'edit' | 'reject'): Promise<void> {
  const inquiry = await run.asked();
  equal(run.ran(), undefined);
  const [action] = inquiry.actions ?? [];
  if (!action) throw new Error('the question is about no call');
  const option = action.options?.find((one) => one.type === type);
  const decision: Record<typeof type, Decision> = {
    approve: { type: 'approve', ...(option && { optionId: option.id }) },
    edit: { type: 'edit', args: rewritten(action.args) },
    reject: { type: 'reject', message: REASON },
  };
  await run.answer(inquiry, { decisions: [decision[type]] });
}

/** The same arguments with another command. */
function rewritten(args: Json | undefined): Json {
  return JSON.parse(JSON.stringify(args ?? null).replace('echo asked', 'echo edited')) as Json;
}

async function spendAll(hub: Place['hub'], limit: number): Promise<void> {
  const statuses = [];
  for (let calls = 0; calls <= limit; calls++)
    statuses.push((await call(hub, 'GET /v1/inquiries', { token: hub.key })).status);
  equal(statuses.at(-1), 429);
}
