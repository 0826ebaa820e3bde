import { randomUUID } from 'node:crypto';
import type { AnswerBody, AnswerContent, AnswerReply, By, Decision, Resolution } from '#shared/answer.ts';
import { answerFaults, expandResponse, kindOf } from '#shared/fit.ts';
import { fault, invalid } from '#shared/faults.ts';
import { madeAt } from '#shared/ids.ts';
import type { Asked } from '#shared/inquiry.ts';
import { withoutUndefined, parseExact } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { answerText } from '#shared/text.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { SENDS } from './check.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import { batch, commitWith, statement, type Statement, type Steps, type Value } from '../platform/steps.ts';
import type { Answerer } from './answerer.ts';
import type { Inquiries, Closing } from './inquiries.ts';
import { asExpired, MOST_WAITED_MS } from './expire.ts';
import { asAbandoned } from './lease.ts';
import { announceResolved, finish, finished, notifySource, resolve, type Resolved } from './resolve.ts';
import { sealSecrets } from './seal.ts';
import type { Started } from './settling.ts';
import {
  parseAsked,
  askedOfPerson,
  inquiryById,
  readIn,
  answersBeside,
  toLateAnswer,
  parseResolution,
  parseExactAsked,
  unknownInquiry,
  parseWording,
  type InquiryRow,
} from './store.ts';
import { justResolved } from './just-resolved.ts';

type Given = { outcome: 'answered' | 'declined'; content: AnswerContent; message: string | undefined };
type Outcome = {
  reply: AnswerReply;
  resolved?: Resolved | undefined;
  standing: 'won' | 'lost' | 'late' | 'again';
  started?: Started | undefined;
};
type Answering = { body: AnswerBody; arrivedAt: number | undefined };

/**
 * Answers an inquiry on a person's behalf. The first valid answer before the deadline wins (RES1); a
 * loser is told who won (RES2); the same `answerId` gets its first reply again; what does not fit is
 * refused with 422 and changes nothing (RES3); an answer to an expired or withdrawn inquiry, to one whose asker is gone for
 * good, or one sent with `late`, is kept and offered to the source (RES6). When it returns `won: true`, the answer
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
  await settled.started?.announce(settled.resolved?.versions ?? []);
  if (settled.standing === 'late') inquiries.wakeDeliveries();
  if (settled.standing !== 'again') count(inquiries, inquiryId, settled.standing, settled.reply);
  return settled.reply;
}

function count(
  inquiries: Closing,
  inquiryId: string,
  standing: 'won' | 'lost' | 'late',
  { resolution }: AnswerReply,
): void {
  if (standing !== 'won') return inquiries.count(standing);
  const seconds = (Date.parse(resolution.at) - madeAt(inquiryId)) / 1000;
  inquiries.count(resolution.outcome === 'declined' ? 'declined' : 'won', seconds);
}

async function settleOnce(
  inquiries: Inquiries,
  answerer: Answerer,
  inquiryId: string,
  answering: Answering,
): Promise<Outcome> {
  const { database } = inquiries;
  const { body } = answering;
  // What was asked never changes (ASK4), so the answer is checked before the transaction: a slow schema holds up nobody.
  const [[row], [first]] = await database.rows(
    askedOfPerson(inquiryId, answerer.personId),
    firstReply(inquiryId, answerer, body),
  );
  if (!row) return unknownInquiry();
  if (first) return again(first);
  const asked = parseAsked(row);
  const given = await checkedAnswer(row, asked, body);
  const started = await inquiries.settling.startedBy(answerer, row, given.content);
  const { open, sealed } = sealSecrets(asked, given.content, inquiries.sealingKey);
  const words = () =>
    given.outcome === 'declined'
      ? (given.message ?? '')
      : answerText(parseExactAsked(row), open, parseWording(row).language);
  const checked = { row, given, open, sealed, words, started, ...answering };
  try {
    for (;;) {
      const settled =
        (await database.steps(() => win(inquiries, answerer, checked))) ??
        (await database.steps(() => lose(inquiries, answerer, checked)));
      // Without either its deadline was moved at this very moment.
      if (!settled) continue;
      const { outcome } = settled.resolved?.resolution ?? {};
      if (outcome === 'expired' || outcome === 'withdrawn') inquiries.count(outcome);
      return settled;
    }
  } catch (error) {
    // One answerId twice at the same moment: the other call wrote its reply first.
    if (!isUniqueViolation(error)) throw error;
    return settleOnce(inquiries, answerer, inquiryId, answering);
  }
}

type Checked = Answering & {
  row: InquiryRow;
  given: Given;
  open: AnswerContent;
  sealed: string | null;
  words: () => string;
  started: Started | undefined;
};

function* win(inquiries: Closing, answerer: Answerer, checked: Checked): Steps<Outcome | undefined> {
  const { database, waiters } = inquiries;
  const { row, given, open, sealed, body, arrivedAt, started } = checked;
  const now = database.clock.now();
  const by = toBy(answerer);
  const outcome =
    given.outcome === 'answered'
      ? { outcome: given.outcome, answer: open, by }
      : { outcome: given.outcome, by, ...(given.message === undefined ? {} : { message: given.message }) };
  const waitedMs = Math.floor(Math.min(MOST_WAITED_MS, performance.now() - (arrivedAt ?? performance.now())));
  const awaited = waiters.count(row.id) > 0;
  // A winner without an id stands in the resolution; nothing would ever ask for this row.
  const also = (resolution: Resolution) => [
    ...(body.answerId === undefined
      ? []
      : [rememberWon(...answerRow(answerer, checked, { now, reply: { won: true, resolution }, standing: 'won' }))]),
    ...(started?.statements(now) ?? []),
  ];
  const won = yield* resolve(row, outcome, {
    hub: inquiries,
    now,
    // What still waits here keeps its question, however long this process stood still.
    due: awaited ? 'before deadline' : 'while asked',
    waitedMs,
    sealed,
    also,
    awaited,
  });
  const reply = { won: true, resolution: won?.resolution as Resolution };
  return won && { reply, resolved: won, standing: 'won', started };
}

/** Undefined where the inquiry is open after all. */
function* lose(inquiries: Closing, answerer: Answerer, checked: Checked): Steps<Outcome | undefined> {
  const { body } = checked;
  const now = inquiries.database.clock.now();
  const {
    rows: [row],
    first: [first],
  } = yield* batch({
    rows: askedOfPerson(checked.row.id, answerer.personId),
    first: firstReply(checked.row.id, answerer, body),
  });
  if (!row) return unknownInquiry();
  if (first) return again(first);
  const ended = row.resolution === null ? yield* endNow(inquiries, row) : undefined;
  const resolution = ended?.resolution ?? parseResolution(row);
  if (!resolution) return undefined;
  const standing =
    resolution.outcome === 'expired' || resolution.outcome === 'withdrawn' || body.late ? 'late' : 'lost';
  const reply = { won: false, resolution };
  yield* batch({ remembered: remember(...answerRow(answerer, checked, { now, reply, standing })) });
  const webhooks: Statement[] = [];
  if (standing === 'late') {
    const { late } = yield* batch({ late: answersBeside([row.id], 'late'), counted: countLate(row.id) });
    const current = ended ? yield* readIn(inquiryById(row.id)) : row;
    webhooks.push(
      ...(yield* notifySource(current, 'inquiry.late_answer', undefined, now, { late: late.map(toLateAnswer) })),
    );
  }
  if (!ended) {
    yield* commitWith({ webhooks });
    return { reply, standing };
  }
  const { raised } = yield* commitWith({ ...finish(ended), webhooks });
  return { reply, resolved: finished(ended, raised), standing };
}

/** What the sweep has yet to do: the deadline has passed, or whoever asked is gone for good. */
function* endNow(hub: Closing, row: InquiryRow): Steps<Resolved | undefined> {
  const expired = yield* resolve(row, asExpired(row), { hub, due: 'after deadline', goesOn: true });
  if (expired || hub.waiters.count(row.id) > 0) return expired;
  return yield* resolve(row, asAbandoned(row), { hub, due: 'lease over', goesOn: true });
}

function toBy({ handle, deviceId, deviceName, via }: Answerer): By {
  return { kind: 'person', handle, device: { id: deviceId, name: deviceName }, via };
}

type FirstReply = { reply: string };
const replyTo = statement<FirstReply>('select reply from answers where inquiry_id = ?1 and device_id = ?2 and id = ?3');

function firstReply(inquiryId: string, { deviceId }: Answerer, { answerId }: AnswerBody): Statement<FirstReply> {
  return replyTo(inquiryId, deviceId, answerId ?? null);
}

function again({ reply }: FirstReply): Outcome {
  return { reply: parseExact(reply) as AnswerReply, standing: 'again' };
}

const values = `cast(?1 as text), cast(?2 as text), cast(?3 as text), cast(?4 as bigint), cast(?5 as text),
  cast(?6 as text), cast(?7 as text), cast(?8 as text), cast(?9 as text)`;
const columns = 'inquiry_id, id, device_id, at, standing, answered_by, answer, words, reply';
const remember = statement(`insert into answers (${columns}) values (${values})`);
const rememberWon = statement(`insert into answers (${columns}) select ${values} where ${justResolved}`);
const countLate = statement('update inquiries set late_count = late_count + 1 where id = ?1');

function answerRow(
  answerer: Answerer,
  { row: { id }, body, open, words }: Checked,
  { now, reply, standing }: { now: number; reply: AnswerReply; standing: 'won' | 'lost' | 'late' },
): Value[] {
  const by = JSON.stringify(toBy(answerer));
  const { answerId = randomUUID() } = body;
  return [id, answerId, answerer.deviceId, now, standing, by, JSON.stringify(open), words(), JSON.stringify(reply)];
}

function readBody(asked: Asked, body: AnswerBody): Given {
  const { text, values, other, decisions, markdown, outcome = 'answered', message, response } = body;
  const content: AnswerContent = withoutUndefined({
    text,
    values,
    other,
    decisions: decisions?.map(exactDecision),
    markdown,
  });
  if (outcome === 'declined') return { outcome, content: {}, message };
  if (response === undefined) {
    const skipsAll = body.outcome === undefined && kindOf(asked) === 'questions' && Object.keys(content).length === 0;
    if (skipsAll) throw invalid([fault('', 'answer.missing', `holds no answer: ${SENDS}`)], 'answer.does_not_fit');
    return { outcome, content, message };
  }
  const expanded = expandResponse(asked, response);
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
