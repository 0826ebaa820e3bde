import { z } from 'zod';
import type { Inquiries, Store, Closing } from '../../inquiries/inquiries.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import type { Log } from '../../platform/log.ts';
import { recordContact } from '../contacts.ts';
import type { Called } from '../store.ts';
import { askPeople, isNoRoom, isRefusal, explainRefusal } from './ask-people.ts';
import { readHeadKey, Id, readHead, readThreadId, type Head } from './head.ts';
import { read } from './read.ts';
import { ServerError, type Server } from './server.ts';

const PAGE = 100;
const MOST_PAGES = 10;
/** So far a server's clock may be behind the hub's. */
const SKEW_MS = 60_000;

const FAILED = 'failed';
const RESUMED = 'its thread was resumed elsewhere';
const GONE = 'its thread is gone';

const Threads = z.array(z.object({ thread_id: Id, updated_at: z.string().max(64) }));

type Parts = { inquiries: Inquiries; log: Log };
/** The threads that a look has dealt with, each with its time of change, whether people are asked and how: until that changes there is nothing to do. One that could not be read stands as failed. */
export type Seen = Map<string, string>;

/**
 * Asks people what interrupted threads wait for, and withdraws what no thread waits for any more. Threads that waited
 * before the connection was made are none of its. One thread that cannot be read keeps back no other; returns the
 * inquiries it opened, and the last fault of the server.
 */
export async function look(
  { inquiries, log }: Parts,
  connection: Called,
  { server, seen, over }: { server: Server; seen: Seen; over: AbortSignal },
): Promise<{ opened: string[]; fault?: ServerError | undefined }> {
  const { sourceId, to, interruptAnswer } = connection;
  const how = JSON.stringify([to, interruptAnswer]);
  const waiting = await interruptedThreads(server, connection.createdAt - SKEW_MS);
  const open = await openThreads(inquiries, sourceId);
  const opened: string[] = [];
  let fault: ServerError | undefined;
  for (const threadId of seen.keys()) if (!waiting.has(threadId) && !open.has(threadId)) seen.delete(threadId);
  let isFull = false;
  // What waits no longer goes even where the time is too short for more, and makes room; what failed comes last.
  const failed = (threadId: string): number => Number(seen.get(threadId) === FAILED);
  const threadIds = [...new Set([...open.keys(), ...waiting.keys()])].sort((a, b) => failed(a) - failed(b));
  for (const threadId of threadIds) {
    const changedAt = waiting.get(threadId);
    const state = (asked: boolean): string => `${changedAt} ${asked} ${how}`;
    let asked = open.has(threadId);
    if (changedAt !== undefined && seen.get(threadId) === state(asked)) continue;
    if (over.aborted) break;
    if (isFull && !open.has(threadId)) continue;
    const start = performance.now();
    let since: string | undefined;
    try {
      const head = await readHead(server, threadId);
      // The next look finds it again.
      if (head === 'moved') continue;
      since = head === 'gone' ? undefined : head?.since;
      await withdrawOthers(inquiries, sourceId, open.get(threadId) ?? [], head);
      if (head !== 'gone' && head && changedAt !== undefined && !isFull) {
        const ids = await askPeople(inquiries, connection, head);
        asked ||= ids.length > 0;
        opened.push(...ids);
      }
    } catch (error) {
      if (error instanceof ServerError) {
        fault = error;
        seen.set(threadId, FAILED);
        continue;
      }
      if (!isRefusal(error)) throw error;
      const problem = explainRefusal(threadId, since, error);
      log.warn({ connection: sourceId, thread: threadId, reason: problem.detail }, 'a thread waits in vain');
      const ms = performance.now() - start;
      await recordContact(inquiries.database, sourceId, { what: 'thread', ms, problem, when: 'new' });
      isFull ||= isNoRoom(error);
    }
    if (!isFull && changedAt !== undefined) seen.set(threadId, state(asked));
  }
  return { opened, fault };
}

/** The threads that wait since this instant, newest first, each with its time of change. */
async function interruptedThreads(server: Server, since: number): Promise<Seen> {
  const found: Seen = new Map();
  for (let page = 0; page < MOST_PAGES; page++) {
    const search = {
      status: 'interrupted',
      limit: PAGE,
      offset: page * PAGE,
      sort_by: 'updated_at',
      sort_order: 'desc',
      select: ['thread_id', 'updated_at'],
    };
    const threads = await read(server, '/threads/search', Threads, search);
    if (!threads) throw new ServerError({ status: 404 });
    const own = threads.filter(({ updated_at }) => !(Date.parse(updated_at) < since));
    for (const { thread_id, updated_at } of own.slice(0, PAGE)) found.set(thread_id, updated_at);
    if (own.length < PAGE) break;
  }
  return found;
}

type Open = { id: string; key: string };

/** What this connection has open, by its thread. */
async function openThreads({ database }: Store, sourceId: string): Promise<Map<string, Open[]>> {
  const rows = await database.read
    .selectFrom('inquiries')
    .select(['id', 'key'])
    .where('source_id', '=', sourceId)
    .where('resolution', 'is', null)
    .execute();
  return Map.groupBy(
    rows.map(({ id, key }) => ({ id, key: readHeadKey(key) })),
    ({ key }) => readThreadId(key),
  );
}

async function withdrawOthers(
  inquiries: Closing,
  sourceId: string,
  open: Open[],
  head: Head | 'gone' | undefined,
): Promise<void> {
  const reason = head === 'gone' ? GONE : RESUMED;
  for (const { id, key } of open)
    if (head === 'gone' || key !== head?.key) await withdrawIfOpen(inquiries, sourceId, id, reason);
}
