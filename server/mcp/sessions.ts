import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { deleteInParts } from '../platform/repeat.ts';
import type { ClientInfo } from './messages.ts';

/** A larger `initialize` is not kept: its session ends with its process. */
const INITIALIZE_LIMIT = 8_192;

/** What another process needs to go on with a session. */
export type StoredSession = { node: string; initialize: string };

export type StoredSessions = ReturnType<typeof createStoredSessions>;

/** The sessions of all nodes and the calls that wait in them; `perOwner`: how many of one credential are kept. */
export function createStoredSessions(database: Database, perOwner: number) {
  const { read, transaction, clock } = database;
  return {
    /** Keeps a session of this node; above `perOwner` the one that was used longest ago goes. */
    async keep({ id, owner, node, initialize }: StoredSession & { id: string; owner: string }): Promise<void> {
      if (Buffer.byteLength(initialize) > INITIALIZE_LIMIT) return;
      await transaction(async (trx) => {
        await trx.insertInto('mcp_sessions').values({ id, owner, node, initialize, seen_at: clock.now() }).execute();
        const own = trx.selectFrom('mcp_sessions').select('id').where('owner', '=', owner);
        const old = own.orderBy('seen_at', 'desc').orderBy('id').offset(perOwner).limit(100);
        await trx.deleteFrom('mcp_sessions').where('id', 'in', old).execute();
      });
    },
    /** The session of this id, if it belongs to this credential. */
    find(id: string, owner: string): Promise<StoredSession | undefined> {
      const row = read.selectFrom('mcp_sessions').select(['node', 'initialize']);
      return row.where('id', '=', id).where('owner', '=', owner).executeTakeFirst();
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
    /** Notes that it is in use. */
    async use(id: string): Promise<void> {
      const seen_at = clock.now();
      await transaction((trx) => trx.updateTable('mcp_sessions').set({ seen_at }).where('id', '=', id).execute());
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

/** What a client calls itself is kept up to this length. */
const LONGEST = 200;

/** A session as an upstream over HTTP names it, at one gate. */
type SessionName = { gate: string; sessionId: string };

export type GateSessions = ReturnType<typeof createGateSessions>;

/** Which source a session of an upstream over HTTP belongs to: a client that merely knows its name may not use it. */
export function createGateSessions(database: Database) {
  return {
    /** A source opened this session; one that another has opened stays that one's. */
    async remember(name: SessionName, sourceId: string, client?: ClientInfo): Promise<void> {
      const row = {
        id: idOf(name),
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
      const id = idOf(name);
      const now = database.clock.now();
      const row = await database.read.selectFrom('gate_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      if (row && row.seen_at < now - HOUR_MS) {
        await database.transaction((trx) =>
          trx.updateTable('gate_sessions').set({ seen_at: now }).where('id', '=', id).execute(),
        );
      }
      if (row?.source_id !== sourceId) return undefined;
      return row.client === null ? {} : { client: JSON.parse(row.client) as ClientInfo };
    },
    async forget(name: SessionName): Promise<void> {
      await database.transaction((trx) => trx.deleteFrom('gate_sessions').where('id', '=', idOf(name)).execute());
    },
  };
}

function short({ title, name, version }: ClientInfo): ClientInfo {
  const cut = (text: unknown) => (typeof text === 'string' ? text.slice(0, LONGEST) : undefined);
  return { title: cut(title), name: cut(name), version: cut(version) };
}

// A session's name is all that its upstream asks for: it is kept as a hash.
function idOf({ gate, sessionId }: SessionName): string {
  return hash('sha256', JSON.stringify([gate, sessionId]));
}

/** Sessions that nobody has used for so long are forgotten. */
const KEEP_MS = { mcp_sessions: 7 * DAY_MS, gate_sessions: 30 * DAY_MS };

/** Forgets the sessions of this table that nobody has used for long; returns how many. */
export function sweepSessions(database: Database, table: keyof typeof KEEP_MS): Promise<number> {
  return deleteInParts(database, table, ['id'], sql`seen_at <= ${database.clock.now() - KEEP_MS[table]}`);
}
