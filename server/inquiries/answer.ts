import { randomUUID } from 'node:crypto';
import type { AnswerBody, AnswerContent, AnswerReply, By, Decision } from '#shared/answer.ts';
import { answerFaults, contentOfResponse } from '#shared/fit.ts';
import { invalid } from '#shared/faults.ts';
import type { Asked } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { answerText } from '#shared/text.ts';
import { isUniqueViolation, type Transaction } from '../platform/database.ts';
import { schemaFaults } from '../platform/json-schema.ts';
import type { Answerer } from './announce.ts';
import { expireNow } from './expire.ts';
import type { Inquiries } from './inquiries.ts';
import { announceResolved, oweWebhook, resolve, type Resolved } from './resolve.ts';
import { sealSecrets } from './seal.ts';
import { askedOf, readAsRecipient, readOthers, resolutionOf, wordingOf, type InquiryRow } from './store.ts';

type Given = { outcome: 'answered' | 'declined'; content: AnswerContent; message: string | undefined };
type Settled = { reply: AnswerReply; resolved?: Resolved | undefined; standing: 'won' | 'lost' | 'late' | 'again' };

/**
 * Answers an inquiry on a person's behalf. The first valid answer before the deadline wins (RES1); a
 * loser is told who won (RES2); the same `answerId` gets its first reply again; what does not fit is
 * refused with 422 and changes nothing (RES3); an answer to an expired or withdrawn inquiry, or one
 * sent with `late`, is kept and offered to the source (RES6). When it returns `won: true`, the answer
 * survives any crash (ASK1). Throws 404 for whoever was not asked.
 */
export async function answerInquiry(
  inquiries: Inquiries,
  answerer: Answerer,
  inquiryId: string,
  body: AnswerBody,
): Promise<AnswerReply> {
  const settled = await settleOnce(inquiries, answerer, inquiryId, body);
  if (settled.resolved) announceResolved(inquiries, settled.resolved, answerer.screen);
  if (settled.standing === 'late') inquiries.wakeDeliveries();
  if (settled.standing !== 'again')
    inquiries.count(
      settled.standing === 'won' && settled.reply.resolution.outcome === 'declined' ? 'declined' : settled.standing,
    );
  return settled.reply;
}

async function settleOnce(
  inquiries: Inquiries,
  answerer: Answerer,
  inquiryId: string,
  body: AnswerBody,
): Promise<Settled> {
  const work = (trx: Transaction) => settle(inquiries, trx, answerer, inquiryId, body);
  try {
    return await inquiries.database.transaction(work);
  } catch (error) {
    // One answerId twice at the same moment: the other call wrote its reply first.
    if (!isUniqueViolation(error)) throw error;
    return inquiries.database.transaction(work);
  }
}

async function settle(
  inquiries: Inquiries,
  trx: Transaction,
  answerer: Answerer,
  inquiryId: string,
  body: AnswerBody,
): Promise<Settled> {
  const row = await readAsRecipient(trx, inquiryId, answerer.personId);
  const again = body.answerId === undefined ? undefined : await firstReply(trx, answerer, inquiryId, body.answerId);
  if (again) return { reply: again, standing: 'again' };

  const asked = askedOf(row);
  const given = readBody(asked, body);
  const faults = faultsOfAnswer(row, asked, given, body);
  if (faults.length > 0) throw invalid(faults, 'answer.does_not_fit');

  const now = inquiries.database.clock.now();
  const by: By = {
    kind: 'person',
    handle: answerer.handle,
    device: { id: answerer.deviceId, name: answerer.deviceName },
    via: answerer.via,
  };
  const { open, sealed } = sealSecrets(asked, given.content, inquiries.sealingKey);
  const outcome =
    given.outcome === 'answered'
      ? { outcome: given.outcome, answer: open, by }
      : { outcome: given.outcome, by, ...(given.message === undefined ? {} : { message: given.message }) };
  const won = await resolve(trx, row, outcome, { now, due: 'before deadline', sealed });
  if (won) {
    const reply = { won: true, resolution: won.resolution };
    await remember(trx, answerer, inquiryId, body.answerId, { now, by, row, given, open, reply, standing: 'won' });
    return { reply, resolved: won, standing: 'won' };
  }
  return beaten(inquiries, trx, answerer, { row, body, given, open, by, now });
}

type Beaten = { row: InquiryRow; body: AnswerBody; given: Given; open: AnswerContent; by: By; now: number };

async function beaten(
  inquiries: Inquiries,
  trx: Transaction,
  answerer: Answerer,
  { row, body, given, open, by, now }: Beaten,
): Promise<Settled> {
  const expired = await expireNow(trx, row, now);
  const current = await readAsRecipient(trx, row.id, answerer.personId);
  const resolution = resolutionOf(current);
  // Its deadline was moved at this very moment: the answer came too late for the old one, and is not for the new.
  if (!resolution) return settle(inquiries, trx, answerer, row.id, body);
  const standing =
    resolution.outcome === 'expired' || resolution.outcome === 'withdrawn' || body.late ? 'late' : 'lost';
  const reply = { won: false, resolution };
  await remember(trx, answerer, row.id, body.answerId, { now, by, row, given, open, reply, standing });
  if (standing === 'late') {
    await trx
      .updateTable('inquiries')
      .set(({ eb }) => ({ late_count: eb('late_count', '+', 1) }))
      .where('id', '=', row.id)
      .execute();
    const late = await readOthers(trx, [row.id], 'late');
    await oweWebhook(trx, current, 'inquiry.late_answer', resolution, now, late.get(row.id));
  }
  if (expired) inquiries.count('expired');
  return { reply, resolved: expired, standing };
}

async function firstReply(
  trx: Transaction,
  { deviceId }: Answerer,
  inquiryId: string,
  answerId: string,
): Promise<AnswerReply | undefined> {
  const row = await trx
    .selectFrom('answers')
    .select('reply')
    .where('inquiry_id', '=', inquiryId)
    .where('device_id', '=', deviceId)
    .where('id', '=', answerId)
    .executeTakeFirst();
  return row && (parseExact(row.reply) as AnswerReply);
}

type Remembered = Omit<Beaten, 'body'> & { reply: AnswerReply; standing: 'won' | 'lost' | 'late' };

async function remember(
  trx: Transaction,
  answerer: Answerer,
  inquiryId: string,
  answerId: string | undefined,
  { now, by, row, given, open, reply, standing }: Remembered,
): Promise<void> {
  // A winner without an id stands in the resolution; nothing would ever ask for this row.
  if (standing === 'won' && answerId === undefined) return;
  const { language } = wordingOf(row);
  const words = given.outcome === 'declined' ? (given.message ?? '') : answerText(askedOf(row), open, language);
  await trx
    .insertInto('answers')
    .values({
      inquiry_id: inquiryId,
      id: answerId ?? randomUUID(),
      device_id: answerer.deviceId,
      at: now,
      standing,
      answered_by: JSON.stringify(by),
      answer: JSON.stringify(open),
      words,
      reply: JSON.stringify(reply),
    })
    .execute();
}

function readBody(asked: Asked, body: AnswerBody): Given {
  const { text, values, other, decisions, markdown, outcome = 'answered', message, response } = body;
  const content: AnswerContent = defined({ text, values, other, decisions: decisions?.map(exactDecision), markdown });
  if (outcome === 'declined') return { outcome, content: {}, message };
  if (response === undefined) return { outcome, content, message };
  const expanded = contentOfResponse(asked, response);
  if ('code' in expanded) throw invalid([expanded as Fault], 'answer.does_not_fit');
  return { outcome, content: { ...content, ...expanded }, message };
}

function faultsOfAnswer(row: InquiryRow, asked: Asked, given: Given, body: AnswerBody): Fault[] {
  if (body.digest !== undefined && body.digest !== row.digest) {
    return [
      {
        path: '/digest',
        code: 'answer.digest',
        message: 'is not that of this inquiry: what was shown is not what was asked',
      },
    ];
  }
  if (given.outcome === 'declined') return [];
  if (given.content.decisions && body.digest === undefined) {
    return [
      { path: '/digest', code: 'answer.digest_missing', message: 'is missing: decisions must say what was shown' },
    ];
  }
  return answerFaults(asked, given.content, { partial: body.late === true && row.resolution !== null, schemaFaults });
}

// A device's numbers are doubles: where it sends the arguments as text, the text is what counts.
function exactDecision(decision: Decision): Decision {
  if (decision.type !== 'edit' || decision.argsText === undefined || decision.args !== undefined) return decision;
  try {
    return { type: 'edit', args: parseExact(decision.argsText) as never };
  } catch (error) {
    throw new AppError(422, 'answer.does_not_fit', `The edited arguments cannot be read: ${(error as Error).message}`, {
      faults: [{ path: '/decisions', code: 'answer.type', message: 'hold edited arguments that are not JSON' }],
    });
  }
}

function defined<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
