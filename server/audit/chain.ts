import { createLocalJWKSet } from 'jose';
import { DAY_MS, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { store } from '../platform/stored.ts';
import { keyFor, readKeySet, type SigningKey } from '../receipts/keys.ts';
import { checkEntry, HEAD, hashEntry, NOTHING_BEFORE, readEntry, readHead, signEntry, type Head } from './entries.ts';
import { readInquiries, readOthers, readResolved, type LogRow, type Reader } from './rows.ts';

/** How late a row may be committed after the instant that it names: another node's clock, a long transaction. */
export const OVERLAP_MS = 5 * 60_000;
/** The rows of one entry, about: 300 KB. */
const MOST_ROWS = 2_000;

type Chaining = { database: Database; sealingKey: Buffer };
export type Keeping = { retainDays: number; auditDays: number };

/**
 * Writes what is new into the next signed entry, or several where it is much; none where nothing is. Of several nodes that
 * do so at once one writes each number, and the others leave it: what they had found is found again.
 */
export async function chain({ database, sealingKey }: Chaining, keeping: Keeping): Promise<void> {
  const { read } = database;
  const now = Math.round(database.clock.now());
  const key = await keyFor({ database, sealingKey }, 'EdDSA', now);
  if (!key) return;
  const { head, highest } = await readHead(read);
  let last = head && { ...head, number: Math.max(head.number, highest) };
  const since = last ? Math.min(last.through, now) - OVERLAP_MS : -1;
  const held = await readHeld(read, since);
  let rows: LogRow[] = [];
  const write = async (through: number, first?: First): Promise<boolean> => {
    const entry = { now, through, rows, first, keepsDays: keeping.retainDays };
    last = await append(database, key, last ?? { number: highest, hash: NOTHING_BEFORE, through: 0 }, entry);
    rows = [];
    return last !== undefined;
  };
  for await (const part of readResolved(read, { since, until: now })) {
    const fresh = part.filter(({ id }) => !held.has(`inquiry ${id}`)).map(({ id }) => id);
    rows.push(...(await readInquiries(read, fresh)));
    if (rows.length >= MOST_ROWS && !(await write(part.at(-1)?.at ?? now))) return;
  }
  const others = await readOthers(read, { since, until: now });
  rows.push(...others.filter((row) => !held.has(toKey(row)) && row[3] <= iso(now)));
  const first = await findFirstKept(read, now, keeping);
  if (first) rows.push(['log', String(first.number), first.prev, iso(now)]);
  if (rows.length > 0) await write(now, first);
}

/** An inquiry is resolved once; all others are named anew with what they say. */
function toKey([kind, id, digest]: LogRow): string {
  return kind === 'inquiry' ? `inquiry ${id}` : `${kind} ${id} ${digest}`;
}

/** What the entries name that reach beyond this instant. */
async function readHeld(read: Reader, since: number): Promise<Set<string>> {
  const held = new Set<string>();
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const row = await read
      .selectFrom('audit_entries')
      .select(['number', 'through', 'entry'])
      .where('number', '<', below)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row || row.through <= since) return held;
    for (const one of readEntry(row.entry)?.rows ?? []) held.add(toKey(one));
    below = row.number;
  }
}

type First = { number: number; prev: string };

/**
 * Where entries are too old by a day or more: the first that is kept, with the hash of the one before it. What the hub
 * signed counts and not what stands beside it, so that nobody has it erase what is not old.
 */
async function findFirstKept(
  read: Reader,
  now: number,
  { retainDays, auditDays }: Keeping,
): Promise<First | undefined> {
  const since = now - Math.max(retainDays, auditDays) * DAY_MS;
  const entries = read.selectFrom('audit_entries').selectAll().orderBy('number').limit(1);
  const oldest = await entries.executeTakeFirst();
  if (!oldest || oldest.at > since - DAY_MS) return undefined;
  const kept = await entries.where('at', '>=', since).executeTakeFirst();
  const dropped = kept && (await entries.where('number', '=', kept.number - 1).executeTakeFirst());
  if (!kept || !dropped) return undefined;
  const keys = createLocalJWKSet(await readKeySet({ database: { read } }));
  const [first, last] = [await checkEntry(kept.entry, keys), await checkEntry(dropped.entry, keys)];
  const isOld = last && first?.prev === hashEntry(dropped.entry) && Date.parse(last.at) < since;
  return isOld ? { number: kept.number, prev: first.prev } : undefined;
}

type Next = { now: number; through: number; rows: LogRow[]; first: First | undefined; keepsDays: number };

/** Undefined: another node wrote this number. */
async function append(
  database: Database,
  key: SigningKey,
  { number: before, hash: prev }: Head,
  { now, through, rows, first, keepsDays }: Next,
): Promise<Head | undefined> {
  const number = before + 1;
  const entry = await signEntry(key, { number, at: iso(now), prev, through: iso(through), keepsDays, rows });
  const head = { number, hash: hashEntry(entry), through };
  return database.transaction(async (trx: Transaction) => {
    const written = await trx
      .insertInto('audit_entries')
      .values({ number, at: now, through, entry })
      .onConflict((conflict) => conflict.doNothing())
      .returning('number')
      .executeTakeFirst();
    if (!written) return undefined;
    await store(trx, HEAD, JSON.stringify(head));
    if (first) await trx.deleteFrom('audit_entries').where('number', '<', first.number).execute();
    return head;
  });
}
