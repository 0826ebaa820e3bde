import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Agent, request as send, type Dispatcher } from 'undici';
import type { Database } from '../database.ts';
import type { Log } from '../log.ts';
import { endToEnd } from '../http/end-to-end.ts';
import { clientGone } from '../http/late-reply.ts';
import { repeat } from '../repeat.ts';

const BEAT_MS = 15_000;
/** A node that did not say so for this long is not there. */
const GONE_MS = 45_000;

/** Marks a request that a node passed on; it is never passed on again. */
export const HOP_HEADER = 'beckon-hop';

/** Says where this node is reached, as long as it runs; without `url` no other node passes anything on to it. */
export function joinNeighbours({
  database,
  log,
  url,
  beatMs = BEAT_MS,
}: {
  database: Database;
  log: Log;
  url?: string | undefined;
  beatMs?: number;
}) {
  const id = randomBytes(6).toString('hex');
  let count = 1;
  const beatOnce = async () => void (count = await beatAndCount(database, id, url ?? ''));
  const beat = url === undefined ? undefined : repeat(() => beatMs, { 'node heartbeat': beatOnce }, log);
  return {
    /** Names this node, anew with each start: what lived in its memory is gone with it. */
    id,
    /** How many nodes there were at the last heartbeat, this one included. */
    count: (): number => count,
    /** Where the other node of this name is reached; undefined for this one, and for one that is gone. */
    async find(other: string): Promise<string | undefined> {
      if (other === id) return undefined;
      const row = await database.read
        .selectFrom('nodes')
        .select('url')
        .where('id', '=', other)
        .where('seen_at', '>', database.clock.now() - GONE_MS)
        .executeTakeFirst();
      return row?.url;
    },
    async stop(): Promise<void> {
      await beat?.stop();
      if (beat) await database.transaction((trx) => trx.deleteFrom('nodes').where('id', '=', id).execute());
    },
  };
}

/** The nodes of one hub that can reach each other. */
export type Neighbours = ReturnType<typeof joinNeighbours>;

async function beatAndCount({ transaction, clock }: Database, id: string, url: string): Promise<number> {
  const now = clock.now();
  return transaction(async (trx) => {
    await trx
      .insertInto('nodes')
      .values({ id, url, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .execute();
    // Nodes that were killed leave their row.
    await trx
      .deleteFrom('nodes')
      .where('seen_at', '<', now - 10 * GONE_MS)
      .execute();
    const seen = trx.selectFrom('nodes').where('seen_at', '>', now - GONE_MS);
    return Number((await seen.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
  });
}

/**
 * Sends a request on to another node and its reply back as it streams. False when that node did not reply: then
 * nothing was sent to the client, and `taken` was not called.
 */
export async function passOn(
  request: IncomingMessage,
  reply: ServerResponse,
  { body, url, taken }: { body: string | undefined; url: string; taken: () => void },
): Promise<boolean> {
  // `origin` was judged here.
  const { origin: _judged, ...headers } = endToEnd(request.headers);
  let answered: Dispatcher.ResponseData;
  try {
    answered = await send(sameTarget(request.url, url), {
      dispatcher: agent,
      method: (request.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: { ...headers, [HOP_HEADER]: '1' },
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
      signal: clientGone(reply),
    });
  } catch {
    return false;
  }
  taken();
  reply.writeHead(answered.statusCode, endToEnd(answered.headers));
  reply.flushHeaders();
  // Either side may go at any time; the other then ends too.
  await pipeline(answered.body, reply).catch(() => {});
  return true;
}

// A request may name a whole address as its target (RFC 9112, 3.2.2): only its path and query go on, to that node alone.
function sameTarget(target: string | undefined, node: string): URL {
  const { pathname, search } = new URL(target ?? '/', 'http://hub');
  const url = new URL(node);
  url.pathname = pathname;
  url.search = search;
  return url;
}

// Redirects are not followed, and nothing waits for a connection that another stream holds.
const agent = new Agent({ connections: null, pipelining: 1 });
