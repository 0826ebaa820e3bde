import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS } from '../platform/clock.ts';
import type { ClientInfo } from '../mcp/messages.ts';
import type { Database } from '../platform/database.ts';
import { deleteInParts } from '../platform/repeat.ts';

/** What a client calls itself is kept up to this length. */
const LONGEST = 200;
const KEEP_MS = 30 * DAY_MS;

/** A session as an upstream over HTTP names it, at one gate. */
type SessionName = { gate: string; sessionId: string };

export type Sessions = ReturnType<typeof createSessions>;

/** Which source a session of an upstream over HTTP belongs to: a client that merely knows its name may not use it. */
export function createSessions(database: Database) {
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

/** Forgets the sessions that nobody has used for 30 days; returns how many. */
export async function sweepSessions(database: Database): Promise<number> {
  return deleteInParts(database, 'gate_sessions', ['id'], sql`seen_at <= ${database.clock.now() - KEEP_MS}`);
}

function short({ title, name, version }: ClientInfo): ClientInfo {
  const cut = (text: unknown) => (typeof text === 'string' ? text.slice(0, LONGEST) : undefined);
  return { title: cut(title), name: cut(name), version: cut(version) };
}

// A session's name is all that its upstream asks for: it is kept as a hash.
function idOf({ gate, sessionId }: SessionName): string {
  return createHash('sha256')
    .update(JSON.stringify([gate, sessionId]))
    .digest('hex');
}
