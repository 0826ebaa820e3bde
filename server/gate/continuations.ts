import { createHash } from 'node:crypto';
import type { Database } from '../platform/database.ts';
import type { ToolCall } from './call.ts';

/** So long an approved call may go on with the rounds that its upstream wants. */
const KEPT_MS = 3_600_000;

/** One round of a call that its upstream answered with `input_required` (2026-07-28, multi round-trip requests). */
export type Round = { sourceId: string; gate: string; call: ToolCall; requestState: string | undefined };
export type Continuation = { inquiryId: string; argsText?: string };

/** Remembers that the retry of an approved call passes: the same arguments with this very state, once. */
export async function expectRetry(database: Database, round: Round, approved: Continuation): Promise<void> {
  const now = database.clock.now();
  const row = { inquiry_id: approved.inquiryId, args: approved.argsText ?? null, expires_at: now + KEPT_MS };
  await database.transaction(async (trx) => {
    await trx.deleteFrom('gate_continuations').where('expires_at', '<=', now).execute();
    await trx
      .insertInto('gate_continuations')
      .values({ id: idOf(round), ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
  });
}

/** Uses up what `expectRetry` remembered; undefined for a retry that nobody expects: such a call is asked about. */
export async function takeRetry(database: Database, round: Round): Promise<Continuation | undefined> {
  const row = await database.transaction((trx) =>
    trx
      .deleteFrom('gate_continuations')
      .where('id', '=', idOf(round))
      .returning(['inquiry_id', 'args', 'expires_at'])
      .executeTakeFirst(),
  );
  if (!row || row.expires_at <= database.clock.now()) return undefined;
  return { inquiryId: row.inquiry_id, ...(row.args === null ? {} : { argsText: row.args }) };
}

function idOf({ sourceId, gate, call, requestState }: Round): string {
  const parts = [sourceId, gate, call.name, call.argsText, requestState ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
