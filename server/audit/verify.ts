import { createLocalJWKSet, type JWK } from 'jose';
import type { Database } from '../platform/database.ts';
import {
  checkEntry,
  hashEntry,
  NOTHING_BEFORE,
  readEntries,
  readHead,
  type LogClaims,
  type StoredEntry,
} from './entries.ts';
import { EVER, readOthers, readResolved, type Reader } from './rows.ts';
import { verifyRows } from './verify-rows.ts';

/** What an export that was kept elsewhere holds: the hash of each entry by its number. */
export type Known = ReadonlyMap<number, string>;
export type Verified = {
  entries: number;
  rows: number;
  /** Rows that no entry holds yet, because the next one will. */
  waiting: number;
  /** A sentence for each thing that is not as it was written. */
  faults: string[];
};

/**
 * Compares every entry with its signature, the one before it and what was exported of it, and every row with the entry
 * that names it. Says which entry was changed, removed or inserted, and which row was changed, removed or added; nothing
 * for what is kept no longer. Runs beside a hub that writes.
 */
export async function verifyLog(
  database: Database,
  { keys, known }: { keys: JWK[]; known?: Known },
): Promise<Verified> {
  const { read } = database;
  const chain = await verifyChain(read, keys, known);
  const { first, last, entries, faults } = chain;
  if (!first || !last) {
    const none = 'There is no log here: the hub writes it within a minute of its start.';
    if (faults.length === 0 && (await hasRows(read))) faults.push(none);
    return { entries, rows: 0, waiting: 0, faults };
  }
  const { faults: more, ...rows } = await verifyRows(database, { ...chain, first, last });
  return { entries, ...rows, faults: [...faults, ...more] };
}

async function hasRows(read: Reader): Promise<boolean> {
  const { value: resolved } = await readResolved(read, EVER).next();
  return resolved !== undefined || (await readOthers(read, EVER)).length > 0;
}

type Link = { number: number; hash: string };
type Chain = {
  entries: number;
  faults: string[];
  /** The numbers in the database of those that no key of the hub signed. */
  unsigned: Set<number>;
  /** Some of what was written is not there any more. */
  gaps: boolean;
  first?: LogClaims;
  last?: LogClaims;
  /** The first that was kept when older ones were erased, as an entry says. */
  kept: Link;
};

async function verifyChain(read: Reader, keys: JWK[], known: Known | undefined): Promise<Chain> {
  const written = (await readHead(read)).head?.number ?? 0;
  const chain: Chain = {
    entries: 0,
    faults: [],
    unsigned: new Set(),
    gaps: false,
    kept: { number: 1, hash: NOTHING_BEFORE },
  };
  const walk = { chain, before: [], odd: [], moved: 0, inserted: 0, seen: new Map<number, string>() };
  const keySet = createLocalJWKSet({ keys });
  for await (const part of readEntries(read, Number.MIN_SAFE_INTEGER))
    for (const row of part) follow(walk, row, await checkEntry(row.entry, keySet));
  return finish(walk, { read, written, known });
}

type Walk = {
  chain: Chain;
  link?: Link;
  /** Of those that nobody signed: the ones before the first entry, and the ones since the last. */
  before: number[];
  odd: number[];
  /** By how much the numbers of the database are ahead of those that the entries say, and how much they may be. */
  moved: number;
  inserted: number;
  seen: Map<number, string>;
};

function follow(walk: Walk, row: StoredEntry, entry: LogClaims | undefined): void {
  const { chain, link, odd } = walk;
  const { faults } = chain;
  const twice = entry && link && entry.number <= link.number;
  if (!entry || twice) chain.unsigned.add(row.number);
  if (twice) faults.push(`Entry ${entry.number} was inserted once more, as number ${row.number}.`);
  if (twice) walk.inserted++;
  else if (!entry) odd.push(row.number);
  if (!entry || twice) return;
  const { number, prev } = entry;
  if (!link) walk.before = odd;
  else if (prev === link.hash) faults.push(...odd.map(describeInserted));
  else if (number > link.number + 1) noteGap(walk, link.number + 1, number - 1);
  else faults.push(`Entry ${number} was changed: it does not follow the one before it.`);
  if (!link || prev === link.hash) walk.inserted += odd.length;
  // The hub passes over a number that is taken; whoever makes room for another entry moves all that follow.
  const ahead = row.number - number;
  if (ahead < 0 || ahead > walk.inserted || !isThen(entry.at, row.at) || !isThen(entry.through, row.through))
    faults.push(`Entry ${number} was changed: its number or its time.`);
  else walk.moved = ahead;
  walk.link = { number, hash: hashEntry(row.entry) };
  walk.seen.set(number, walk.link.hash);
  walk.odd = [];
  chain.first ??= entry;
  chain.last = entry;
  chain.entries++;
  for (const [kind, id, digest] of entry.rows) if (kind === 'log') chain.kept = { number: Number(id), hash: digest };
}

async function finish(
  walk: Walk,
  { read, written, known }: { read: Reader; written: number; known: Known | undefined },
): Promise<Chain> {
  const { chain, link, moved, odd } = walk;
  const next = (link?.number ?? chain.kept.number - 1) + 1;
  if (next <= written) noteGap(walk, next, written);
  const beyond = odd.filter((number) => number - moved > written || next > written);
  chain.faults.push(...beyond.map(describeInserted), ...(await describeHead(read, link)));
  noteFirst(walk);
  if (known) chain.faults.push(...describeKnown(known, walk.seen, chain.first?.number ?? 0));
  return chain;
}

const isThen = (instant: string, at: number): boolean => Date.parse(instant) === at;

const describeInserted = (number: number): string => `Entry ${number} was inserted: no entry of the hub follows it.`;

function noteGap({ chain, odd, moved }: Pick<Walk, 'chain' | 'odd' | 'moved'>, from: number, to: number): void {
  chain.gaps = true;
  let removed = from;
  const changed = odd.map((number) => number - moved).filter((number) => number >= from && number <= to);
  for (const number of [...changed, to + 1]) {
    if (number - 1 > removed) chain.faults.push(`Entries ${removed} to ${number - 1} were removed.`);
    if (number - 1 === removed) chain.faults.push(`Entry ${removed} was removed.`);
    if (number <= to) chain.faults.push(`Entry ${number} was changed: its signature does not fit.`);
    removed = number + 1;
  }
}

function noteFirst({ chain, before }: Walk): void {
  const { first, kept, faults } = chain;
  if (!first || (first.number === kept.number && first.prev === kept.hash))
    faults.push(...before.map(describeInserted));
  else if (first.number > kept.number) noteGap({ chain, odd: before, moved: 0 }, kept.number, first.number - 1);
  else if (first.number < kept.number)
    faults.push(`Entry ${first.number} was inserted: those before ${kept.number} are kept no longer.`);
  else faults.push(`Entry ${first.number} was changed: it does not follow the one before it.`);
}

/** Read anew, because the hub may have written meanwhile. */
async function describeHead(read: Reader, last: Link | undefined): Promise<string[]> {
  const { head } = await readHead(read);
  if (!last && !head) return [];
  if (!head || (last && head.number < last.number) || (last?.number === head.number && head.hash !== last.hash))
    return ['What the hub notes of the last entry was changed.'];
  return [];
}

function describeKnown(known: Known, seen: ReadonlyMap<number, string>, first: number): string[] {
  return [...known]
    .filter(([number, hash]) => number >= first && seen.get(number) !== hash)
    .map(([number]) => `Entry ${number} is not the one that was exported.`);
}
