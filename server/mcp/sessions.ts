import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { deleteInParts } from '../platform/repeat.ts';
import { readClient, type ClientInfo, type Message } from './messages.ts';

/** What a client calls itself is kept up to this length. */
const LONGEST = 200;

/** A session of an older client on `/mcp`: whose it is, what its client calls itself, and the node that its calls wait on. */
export type StoredSession = { id: string; owner: string; client: ClientInfo | undefined; node: string };

/** The sessions of all nodes and the calls that wait in them; `perOwner`: how many of one credential are kept. */
export function createStoredSessions(database: Database, perOwner: number) {
  const { read, transaction, clock } = database;
  return {
    /** Keeps a session; above `perOwner` the one that was used longest ago goes. */
    async keep({ client = {}, ...session }: StoredSession): Promise<void> {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: short(client) };
      const initialize = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
      await transaction(async (trx) => {
        await trx
          .insertInto('mcp_sessions')
          .values({ ...session, initialize, seen_at: clock.now() })
          .execute();
        const own = trx.selectFrom('mcp_sessions').select('id').where('owner', '=', session.owner);
        const old = own.orderBy('seen_at', 'desc').orderBy('id').offset(perOwner).limit(100);
        await trx.deleteFrom('mcp_sessions').where('id', 'in', old).execute();
      });
    },
    /** The session of this id, if it belongs to this credential. */
    async find(id: string, owner: string): Promise<StoredSession | undefined> {
      const row = await read.selectFrom('mcp_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      if (row?.owner !== owner) return undefined;
      await noteUse(database, 'mcp_sessions', row);
      return { id, owner, client: readClient(JSON.parse(row.initialize) as Message), node: row.node };
    },
    /** Moves a session from one node to another; false when it is not there any more. */
    async move(id: string, { from, to }: { from: string; to: string }): Promise<boolean> {
      const moved = await transaction((trx) =>
        trx
          .updateTable('mcp_sessions')
          .set({ node: to, seen_at: clock.now() })
          .where('id', '=', id)
          .where('node', '=', from)
          .executeTakeFirst(),
      );
      return moved.numUpdatedRows > 0n;
    },
    /** Forgets a session with its calls. */
    async forget(id: string): Promise<void> {
      await transaction((trx) => trx.deleteFrom('mcp_sessions').where('id', '=', id).execute());
    },
    /** Keeps a call until `dropCall`, by the stream on which its client waits. */
    async keepCall(session: string, stream: string, message: string): Promise<void> {
      await transaction((trx) =>
        trx.insertInto('mcp_calls').values({ session, stream, message, ordinal: 0 }).execute(),
      );
    },
    /** Notes which of several identical calls of its session a call is. */
    async noteOrdinal(stream: string, ordinal: number): Promise<void> {
      await transaction((trx) => trx.updateTable('mcp_calls').set({ ordinal }).where('stream', '=', stream).execute());
    },
    /** The call whose client waits on this stream of a session. */
    findCall(session: string, stream: string): Promise<{ message: string; ordinal: number } | undefined> {
      const row = read.selectFrom('mcp_calls').select(['message', 'ordinal']);
      return row.where('stream', '=', stream).where('session', '=', session).executeTakeFirst();
    },
    async dropCall(stream: string): Promise<void> {
      await transaction((trx) => trx.deleteFrom('mcp_calls').where('stream', '=', stream).execute());
    },
  };
}

/** Notes once an hour that a session is in use. */
async function noteUse(
  { clock, transaction }: Database,
  table: keyof typeof KEEP_MS,
  { id, seen_at }: { id: string; seen_at: number },
): Promise<void> {
  const now = clock.now();
  if (seen_at >= now - HOUR_MS) return;
  await transaction((trx) => trx.updateTable(table).set({ seen_at: now }).where('id', '=', id).execute());
}

/** A session as an upstream over HTTP names it, at one gate. */
type SessionName = { gate: string; sessionId: string };

export type GateSessions = ReturnType<typeof createGateSessions>;

/** Which source a session of an upstream over HTTP belongs to: a client that merely knows its name may not use it. */
export function createGateSessions(database: Database) {
  return {
    /** A source opened this session; one that another has opened stays that one's. */
    async remember(name: SessionName, sourceId: string, client?: ClientInfo): Promise<void> {
      const row = {
        id: hashName(name),
        source_id: sourceId,
        seen_at: database.clock.now(),
        client: client === undefined ? null : JSON.stringify(short(client)),
      };
      await database.transaction((trx) =>
        trx
          .insertInto('gate_sessions')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute(),
      );
    },
    /** The session, if this source opened it. */
    async find(name: SessionName, sourceId: string): Promise<{ client?: ClientInfo } | undefined> {
      const rows = database.read.selectFrom('gate_sessions').selectAll();
      const row = await rows.where('id', '=', hashName(name)).executeTakeFirst();
      if (row?.source_id !== sourceId) return undefined;
      await noteUse(database, 'gate_sessions', row);
      return row.client === null ? {} : { client: JSON.parse(row.client) as ClientInfo };
    },
    async forget(name: SessionName): Promise<void> {
      await database.transaction((trx) => trx.deleteFrom('gate_sessions').where('id', '=', hashName(name)).execute());
    },
  };
}

function short({ title, name, version }: ClientInfo): ClientInfo {
  const cut = (text: unknown) => (typeof text === 'string' ? text.slice(0, LONGEST) : undefined);
  return { title: cut(title), name: cut(name), version: cut(version) };
}

// A session's name is all that its upstream asks for: it is kept as a hash.
function hashName({ gate, sessionId }: SessionName): string {
  return hash('sha256', JSON.stringify([gate, sessionId]));
}

/** Sessions that nobody has used for so long are forgotten. */
const KEEP_MS = { mcp_sessions: 7 * DAY_MS, gate_sessions: 30 * DAY_MS };

/** Forgets the sessions of this table that nobody has used for long; returns how many. */
export function sweepSessions(database: Database, table: keyof typeof KEEP_MS): Promise<number> {
  return deleteInParts(database, table, ['id'], sql`seen_at <= ${database.clock.now() - KEEP_MS[table]}`);
}
