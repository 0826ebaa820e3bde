import { createHash, randomUUID } from 'node:crypto';
import type { Database } from '../../platform/database.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import type { Closing } from '../../inquiries/inquiries.ts';
import type { Calls, Origin as CalledFrom } from '../calls.ts';
import { timedOut } from '../hold.ts';
import type { ToolCall } from './call.ts';
import type { Place } from './hold.ts';

/** Where a call comes from, at one gate. */
export type Origin = CalledFrom & { gate: string };

const STREAM = 'hub-';

/** The id of the stream on which a call is held: with a session everybody who knows the call can tell it. */
export function createStreamId(origin: Origin, requestId: string | number | null): string {
  // A number and a text are two ids.
  const own =
    origin.sessionId === undefined ? randomUUID() : sha256([...originParts(origin), JSON.stringify(requestId)]);
  return STREAM + own.slice(0, 36);
}

/** The id in `Last-Event-ID` of a stream that is the hub's, not the upstream's. */
export function isStreamId(id: string | string[] | undefined): id is string {
  return typeof id === 'string' && id.startsWith(STREAM);
}

type Kept = { inquiryId: string; text: string; ms: number };

/** Keeps the question and the text of a held call where every process finds them, for its client to take it back or come back for it. */
export function keepCall(database: Database, origin: Origin, streamId: string, { inquiryId, text, ms }: Kept) {
  return put(database, heldId(origin, streamId), { inquiryId, args: text, ms: ms + HOUR_MS });
}

/** Takes back the text that `keepCall` kept, once: what may have run is never sent again. */
export async function takeCall(database: Database, origin: Origin, streamId: string): Promise<string | undefined> {
  return (await take(database, heldId(origin, streamId)))?.args ?? undefined;
}

/** The question that a kept call waits for, on whatever node. */
export async function findQuestion(database: Database, origin: Origin, streamId: string): Promise<string | undefined> {
  const row = await database.read
    .selectFrom('gate_continuations')
    .select('inquiry_id')
    .where('id', '=', heldId(origin, streamId))
    .executeTakeFirst();
  return row?.inquiry_id;
}

/**
 * Takes a held call back, wherever it is held; true when one was found. Without a session two clients may
 * use one id: then nothing is taken back. A client that ran out of time lets go of its call and no more.
 */
export async function cancelCall(
  { inquiries, calls }: { inquiries: Closing; calls: Calls },
  origin: Origin,
  requestId: string | number,
  reason: string,
): Promise<boolean> {
  const same = calls.named(origin, requestId);
  if (same.length > 1) return false;
  for (const { cancel } of same) cancel?.(reason);
  if (same.length === 1 || timedOut(reason)) return true;
  if (origin.sessionId === undefined) return false;
  const inquiryId = await findQuestion(inquiries.database, origin, createStreamId(origin, requestId));
  if (inquiryId !== undefined) await withdrawIfOpen(inquiries, origin.sourceId, inquiryId, reason || undefined);
  return inquiryId !== undefined;
}

/** One round of a call that its upstream answered with `input_required` (2026-07-28, multi round-trip requests). */
export type Round = CallAt & { requestState: string | undefined };
export type Approval = { inquiryId: string; argsText?: string | undefined };

/** Remembers that the next round of an approved call passes: the same arguments with this very state, once, within an hour. */
export function expectRound(database: Database, round: Round, { inquiryId, argsText }: Approval): Promise<void> {
  return put(database, roundId(round), { inquiryId, args: argsText ?? null, ms: HOUR_MS });
}

/** Uses up what `expectRound` remembered; undefined for a round that nobody expects: such a call is asked about. */
export async function takeRound(database: Database, round: Round): Promise<Approval | undefined> {
  const row = await take(database, roundId(round));
  return row && { inquiryId: row.inquiry_id, ...(row.args === null ? {} : { argsText: row.args }) };
}

export type CallAt = { origin: Origin; call: ToolCall };
/** Who was told "undecided, call again": a client of this name, about this call. */
export type Invited = CallAt & { agent: string | undefined };
const INVITED = 8;
// The arguments may be long: what all have in common is hashed once.
function invitedIds({ origin: { gate, sourceId }, call, agent }: Invited): string[] {
  const parts = JSON.stringify(['invited', gate, sourceId, agent ?? null, call.name, call.argsText]);
  const begun = createHash('sha256').update(parts.slice(0, -1));
  return Array.from({ length: INVITED }, (_, at) => begun.copy().update(`,"${at}"]`).digest('hex'));
}

/** Leaves the question of a call to one identical call of the same source, client and gate (ASK5), for so long. */
export async function invite(database: Database, invited: Invited, left: Place & { inquiryId: string; ms: number }) {
  const { inquiryId, ms, within, ordinal } = left;
  const ids = invitedIds(invited);
  const taken = await unexpired(database, ids);
  const free = ids.find((id) => !taken.includes(id));
  if (free !== undefined) await put(database, free, { inquiryId, args: JSON.stringify({ within, ordinal }), ms });
}

/** Takes up what `invite` left, once; undefined where no such call was told to come again. */
export async function takeInvited(database: Database, invited: Invited): Promise<Place | undefined> {
  for (const id of await unexpired(database, invitedIds(invited))) {
    const row = await take(database, id);
    if (row?.args) return JSON.parse(row.args) as Place;
  }
  return undefined;
}

async function unexpired({ read, clock }: Database, ids: string[]): Promise<string[]> {
  const rows = await read
    .selectFrom('gate_continuations')
    .select('id')
    .where('id', 'in', ids)
    .where('expires_at', '>', clock.now())
    .execute();
  const found = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

/** The rounds of calls that gates hold: each carries its place among identical calls. */
export const HELD_ROUNDS = { of: 'legs of held calls', prefix: 'beckon-gate.' };

/** The one call that a round belongs to. */
export function callNames({ origin: { gate, sourceId }, call }: CallAt): string[] {
  return [gate, sourceId, call.name, call.argsText];
}

type Row = { inquiryId: string; args: string | null; ms: number };

async function put(database: Database, id: string, { inquiryId, args, ms }: Row): Promise<void> {
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

function originParts({ gate, sourceId, sessionId }: Origin): (string | null)[] {
  return [gate, sourceId, sessionId ?? null];
}

function heldId(origin: Origin, streamId: string): string {
  return sha256(['held', ...originParts(origin), streamId]);
}

function roundId({ origin: { gate, sourceId }, call, requestState }: Round): string {
  return sha256([sourceId, gate, call.name, call.argsText, requestState ?? null]);
}

function sha256(parts: (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
