import { sql } from 'kysely';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { deleteInParts } from '../../platform/repeat.ts';

const KEEP_MS = 7 * DAY_MS;
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

/** Forgets the sessions that nobody has used for 7 days; returns how many. */
export function sweepMcpSessions(database: Database): Promise<number> {
  return deleteInParts(database, 'mcp_sessions', ['id'], sql`seen_at <= ${database.clock.now() - KEEP_MS}`);
}
