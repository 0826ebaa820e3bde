import { newId } from '#shared/ids.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { AppError, toProblem } from '#shared/problem.ts';
import { ask } from '../inquiries/ask.ts';
import type { ComposeReply, Inquiries, Store } from '../inquiries/inquiries.ts';
import { readForSource } from '../inquiries/read.ts';
import { toAskId, askOfSource, toFirstId, type InquiryRow } from '../inquiries/store.ts';
import { toRefusal } from '../platform/http/problems.ts';
import type { Log } from '../platform/log.ts';
import { readInTurn } from '../platform/turns.ts';
import { commandOf, keepOf, located } from './asked.ts';
import { dialectOf } from './take.ts';
import type { Answered, Dialect } from './dialect.ts';

/** An ask whose inquiries are stored; `read`: those that this call opened, as its source reads them. */
export type Opened = { id: string; inquiryIds: string[]; read: Inquiry[] };

/** Asks people, or finds what the same call has asked them before (ASK2, ASK5). */
export async function openAsk(
  inquiries: Inquiries,
  call: Parameters<typeof commandOf>[0],
  identity: { kept: string; matchedBy: string | undefined },
): Promise<Opened> {
  const { read, query, sourceId } = call;
  const now = inquiries.database.clock.now();
  const id = newId('ask', now);
  try {
    const {
      created,
      inquiryId,
      inquiry,
      further = [],
    } = await ask(inquiries, commandOf(call, { ...identity, id, now }));
    const opened = inquiry ? [inquiry, ...further] : [];
    if (created) return { id, inquiryIds: opened.map((one) => one.id), read: opened };
    const known = toAskId({ id: inquiryId, ask_id: null });
    if (read.asks.length === 1) return { id: known, inquiryIds: [inquiryId], read: [] };
    return { id: known, inquiryIds: (await rowsOf(inquiries, known, sourceId)).map((row) => row.id), read: [] };
  } catch (error) {
    throw located(error, read.asks, query);
  }
}

/** The inquiries of an ask of this source, in order; 404 for what is none. */
export async function rowsOf(
  { database }: Store,
  askId: string,
  sourceId: string,
): Promise<[InquiryRow & { kept: string }, ...InquiryRow[]]> {
  const [rows] = await readInTurn(() => database.rows(askOfSource(sourceId, toFirstId(askId), askId)));
  const [first, ...further] = rows;
  if (!first?.kept || toAskId(first) !== askId)
    throw new AppError(404, 'ask.unknown', 'There is no such ask of this source.');
  return [{ ...first, kept: first.kept }, ...further];
}

/** Every inquiry of an ask as its source reads it. */
export function readAll(inquiries: Inquiries, inquiryIds: string[], sourceId: string): Promise<Inquiry[]> {
  return Promise.all(inquiryIds.map((id) => readForSource(inquiries, id, sourceId)));
}

/** The framework's own reply, of inquiries that are resolved. Throws `unanswered`. */
export function replyOf(dialect: Dialect, kept: string, inquiries: Inquiry[]): unknown {
  return dialect.write(parseExact(keepOf(kept)), inquiries as Answered[]);
}

/** What a webhook carries as the reply: the framework's own, or the problem in its place. */
export function composeBy(dialects: Dialect[], log: Log): ComposeReply {
  return (name = '', kept, inquiries) => {
    try {
      return replyOf(dialectOf(dialects, name), kept, inquiries);
    } catch (error) {
      return toProblem(toRefusal(error, log, `reply to ${name}`));
    }
  };
}
