import { hash } from 'node:crypto';
import { compactVerify, type createLocalJWKSet } from 'jose';
import { z } from 'zod';
import { isCanonicalJws, signClaims } from '../receipts/jws.ts';
import type { SigningKey } from '../receipts/keys.ts';
import type { LogRow, Reader } from './rows.ts';

/** The `typ` of an entry, so that it passes for nothing else that the hub signs. */
const TYPE = 'beckon-log+jwt';
/** What the first entry names in place of one before it. */
export const NOTHING_BEFORE = '0'.repeat(64);

/** What an entry says. */
export const LogClaims = z.object({
  number: z.int().describe('Its place: each is one more than the one before.'),
  at: z.string().describe('When it was written.'),
  prev: z.string().describe('SHA-256, in lower-case hex, over the text of the entry before; zeros: it is the first.'),
  through: z.string().describe('What happened until then stands in this entry or an earlier one.'),
  keepsDays: z.int().describe('For how many days the hub kept what is resolved; older rows may be forgotten.'),
  rows: z
    .array(z.array(z.string()))
    .describe(
      'What was new: its kind, its id, the SHA-256 of what it says, and since when. `log` names the first entry that is kept.',
    ),
});
export type LogClaims = Omit<z.infer<typeof LogClaims>, 'rows'> & { rows: LogRow[] };

/** One entry as its text is stored. */
export type StoredEntry = { number: number; at: number; through: number; entry: string };

/** What the next entry follows: the number, hash and reach of the last one that was written, whatever is stored since. */
export type Head = { number: number; hash: string; through: number };
export const HEAD = 'audit_head';

export function hashEntry(text: string): string {
  return hash('sha256', text);
}

/** The text of an entry: a compact JWS (RFC 7515), signed by EdDSA. */
export function signEntry(key: SigningKey, claims: LogClaims): Promise<string> {
  return signClaims(key, { alg: 'EdDSA', typ: TYPE }, claims);
}

/** What an entry says if one of these keys signed exactly this text; undefined for anything else. */
export async function checkEntry(
  text: string,
  keys: ReturnType<typeof createLocalJWKSet>,
): Promise<LogClaims | undefined> {
  if (!isCanonicalJws(text)) return undefined;
  try {
    const { payload, protectedHeader } = await compactVerify(text, keys, { algorithms: ['EdDSA'] });
    return protectedHeader.typ === TYPE ? parseClaims(payload) : undefined;
  } catch {
    return undefined;
  }
}

/** What an entry says, whoever signed it; undefined where it is none. */
export function readEntry(text: string): LogClaims | undefined {
  try {
    return parseClaims(Buffer.from(text.split('.')[1] ?? '', 'base64url'));
  } catch {
    return undefined;
  }
}

function parseClaims(payload: Uint8Array): LogClaims | undefined {
  return LogClaims.safeParse(JSON.parse(Buffer.from(payload).toString())).data as LogClaims | undefined;
}

/** What is handed out of an entry; none where what is stored is no entry. */
export function showEntry({ entry }: StoredEntry): (LogClaims & { jws: string })[] {
  const says = readEntry(entry);
  return says ? [{ ...says, jws: entry }] : [];
}

const AT_ONCE = 20;

/** The entries behind this number, oldest first, in parts. */
export async function* readEntries(read: Reader, after: number): AsyncGenerator<StoredEntry[]> {
  let last = after;
  for (;;) {
    const rows = await readEntriesAfter(read, last, AT_ONCE);
    if (rows.length > 0) yield rows;
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)?.number ?? last;
  }
}

export function readEntriesAfter(read: Reader, after: number, most: number): Promise<StoredEntry[]> {
  return read
    .selectFrom('audit_entries')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(most)
    .execute();
}

/** The last entry that was written, and the highest number that stands there; read at one moment. */
export async function readHead(read: Reader): Promise<{ head: Head | undefined; highest: number }> {
  const { noted, highest } = await read
    .selectNoFrom((eb) => [
      eb.selectFrom('settings').select('value').where('name', '=', HEAD).as('noted'),
      eb.selectFrom('audit_entries').select('number').orderBy('number', 'desc').limit(1).as('highest'),
    ])
    .executeTakeFirstOrThrow();
  return { head: noted === null ? undefined : (JSON.parse(noted) as Head), highest: highest ?? 0 };
}
