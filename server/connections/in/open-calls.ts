import type { ServerResponse } from 'node:http';
import type { Database } from '../../platform/database.ts';
import { onceClosed } from '../../platform/http/late-reply.ts';
import type { Log } from '../../platform/log.ts';
import type { Signals } from '../../platform/nodes/signals.ts';
import { repeat } from '../../platform/repeat.ts';
import { goodTokens } from '../store.ts';

const REREAD_MS = 15_000;

/**
 * The calls that are being passed on by this node. Those whose token was renewed, turned off or removed are cut as soon as
 * a signal says so, and within 15 s where it was lost.
 */
export function createOpenCalls(
  { database, signals, log }: { database: Database; signals: Signals; log: Log },
  rereadMs = REREAD_MS,
) {
  const open = new Map<string, { sourceId: string; replies: Set<ServerResponse> }>();

  async function cutStale(tokens: string[]): Promise<void> {
    if (tokens.length === 0) return;
    const good = await goodTokens(database.read, tokens);
    for (const token of tokens) if (!good.has(token)) open.get(token)?.replies.forEach((reply) => reply.destroy());
  }

  const unsubscribe = signals.subscribe((id) => {
    const tokens = [...open].filter(([, { sourceId }]) => sourceId === id).map(([token]) => token);
    cutStale(tokens).catch((error: unknown) => log.warn({ err: error }, 'open calls could not be looked through'));
  });
  const looking = repeat(() => rereadMs, { 'open calls': () => cutStale([...open.keys()]) }, log);

  return {
    add(token: string, sourceId: string, reply: ServerResponse): void {
      const { replies } = open.get(token) ?? { replies: new Set() };
      open.set(token, { sourceId, replies: replies.add(reply) });
      onceClosed(reply, () => {
        replies.delete(reply);
        if (replies.size === 0 && open.get(token)?.replies === replies) open.delete(token);
      });
    },
    async stop(): Promise<void> {
      unsubscribe();
      await looking.stop();
    },
  };
}
export type OpenCalls = ReturnType<typeof createOpenCalls>;
