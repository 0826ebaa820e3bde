import type { Database } from '../../platform/database.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import type { Log } from '../../platform/log.ts';
import { repeat } from '../../platform/repeat.ts';
import { explainSent } from '../check.ts';
import { recordContact } from '../contacts.ts';
import { calledNow } from '../store.ts';
import { look, type Seen } from './look.ts';
import { resume } from './resume.ts';
import { createServers, ServerError } from './server.ts';

/** How often each node asks which connections are due for a look, and how often one is. */
const ASKED_MS = 5_000;
const EVERY_MS = 60_000;
/** Less than a minute, so that no two looks of one connection overlap. */
const WITHIN_MS = 45_000;

/** Asks people what threads of LangGraph Servers wait for, and resumes these with what they answer. */
export function createLangGraph({ inquiries, log }: { inquiries: Inquiries; log: Log }) {
  const { database } = inquiries;
  const servers = createServers(inquiries.sealingKey);
  const looking = new Map<string, { again: boolean; ended: Promise<void> }>();
  const seen = new Map<string, Seen>();
  let job: ReturnType<typeof repeat> | undefined;
  let stopped = false;

  /** Looks for interrupted threads of one connection, one look at a time; whatever comes meanwhile is one more. Resolves at its end. */
  function lookNow(sourceId: string): Promise<void> {
    const under = looking.get(sourceId);
    if (under) under.again = true;
    const one = under ?? { again: false, ended: Promise.resolve() };
    if (!under && !stopped) {
      looking.set(sourceId, one);
      one.ended = lookWhile(sourceId, one)
        .catch((error: unknown) => log.warn({ err: error, connection: sourceId }, 'threads could not be looked for'))
        .finally(() => looking.delete(sourceId));
    }
    return one.ended;
  }

  async function lookWhile(sourceId: string, one: { again: boolean }): Promise<void> {
    do {
      one.again = false;
      const connection = await calledNow(database, sourceId);
      if (!connection) return void seen.delete(sourceId);
      const start = performance.now();
      const over = AbortSignal.timeout(WITHIN_MS);
      const own = seen.get(sourceId) ?? new Map<string, string>();
      seen.set(sourceId, own);
      const server = servers.of(connection, over);
      const at = { server, seen: own, over };
      const { opened, fault } = await look({ inquiries, log }, connection, at).catch((error: unknown) => {
        if (!(error instanceof ServerError)) throw error;
        return { opened: [], fault: error };
      });
      if (stopped) continue;
      const { status } = fault?.sent ?? { status: 200 };
      const { host } = new URL(connection.baseUrl ?? '');
      const problem = fault && explainSent(fault.sent, host, server.hasKey);
      const when = opened.length > 0 ? 'always' : 'changed';
      const ms = performance.now() - start;
      await recordContact(database, sourceId, { what: 'thread', status, ms, problem, inquiries: opened, when });
    } while (one.again && !stopped);
  }

  const hint = (sourceId: string): void => void lookNow(sourceId);
  return {
    lookNow,
    hint,
    /** From now on, on this node or another, each connection is looked at once a minute. */
    start(): void {
      const due = async (): Promise<void> => (await dueForLook(database, EVERY_MS)).forEach(hint);
      job = repeat(() => ASKED_MS, { 'threads of LangGraph Servers': due }, log);
    },
    resume: (row: Parameters<typeof resume>[1]) => resume({ database, servers }, row),
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all([job?.stop(), servers.stop(), ...[...looking.values()].map(({ ended }) => ended)]);
    },
  };
}

/** The LangGraph connections whose turn has come; each is due on one node, and again after so many ms. */
async function dueForLook(database: Database, everyMs: number): Promise<string[]> {
  const now = database.clock.now();
  const due = database.read
    .selectFrom('connections')
    .select('source_id')
    .where('kind', '=', 'langgraph')
    .where((row) => row.or([row('look_at', 'is', null), row('look_at', '<=', now)]));
  if (!(await due.limit(1).executeTakeFirst())) return [];
  const taken = await database.transaction((trx) =>
    trx
      .updateTable('connections')
      .set({ look_at: now + everyMs })
      .where('kind', '=', 'langgraph')
      .where((row) => row.or([row('look_at', 'is', null), row('look_at', '<=', now)]))
      .returning('source_id')
      .execute(),
  );
  return taken.map((row) => row.source_id);
}
