import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { OVERLAP_MS } from './chain.ts';
import { readEntries, readEntry, type LogClaims } from './entries.ts';
import {
  EVER,
  nameRemoved,
  readInquiries,
  readOthers,
  readResolved,
  type Kind,
  type LogRow,
  type Reader,
} from './rows.ts';

const WORDS: Record<Kind, (id: string) => string> = {
  inquiry: (id) => `Inquiry ${id}`,
  policies: (id) => (id === 'hub' ? 'The list of rules of the hub' : `The list of rules of ${id}`),
  yolo: (id) => `YOLO ${id}`,
  decider: (id) => `Decider ${id}`,
  gate: (id) => `Gate "${id}"`,
  device: (id) => `Device ${id}`,
  log: (id) => `Entry ${id}`,
};

/** What was verified of the entries. */
type Chain = {
  unsigned: ReadonlySet<number>;
  gaps: boolean;
  first: LogClaims;
  last: LogClaims;
  kept: { number: number };
};
type Found = { faults: string[]; rows: number; waiting: number };
type Named = { digest: string; at: number; number: number };

/** Compares the rows with what the entries that hold say of them. */
export async function verifyRows({ read, clock }: Database, chain: Chain): Promise<Found> {
  const { last, first, kept, gaps } = chain;
  const faults: string[] = [];
  const named = await readNamed(read, chain, clock.now());
  // What was committed since may stand in the next entry only.
  const settled = Date.parse(last.through) - OVERLAP_MS;
  // Older ones went with the entries that named them.
  const from = kept.number > 1 ? Date.parse(first.at) : 0;
  const homeless: string[] = [];
  let waiting = 0;
  const noteHomeless = (kind: Kind, id: string, at: number): void => {
    if (at > settled) waiting++;
    else if (at >= from) homeless.push(WORDS[kind](id));
  };
  for await (const part of readResolved(read, EVER))
    for (const { id, at } of part) if (!named.inquiries.has(id)) noteHomeless('inquiry', id, at);
  const rows = await readOthers(read, EVER);
  const now = new Map<string, LogRow>(rows.map((row) => [`${row[0]} ${row[1]}`, row]));
  for (const row of now.values()) {
    const [kind, id, digest, at] = row;
    const entry = named.others.get(`${kind} ${id}`);
    if (!entry || (entry.digest !== digest && Date.parse(at) > settled)) noteHomeless(kind, id, Date.parse(at));
    else if (entry.digest !== digest) faults.push(describe(kind, id, entry, 'changed'));
  }
  for (const [key, entry] of named.others) {
    const [kind, ...id] = key.split(' ') as [Kind, ...string[]];
    const gone = !now.has(key) && entry.digest !== nameRemoved(kind, id.join(' '), entry.at)[2];
    if (gone && !(kind === 'yolo' && entry.at < named.forgottenBefore))
      faults.push(describe(kind, id.join(' '), entry, 'removed'));
  }
  // Those of an entry that is missing would be as many.
  if (gaps && homeless.length > 0) faults.push(`In no entry that is left: ${homeless.join(', ')}.`);
  else faults.push(...homeless.map((what) => `${what} was added without an entry.`));
  return { faults: [...named.faults, ...faults], rows: named.inquiries.size + now.size, waiting };
}

function describe(kind: Kind, id: string, { number }: Named, was: 'changed' | 'removed'): string {
  return `${WORDS[kind](id)}, which entry ${number} names, was ${was}.`;
}

/** What the entries name: the inquiries that are still there, compared, and of all else the last state. */
async function readNamed(read: Reader, { unsigned, last }: Chain, now: number) {
  let forgottenBefore = now - last.keepsDays * DAY_MS;
  const inquiries = new Set<string>();
  const changed = new Map<string, Named>();
  const gone = new Map<string, Named>();
  const others = new Map<string, Named>();
  for await (const part of readEntries(read, Number.MIN_SAFE_INTEGER))
    for (const { number: stands, entry } of part) {
      const says = unsigned.has(stands) ? undefined : readEntry(entry);
      if (!says) continue;
      const { number, rows } = says;
      forgottenBefore = Math.max(forgottenBefore, Date.parse(says.at) - says.keepsDays * DAY_MS);
      const resolved = rows.filter(([kind]) => kind === 'inquiry');
      const found = await readInquiries(
        read,
        resolved.map(([, id]) => id),
      );
      const digests = new Map(found.map(([, id, digest]) => [id, digest]));
      for (const [kind, id, digest, at] of rows) {
        const entryOf = { digest, at: Date.parse(at), number };
        if (kind !== 'inquiry') others.set(`${kind} ${id}`, entryOf);
        else if (!digests.has(id)) gone.set(id, entryOf);
        else {
          inquiries.add(id);
          if (digests.get(id) !== digest && !changed.has(id)) changed.set(id, entryOf);
        }
      }
    }
  const missing = [...gone].filter(([, { at }]) => at >= forgottenBefore);
  const faults = [
    ...[...changed].map(([id, entry]) => describe('inquiry', id, entry, 'changed')),
    ...missing.map(([id, entry]) => describe('inquiry', id, entry, 'removed')),
  ];
  others.forEach((_, key) => key.startsWith('log ') && others.delete(key));
  return { inquiries, others, forgottenBefore, faults };
}
