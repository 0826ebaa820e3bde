import type { DeciderRun, Run } from '#shared/policies/decider.ts';
import { newId } from '#shared/ids.ts';
import { parseExact } from '#shared/json.ts';
import { iso } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';
import type { Reader } from '../../inquiries/store.ts';

type Ran = { inquiryId: string; decider: { id: string; name: string }; why: DeciderRun['why']; at: number };

/** What is told of one call of a decider. */
export const deciderSpan = ({ id }: { id: string }, inquiry: { id: string }) => ({
  name: 'decider call',
  calls: true as const,
  about: { 'beckon.decider': id, 'beckon.inquiry': inquiry.id },
  after: ({ problem }: Run) => ({ 'error.type': problem }),
});

/** Keeps what was sent to a decider and what came back, as long as the inquiry is kept. */
export async function keepRun(trx: Transaction, { inquiryId, decider, why, at }: Ran, run: Run): Promise<void> {
  const { answer, problem, sent, received, ms, tokensIn, tokensOut } = run;
  await trx
    .insertInto('decider_runs')
    .values({
      id: newId('run', at),
      inquiry_id: inquiryId,
      decider_id: decider.id,
      decider_name: decider.name,
      why,
      at: Math.round(at),
      sent,
      received,
      answer: answer ? JSON.stringify(answer) : null,
      problem: problem ?? null,
      ms,
      tokens_in: tokensIn ?? null,
      tokens_out: tokensOut ?? null,
    })
    .execute();
}

/** Every time that a decider was asked about this inquiry, in order. */
export async function readRuns(read: Reader, inquiryId: string): Promise<DeciderRun[]> {
  const rows = await read
    .selectFrom('decider_runs')
    .selectAll()
    .where('inquiry_id', '=', inquiryId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    decider: { id: row.decider_id, name: row.decider_name },
    why: row.why as DeciderRun['why'],
    at: iso(row.at),
    ...(row.answer === null ? {} : { answer: parseExact(row.answer) as NonNullable<Run['answer']> }),
    ...(row.problem === null ? {} : { problem: row.problem }),
    sent: row.sent,
    received: row.received,
    ms: row.ms,
    ...(row.tokens_in === null ? {} : { tokensIn: Number(row.tokens_in) }),
    ...(row.tokens_out === null ? {} : { tokensOut: Number(row.tokens_out) }),
  }));
}
