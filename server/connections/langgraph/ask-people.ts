import type { Trouble } from '#shared/connections/contact.ts';
import { AppError } from '#shared/problem.ts';
import { toLine } from '../../dialects/body.ts';
import { ADDRESS_OPTION, langgraph } from '../../dialects/langgraph/langgraph.ts';
import { openAsk, readAskRows, refuseTooMuch, identify } from '../../dialects/open.ts';
import { Unshowable } from '../../dialects/take.ts';
import type { Inquiries, Store } from '../../inquiries/inquiries.ts';
import { toAskId } from '../../inquiries/store.ts';
import type { Called } from '../store.ts';
import { readThreadId, type Head } from './head.ts';

/** People were asked, and nothing they did can be told to the thread. */
class Unanswered extends Error {}

/**
 * Asks what a thread waits for, once for each head; returns the inquiries that this opened. Throws what `isRefusal`
 * knows where nobody can be asked, or nobody answered.
 */
export async function askPeople(
  inquiries: Inquiries,
  { sourceId, to, deadline, interruptAnswer: answer }: Called,
  { key, interrupts, graph }: Head,
): Promise<string[]> {
  // How it was asked may have changed since, which would be another question under the same key.
  if (await isAsked(inquiries, sourceId, key)) return [];
  const agent = graph === undefined ? {} : { agent: toLine(graph) };
  const query = { to, deadline, answer, wait: 0, ...agent };
  const asked = langgraph.read(interrupts, query);
  if (!('asks' in asked)) return [];
  const context = { threadId: readThreadId(key) };
  const asks = asked.asks.map((part) => ({ ...part, ask: { ...part.ask, context } }));
  const call = { dialect: langgraph, read: { ...asked, asks }, query, key, sourceId };
  refuseTooMuch(call.read);
  const opened = await openAsk(inquiries, call, { kept: identify(call).kept, matchedBy: undefined });
  return opened.read.map(({ id }) => id);
}

/** Throws `Unanswered` where that was resolved without a word for the thread. */
async function isAsked(inquiries: Store, sourceId: string, headKey: string): Promise<boolean> {
  const { read } = inquiries.database;
  const first = await read
    .selectFrom('inquiries')
    .select(['id', 'ask_id'])
    .where('source_id', '=', sourceId)
    .where('key', '=', `ask 0 ${headKey}`)
    .executeTakeFirst();
  if (!first) return false;
  const rows = await readAskRows(inquiries, toAskId(first), sourceId);
  if (rows.some(({ resolution }) => resolution === null)) return true;
  const ids = rows.map(({ id }) => id);
  const deliveries = read.selectFrom('deliveries').select('id').where('inquiry_id', 'in', ids);
  if (await deliveries.where('type', '=', 'inquiry.resolved').executeTakeFirst()) return true;
  throw new Unanswered();
}

/** True for what keeps one thread from being asked about, and no other. */
export function isRefusal(error: unknown): error is Error {
  return (
    error instanceof Unanswered || error instanceof Unshowable || (error instanceof AppError && error.status < 500)
  );
}

/** True where nobody more can be asked through the connection now. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof AppError && error.status === 429;
}

/** The same as a sentence of this head alone, which the instant of its newest run makes it. */
export function explainRefusal(threadId: string, since: string | undefined, error: Error): Trouble {
  const waits = `The thread ${threadId} has waited since ${since} for what`;
  if (error instanceof Unanswered)
    return {
      code: 'thread.unanswered',
      detail: `${waits} nobody answered: it stays as it is until something else resumes it.`,
    };
  if (isNoRoom(error)) {
    const room = 'too many inquiries of this connection are open. It is asked when some of them are answered.';
    return { code: 'thread.no_room', detail: `${waits} nobody can be asked yet: ${room}` };
  }
  const reason = error.message.replaceAll(
    ADDRESS_OPTION,
    'set the connection\'s interruptAnswer to "text" or "confirm"',
  );
  return { code: 'thread.unaskable', detail: `${waits} nobody can be asked: ${toLine(reason, 600)}` };
}
