import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';

const KEEP_MS = 30 * DAY_MS;
const CACHED_MS = 60_000;
const MOST_CACHED = 10_000;

/** A session as an upstream over HTTP names it, at one gate. */
export type SessionName = { gate: string; sessionId: string };

/** Which source a session of an upstream over HTTP belongs to: a client that merely knows its name may not use it. */
export type Sessions = {
  /** A source opened this session; one that another has opened stays that one's. */
  remember(name: SessionName, sourceId: string): Promise<void>;
  /** One read by its key at most, and none for a minute after the last. */
  belongs(name: SessionName, sourceId: string): Promise<boolean>;
  forget(name: SessionName): Promise<void>;
};

export function createSessions(database: Database): Sessions {
  const cached = new Map<string, { sourceId: string; until: number }>();
  const keep = (id: string, sourceId: string): void => {
    const [oldest] = cached.keys();
    if (cached.size >= MOST_CACHED && oldest !== undefined) cached.delete(oldest);
    cached.delete(id);
    cached.set(id, { sourceId, until: database.clock.now() + CACHED_MS });
  };
  return {
    async remember(name, sourceId) {
      const row = { id: idOf(name), source_id: sourceId, seen_at: database.clock.now() };
      await database.transaction((trx) =>
        trx
          .insertInto('gate_sessions')
          .values(row)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute(),
      );
    },
    async belongs(name, sourceId) {
      const id = idOf(name);
      const now = database.clock.now();
      const known = cached.get(id);
      if (known && known.until > now) return known.sourceId === sourceId;
      const row = await database.read.selectFrom('gate_sessions').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) return false;
      keep(id, row.source_id);
      if (row.seen_at < now - HOUR_MS) await seen(database, id, now);
      return row.source_id === sourceId;
    },
    async forget(name) {
      const id = idOf(name);
      cached.delete(id);
      await database.transaction((trx) => trx.deleteFrom('gate_sessions').where('id', '=', id).execute());
    },
  };
}

/** Forgets the sessions that nobody has used for 30 days; returns how many. */
export async function sweepSessions(database: Database): Promise<number> {
  const swept = await database.transaction((trx) =>
    trx
      .deleteFrom('gate_sessions')
      .where('seen_at', '<=', database.clock.now() - KEEP_MS)
      .executeTakeFirst(),
  );
  return Number(swept.numDeletedRows);
}

async function seen(database: Database, id: string, now: number): Promise<void> {
  await database.transaction((trx) =>
    trx.updateTable('gate_sessions').set({ seen_at: now }).where('id', '=', id).execute(),
  );
}

// A session's name is all that its upstream asks for: it is kept as a hash.
function idOf({ gate, sessionId }: SessionName): string {
  return createHash('sha256')
    .update(JSON.stringify([gate, sessionId]))
    .digest('hex');
}
