import { randomUUID } from 'node:crypto';
import type { AnswerBody, AnswerContent, AnswerReply, By, Decision } from '#shared/answer.ts';
import { answerFaults, contentOfResponse } from '#shared/fit.ts';
import { fault, invalid } from '#shared/faults.ts';
import type { Asked } from '#shared/inquiry.ts';
import { definedOf, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { answerText } from '#shared/text.ts';
import { isUniqueViolation, type Transaction } from '../platform/database.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import type { Answerer, Inquiries } from './inquiries.ts';
import { expireNow } from './expire.ts';
import { announceResolved, notifySource, resolve, type Resolved } from './resolve.ts';
import { sealSecrets } from './seal.ts';
import {
  askedOf,
  readAsRecipient,
  readOthers,
  resolutionOf,
  wordingOf,
  type InquiryRow,
  type Reader,
} from './store.ts';

/** An answer that waited longer in this process counts from so long ago. */
const MOST_WAITED_MS = 15_000;

type Given = { outcome: 'answered' | 'declined'; content: AnswerContent; message: string | undefined };
type Settled = { reply: AnswerReply; resolved?: Resolved | undefined; standing: 'won' | 'lost' | 'late' | 'again' };

/**
 * Answers an inquiry on a person's behalf. The first valid answer before the deadline wins (RES1); a
 * loser is told who won (RES2); the same `answerId` gets its first reply again; what does not fit is
 * refused with 422 and changes nothing (RES3); an answer to an expired or withdrawn inquiry, or one
 * sent with `late`, is kept and offered to the source (RES6). When it returns `won: true`, the answer
 * survives any crash (ASK1). Throws 404 for whoever was not asked.
 *
 * `arrivedAt` (by `performance.now()`) is since when the answer may have waited in this process or its socket: it counts
 * from then, at most 15 s back. Without it, it counts from its statement.
 */
export async function answerInquiry(
  inquiries: Inquiries,
  answerer: Answerer,
  inquiryId: string,
  body: AnswerBody,
  arrivedAt?: number,
): Promise<AnswerReply> {
  const underWay = { inquiryId };
  inquiries.answering.add(underWay);
  const settled = await settleOnce(inquiries, answerer, inquiryId, { body, arrivedAt }).finally(() =>
    inquiries.answering.delete(underWay),
  );
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
  { body, arrivedAt }: { body: AnswerBody; arrivedAt: number | undefined },
): Promise<Settled> {
  const { database } = inquiries;
  // What was asked never changes (ASK4), so the answer is checked before the transaction: a slow schema holds up nobody.
  const row = await readAsRecipient(database.read, inquiryId, answerer.personId);
  const asked = askedOf(row);
  let given: Given;
  try {
    given = await checkedAnswer(row, asked, body);
  } catch (error) {
    const reply = await firstReply(database.read, answerer, inquiryId, body.answerId);
    if (!reply) throw error;
    return { reply, standing: 'again' };
  }
  const work = (trx: Transaction) => settle(inquiries, trx, answerer, { row, asked, given, body, arrivedAt });
  try {
    return await database.transaction(work);
  } catch (error) {
    // One answerId twice at the same moment: the other call wrote its reply first.
    if (!isUniqueViolation(error)) throw error;
    return database.transaction(work);
  }
}

type Checked = { row: InquiryRow; asked: Asked; given: Given; body: AnswerBody; arrivedAt: number | undefined };

async function settle(inquiries: Inquiries, trx: Transaction, answerer: Answerer, checked: Checked): Promise<Settled> {
  const { row, asked, given, body } = checked;
  const again = await firstReply(trx, answerer, row.id, body.answerId);
  if (again) return { reply: again, standing: 'again' };

  const { clock } = inquiries.database;
  const now = clock.now();
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
  const waitedMs = Math.floor(Math.min(MOST_WAITED_MS, performance.now() - (checked.arrivedAt ?? performance.now())));
  const won = await resolve(trx, row, outcome, { clock, now, due: 'before deadline', waitedMs, sealed });
  if (won) {
    const reply = { won: true, resolution: won.resolution };
    await remember(trx, answerer, { ...checked, now, by, open, reply, standing: 'won' });
    return { reply, resolved: won, standing: 'won' };
  }
  return beaten(inquiries, trx, answerer, { ...checked, open, by, now });
}

type Beaten = Checked & { open: AnswerContent; by: By; now: number };

async function beaten(inquiries: Inquiries, trx: Transaction, answerer: Answerer, lost: Beaten): Promise<Settled> {
  const { row, body, now } = lost;
  const expired = await expireNow(trx, row, inquiries.database.clock);
  const current = await readAsRecipient(trx, row.id, answerer.personId);
  const resolution = resolutionOf(current);
  // Its deadline was moved at this very moment: the answer came too late for the old one, and is not for the new.
  if (!resolution) return settle(inquiries, trx, answerer, lost);
  const standing =
    resolution.outcome === 'expired' || resolution.outcome === 'withdrawn' || body.late ? 'late' : 'lost';
  const reply = { won: false, resolution };
  await remember(trx, answerer, { ...lost, reply, standing });
  if (standing === 'late') {
    await trx
      .updateTable('inquiries')
      .set(({ eb }) => ({ late_count: eb('late_count', '+', 1) }))
      .where('id', '=', row.id)
      .execute();
    const late = await readOthers(trx, [row.id], 'late');
    await notifySource(trx, current, 'inquiry.late_answer', resolution, now, late.get(row.id));
  }
  if (expired) inquiries.count('expired');
  return { reply, resolved: expired, standing };
}

async function firstReply(
  reader: Reader,
  { deviceId }: Answerer,
  inquiryId: string,
  answerId: string | undefined,
): Promise<AnswerReply | undefined> {
  if (answerId === undefined) return undefined;
  const row = await reader
    .selectFrom('answers')
    .select('reply')
    .where('inquiry_id', '=', inquiryId)
    .where('device_id', '=', deviceId)
    .where('id', '=', answerId)
    .executeTakeFirst();
  return row && (parseExact(row.reply) as AnswerReply);
}

type Remembered = Beaten & { reply: AnswerReply; standing: 'won' | 'lost' | 'late' };

async function remember(
  trx: Transaction,
  { deviceId }: Answerer,
  { now, by, row, asked, given, body: { answerId }, open, reply, standing }: Remembered,
): Promise<void> {
  // A winner without an id stands in the resolution; nothing would ever ask for this row.
  if (standing === 'won' && answerId === undefined) return;
  const { language } = wordingOf(row);
  const words = given.outcome === 'declined' ? (given.message ?? '') : answerText(asked, open, language);
  await trx
    .insertInto('answers')
    .values({
      inquiry_id: row.id,
      id: answerId ?? randomUUID(),
      device_id: deviceId,
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
  const content: AnswerContent = definedOf({ text, values, other, decisions: decisions?.map(exactDecision), markdown });
  if (outcome === 'declined') return { outcome, content: {}, message };
  if (response === undefined) return { outcome, content, message };
  const expanded = contentOfResponse(asked, response);
  if ('code' in expanded) throw invalid([expanded as Fault], 'answer.does_not_fit');
  return { outcome, content: { ...content, ...expanded }, message };
}

/** What the body says, if it fits what was asked; throws 422 with every fault (RES3). */
async function checkedAnswer(row: InquiryRow, asked: Asked, body: AnswerBody): Promise<Given> {
  const given = readBody(asked, body);
  const partial = body.late === true && row.resolution !== null;
  const faults =
    digestFaults(row, given, body) ??
    (await withSchemaFaults(row.source_id, (schemaFaults) =>
      answerFaults(asked, given.content, { partial, schemaFaults }),
    ));
  if (faults.length > 0) throw invalid(faults, 'answer.does_not_fit');
  return given;
}

function digestFaults(row: InquiryRow, given: Given, body: AnswerBody): Fault[] | undefined {
  if (body.digest !== undefined && body.digest !== row.digest) {
    const message = 'is not that of this inquiry: what was shown is not what was asked';
    return [fault('/digest', 'answer.digest', message)];
  }
  if (given.outcome === 'declined') return [];
  if (!given.content.decisions || body.digest !== undefined) return undefined;
  return [fault('/digest', 'answer.digest_missing', 'is missing: decisions must say what was shown')];
}

// A device's numbers are doubles: where it sends the arguments as text, the text is what counts.
function exactDecision(decision: Decision): Decision {
  if (decision.type !== 'edit' || decision.argsText === undefined || decision.args !== undefined) return decision;
  try {
    return { type: 'edit', args: parseExact(decision.argsText) as never };
  } catch (error) {
    const faults = [fault('/decisions', 'answer.type', 'hold edited arguments that are not JSON')];
    const detail = `The edited arguments cannot be read: ${(error as Error).message}`;
    throw new AppError(422, 'answer.does_not_fit', detail, { faults });
  }
}
