import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid, parseOrRefuse } from '#shared/faults.ts';
import { idPattern } from '#shared/ids.ts';
import { Ask } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { isObject } from '../../dialects/body.ts';
import { ask } from '../../inquiries/ask.ts';
import type { Inquiries, Store, Closing } from '../../inquiries/inquiries.ts';
import { unknownInquiry } from '../../inquiries/store.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import { iso } from '../../platform/clock.ts';
import { TooMany } from '../../platform/http/rate-limits.ts';
import { unsealed } from '../config.ts';
import type { Called } from '../store.ts';
import { readMessage } from './message.ts';
import { signedId } from './signature.ts';

/** A reply, and the inquiries that the call was about. */
type Taken = { status: number; body: object; inquiries: string[] };

/** What becomes of a POST to a connection's own address; its body is bytes, as they came. */
export type Take = (called: Called, request: FastifyRequest) => Promise<Taken>;

const Withdraw = z.strictObject({ withdraw: z.string().min(1).max(200), reason: z.string().max(2000).optional() });

/** An ask whose answer is the business of the connection's answer address alone. */
const AskHere = Ask.extend({
  callback: z
    .unknown()
    .refine((value) => value === undefined, 'is not for this address: its owner typed where answers go')
    .optional(),
  questions: Ask.shape.questions.superRefine((questions, { addIssue }) => {
    for (const [at, question] of (questions ?? []).entries()) {
      if (question.type === 'text' && question.secret)
        addIssue({
          code: 'custom',
          path: [at, 'secret'],
          message: 'is not for this address: no webhook holds a secret answer',
        });
    }
  }),
});

/** What the holder of an address learns of an inquiry: not what people said, nor whether they said it. */
export type Receipt = { id: string; key?: string; state: 'open' | 'resolved' | 'withdrawn'; deadlineAt: string };

/**
 * Takes what a platform posts to a connection's own address: an ask, or a withdraw of what was asked there. A message
 * that comes again changes nothing and gets the same receipt.
 */
export function takeInbound(inquiries: Inquiries): Take {
  return async (called, { headers, body: sent, server }) => {
    const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
    const { inboundSecret } = unsealed(inquiries.sealingKey, called.sealed);
    const signed = inboundSecret === undefined ? undefined : signedId(inboundSecret, headers, body);
    const { data, at, key = signed } = readMessage(headers, body);
    try {
      const { created, inquiryId } = isWithdraw(data)
        ? await withdraw(inquiries, called, data)
        : await server.asks.run(called.sourceId, () => askFor(inquiries, called, data, key));
      const receipt = await readReceipt(inquiries, called, inquiryId);
      return { status: created ? 201 : 200, body: receipt, inquiries: [inquiryId] };
    } catch (error) {
      throw forHolder(error, at);
    }
  };
}

async function askFor(inquiries: Inquiries, called: Called, data: unknown, key: string | undefined) {
  const { sourceId, to, deadline, answers } = called;
  const asked = parseOrRefuse(AskHere, isObject(data) && key !== undefined ? { key, ...data } : data) as Ask;
  if (!answers) {
    const detail =
      'Nobody would hear an answer: the owner of the hub sets an answer address for this connection first.';
    throw new AppError(409, 'connection.no_answer_url', detail);
  }
  return ask(inquiries, { sourceId, ask: { to, deadline, ...asked }, waitMs: 0 });
}

async function withdraw(inquiries: Closing, { sourceId }: Called, data: unknown) {
  const { withdraw: named, reason } = parseOrRefuse(Withdraw, data);
  const rows = await inquiries.database.read
    .selectFrom('inquiries')
    .select(['id', 'key'])
    .where('source_id', '=', sourceId)
    .where((row) => row.or([row('key', '=', named), ...(idPattern('inq').test(named) ? [row('id', '=', named)] : [])]))
    .execute();
  const { id: inquiryId } = rows.find(({ key }) => key === named) ?? rows[0] ?? unknownInquiry();
  await withdrawIfOpen(inquiries, sourceId, inquiryId, reason);
  return { created: false, inquiryId };
}

async function readReceipt({ database }: Store, { sourceId }: Called, inquiryId: string): Promise<Receipt> {
  const found = await database.read
    .selectFrom('inquiries')
    .select(['id', 'key', 'outcome', 'deadline_at'])
    .where('id', '=', inquiryId)
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  const { id, key, outcome, deadline_at } = found ?? unknownInquiry();
  const open = outcome === null && deadline_at > database.clock.now();
  // What its own platform took back is no answer of anybody.
  const state = open ? 'open' : outcome === 'withdrawn' ? 'withdrawn' : 'resolved';
  return { id, ...(key === null ? {} : { key }), state, deadlineAt: iso(deadline_at) };
}

/** A refusal with its faults where they stand in the body, and without a resolution, which its reader may not see. */
function forHolder(error: unknown, at: string): unknown {
  if (!(error instanceof AppError) || error instanceof TooMany) return error;
  const { status, code, message, faults } = error;
  return faults
    ? invalid(
        faults.map((one) => ({ ...one, path: at + one.path })),
        code,
      )
    : new AppError(status, code, message);
}

function isWithdraw(data: unknown): boolean {
  return isObject(data) && 'withdraw' in data;
}
