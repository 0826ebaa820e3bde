import { createHash } from 'node:crypto';
import type { Database } from '../platform/database.ts';
import type { ToolCall } from './call.ts';

/** So long an approved call may go on with the rounds that its upstream wants. */
const KEPT_MS = 3_600_000;

/** One round of a call that its upstream answered with `input_required` (2026-07-28, multi round-trip requests). */
export type Round = { sourceId: string; gate: string; call: ToolCall; requestState: string | undefined };
export type Continuation = { inquiryId: string; argsText?: string };

/** Whether a call goes on with one that its upstream answered with a question. A state that is no text was never given out. */
export function isRetry(params: Record<string, unknown> | undefined): boolean {
  const { requestState, inputResponses } = params ?? {};
  return requestState === undefined ? inputResponses !== undefined : typeof requestState === 'string';
}

/** Remembers that the retry of an approved call passes: the same arguments with this very state, once. */
export function expectRetry(database: Database, round: Round, { inquiryId, argsText }: Continuation): Promise<void> {
  return put(database, idOf(round), { inquiryId, args: argsText ?? null, ms: KEPT_MS });
}

/** Uses up what `expectRetry` remembered; undefined for a retry that nobody expects: such a call is asked about. */
export async function takeRetry(database: Database, round: Round): Promise<Continuation | undefined> {
  const row = await take(database, idOf(round));
  return row && { inquiryId: row.inquiry_id, ...(row.args === null ? {} : { argsText: row.args }) };
}

/** Keeps the text of a held call outside this process, for a client that comes back to another one. */
export function keepCall(
  database: Database,
  key: string,
  { inquiryId, text, ms }: { inquiryId: string; text: string; ms: number },
): Promise<void> {
  return put(database, sha256(['call', key]), { inquiryId, args: text, ms: ms + KEPT_MS });
}

/** Takes back what `keepCall` kept, once. */
export async function takeCall(database: Database, key: string): Promise<string | undefined> {
  return (await take(database, sha256(['call', key])))?.args ?? undefined;
}

/** A call as its client names it when it takes it back. */
export type CallName = { gate: string; sourceId: string; sessionId: string | undefined; requestId: string | number };

/** Notes which question a call of a session waits for, so that any node finds it by what its client takes back. */
export function noteHeld(database: Database, name: CallName, inquiryId: string, seconds: number): Promise<void> {
  return put(database, heldId(name), { inquiryId, args: null, ms: seconds * 1000 });
}

/** The question that a call of a session waits for, on whatever node. */
export async function findHeld(database: Database, name: CallName): Promise<string | undefined> {
  const row = await database.read
    .selectFrom('gate_continuations')
    .select('inquiry_id')
    .where('id', '=', heldId(name))
    .executeTakeFirst();
  return row?.inquiry_id;
}

function heldId({ gate, sourceId, sessionId, requestId }: CallName): string {
  // A number and a text are two ids.
  return sha256(['held', gate, sourceId, sessionId ?? null, JSON.stringify(requestId)]);
}

async function put(
  database: Database,
  id: string,
  { inquiryId, args, ms }: { inquiryId: string; args: string | null; ms: number },
): Promise<void> {
  const now = database.clock.now();
  const row = { inquiry_id: inquiryId, args, expires_at: now + ms };
  await database.transaction(async (trx) => {
    await trx.deleteFrom('gate_continuations').where('expires_at', '<=', now).execute();
    await trx
      .insertInto('gate_continuations')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}

async function take(database: Database, id: string): Promise<{ inquiry_id: string; args: string | null } | undefined> {
  const row = await database.transaction((trx) =>
    trx
      .deleteFrom('gate_continuations')
      .where('id', '=', id)
      .returning(['inquiry_id', 'args', 'expires_at'])
      .executeTakeFirst(),
  );
  return row && row.expires_at > database.clock.now() ? row : undefined;
}

function idOf({ sourceId, gate, call, requestState }: Round): string {
  return sha256([sourceId, gate, call.name, call.argsText, requestState ?? null]);
}

function sha256(parts: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
