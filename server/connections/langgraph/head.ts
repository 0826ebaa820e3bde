import { z } from 'zod';
import { read } from './read.ts';
import { newestRun } from './runs.ts';
import type { Server } from './server.ts';

const stamp = z.string().regex(/^[\x21-\x7e]{1,64}$/);
const Thread = z.object({
  status: z.string(),
  updated_at: stamp,
  metadata: z.object({ assistant_id: z.string().nullish(), graph_id: z.string().nullish() }).nullish(),
});
const State = z.object({
  checkpoint: z.object({ checkpoint_id: stamp }).nullish(),
  metadata: z.object({ run_id: z.string().nullish() }).nullish(),
  tasks: z.array(z.object({ interrupts: z.array(z.unknown()).nullish(), result: z.unknown().optional() })),
});
const Run = z.object({
  kwargs: z.object({ webhook: z.string().nullish(), context: z.record(z.string(), z.unknown()).nullish() }),
});

/** What a thread waits for. */
export type Head = {
  /** Names the thread, its newest checkpoint and its newest run: whatever resumes the thread makes another one. */
  key: string;
  /** When that run was made. */
  since: string | undefined;
  interrupts: unknown[];
  assistant: string;
  graph: string | undefined;
  /** What its next run takes over from the one that asked: a server keeps neither for it. */
  taken: { webhook?: string; context?: object };
};

/** An identifier of the server's, which becomes a part of addresses. */
export const Id = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);

/** The key of a head, of that of an inquiry that asks what it waits for. */
export function readHeadKey(key: string | null): string {
  return (key ?? '').replace(/^ask \d+ /, '');
}

export function readThreadId(key: string): string {
  return key.slice(0, key.indexOf(' '));
}

/**
 * Reads what a thread waits for; undefined where it waits for nothing, "moved" where it changes while it is read. The
 * checkpoint alone does not name a question: a node that asks a second one is still at the same checkpoint, in Python
 * under the same interrupt id. So the newest run stands beside it: every resume is one. The thread's time of change does
 * not, since any change of its metadata sets that anew.
 */
export async function readHead(server: Server, threadId: string): Promise<Head | 'gone' | 'moved' | undefined> {
  const path = `/threads/${threadId}`;
  const before = await read(server, path, Thread);
  if (before?.status !== 'interrupted') return before ? undefined : 'gone';
  const state = await read(server, `${path}/state`, State);
  const run = await newestRun(server, threadId);
  const taken = await readTaken(server, path, state?.metadata?.run_id);
  const after = await read(server, path, Thread);
  if (!state || after?.status !== 'interrupted' || after.updated_at !== before.updated_at) return 'moved';
  const { assistant_id, graph_id } = before.metadata ?? {};
  const assistant = assistant_id ?? graph_id;
  if (!state.checkpoint || !assistant) return undefined;
  // A task that was answered while others wait still lists what it asked.
  const waiting = state.tasks.filter(({ result }) => result === undefined || result === null);
  const interrupts = waiting.flatMap((task) => task.interrupts ?? []);
  if (interrupts.length === 0) return undefined;
  const key = `${threadId} ${state.checkpoint.checkpoint_id} ${run?.run_id ?? 'no-run'}`;
  return { key, since: run?.created_at, interrupts, assistant, graph: graph_id ?? undefined, taken };
}

async function readTaken(server: Server, path: string, runId: string | null | undefined): Promise<Head['taken']> {
  if (!Id.safeParse(runId).success) return {};
  const { webhook, context } = (await read(server, `${path}/runs/${runId}`, Run))?.kwargs ?? {};
  return { ...(webhook ? { webhook } : {}), ...(context ? { context } : {}) };
}
