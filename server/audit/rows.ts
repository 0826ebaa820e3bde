import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { canonical } from '#shared/json.ts';
import { iso } from '../platform/clock.ts';
import type { Schema } from '../platform/schema.ts';

export type Reader = Kysely<Schema>;
export type Kind = 'inquiry' | 'policies' | 'yolo' | 'decider' | 'gate' | 'device' | 'log';
/** One row as an entry names it: what it is, its id, the SHA-256 of what it says, and the instant at which it came to say that. */
export type LogRow = [kind: Kind, id: string, digest: string, at: string];
/** After `since`, up to `until`. */
export type Between = { since: number; until: number };

const AT_ONCE = 500;
export const EVER: Between = { since: -1, until: Number.MAX_SAFE_INTEGER };

function name(kind: Kind, id: string, at: number, says: object): LogRow {
  // Whoever changed it by hand may have written an instant that is none.
  const since = Number.isNaN(new Date(at).valueOf()) ? String(at) : iso(at);
  return [kind, id, hash('sha256', canonical({ id, ...says })), since];
}

/** The row of an entry that says that something is gone since then. */
export function nameRemoved(kind: Kind, id: string, at: number): LogRow {
  return name(kind, id, at, { removed_at: at });
}

/** The ids of the inquiries that were resolved in this time, oldest first, in parts. */
export async function* readResolved(
  read: Reader,
  { since, until }: Between,
): AsyncGenerator<{ id: string; at: number }[]> {
  let last = { id: '', at: since + 1 };
  for (;;) {
    const { id, at } = last;
    const rows = await read
      .selectFrom('inquiries')
      .select(['id', 'resolved_at as at'])
      .where('resolved_at', '>=', at)
      .where('resolved_at', '<=', until)
      .where((eb) => eb.or([eb('resolved_at', '>', at), eb('id', '>', id)]))
      .orderBy('resolved_at')
      .orderBy('id')
      .limit(AT_ONCE)
      .$narrowType<{ at: number }>()
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1) ?? last;
  }
}

/** These inquiries as entries name them; those that are not resolved, or not there, are left out. */
export async function readInquiries(read: Reader, ids: string[]): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const part = await read
      .selectFrom('inquiries')
      .select(['id', 'digest', 'resolution', 'resolved_at', 'source_id'])
      .where('id', 'in', ids.slice(from, from + AT_ONCE))
      .where('resolved_at', 'is not', null)
      .execute();
    for (const { id, resolved_at, ...says } of part)
      rows.push(name('inquiry', id, resolved_at ?? 0, { ...says, resolved_at }));
  }
  return rows;
}

/** Rules, YOLO, deciders, gates and devices that came to be or were changed in this time, as they are now, and what was removed. */
export async function readOthers(read: Reader, between: Between): Promise<LogRow[]> {
  const there = [
    ...(await readLists(read, between)),
    ...(await readYolos(read, between)),
    ...(await readDeciders(read, between)),
    ...(await readGates(read, between)),
    ...(await readDevices(read, between)),
  ];
  // Read last, and named first: what is made anew under the same name was removed before.
  const removed = await readRemoved(read, between);
  return [...removed, ...there].toSorted(([, , , a], [, , , b]) => (a < b ? -1 : a > b ? 1 : 0));
}

async function readRemoved(read: Reader, { since, until }: Between): Promise<LogRow[]> {
  const rows = await read
    .selectFrom('audit_removals')
    .selectAll()
    .where('at', '>', since)
    .where('at', '<=', until)
    .execute();
  return rows.map(({ kind, id, at }) => nameRemoved(kind as Kind, id, at));
}

async function readLists(read: Reader, { since, until }: Between): Promise<LogRow[]> {
  const rows = await read
    .selectFrom('policies')
    .selectAll()
    .where('changed_at', '>', since)
    .where('changed_at', '<=', until)
    .execute();
  return rows.map(({ id, ...says }) => name('policies', id, says.changed_at, says));
}

async function readDeciders(read: Reader, { since, until }: Between): Promise<LogRow[]> {
  const rows = await read
    .selectFrom('deciders')
    .select(['id', 'name', 'config', 'changed_at'])
    .where('changed_at', '>', since)
    .where('changed_at', '<=', until)
    .execute();
  return rows.map(({ id, ...says }) => name('decider', id, says.changed_at, says));
}

async function readGates(read: Reader, { since, until }: Between): Promise<LogRow[]> {
  const rows = await read
    .selectFrom('gates')
    .select(['name', 'config', 'changed_at'])
    .where('changed_at', '>', since)
    .where('changed_at', '<=', until)
    .execute();
  return rows.map(({ name: id, ...says }) => name('gate', id, says.changed_at, says));
}

async function readYolos(read: Reader, { since, until }: Between): Promise<LogRow[]> {
  const rows = await read
    .selectFrom('yolos')
    .select(['id', 'person_id', 'choices', 'started_at', 'made_by', 'ended_at', 'stopped_by'])
    .where((eb) =>
      eb.or([
        eb.and([eb('started_at', '>', since), eb('started_at', '<=', until)]),
        eb.and([eb('ended_at', '>', since), eb('ended_at', '<=', until)]),
      ]),
    )
    .execute();
  // Until when one runs moves with the clock, so only when it ended is named.
  return rows.map(({ id, ...says }) => name('yolo', id, says.ended_at ?? says.started_at, says));
}

async function readDevices(read: Reader, { since, until }: Between): Promise<LogRow[]> {
  const rows = await read
    .selectFrom('devices')
    .select(['id', 'person_id', 'token_hash', 'created_at', 'made_by', 'revoked_at'])
    .where((eb) =>
      eb.or([
        eb.and([eb('created_at', '>', since), eb('created_at', '<=', until)]),
        eb.and([eb('revoked_at', '>', since), eb('revoked_at', '<=', until)]),
      ]),
    )
    .execute();
  return rows.map(({ id, ...says }) => name('device', id, says.revoked_at ?? says.created_at, says));
}
