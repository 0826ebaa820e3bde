import { randomUUID } from 'node:crypto';
import type { AnswerBody, AnswerContent, AnswerReply, ByPerson, Resolution } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import { madeAt } from '#shared/ids.ts';
import { parseExact } from '#shared/json.ts';
import { AppError } from '#shared/problem.ts';
import { answerText } from '#shared/text.ts';
import { isUniqueViolation } from '../platform/database.ts';
import { inSpan } from '../platform/trace.ts';
import { batch, commitWith, statement, type Statement, type Steps, type Value } from '../platform/steps.ts';
import { readInTurn } from '../platform/turns.ts';
import { spend, type Verified } from '../people/passkeys/verify.ts';
import type { Answerer } from './answerer.ts';
import { proveAnswer } from './assured.ts';
import { checkedAnswer, type Given } from './given.ts';
import { countHand, isHand, viewNow, type Held } from './hands.ts';
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

type Outcome =
  | {
      reply: AnswerReply;
      resolved?: Resolved | undefined;
      standing: 'won' | 'lost' | 'late' | 'again';
      started?: Started | undefined;
    }
  | (Held & { standing: 'held' });
type Answering = { body: AnswerBody; arrivedAt: number | undefined };

/**
 * Answers an inquiry on a person's behalf. The first valid answer before the deadline wins (RES1); a
 * loser is told who won (RES2); the same `answerId` gets its first reply again; what does not fit is
 * refused with 422 and changes nothing (RES3); an answer to an expired or withdrawn inquiry, to one whose asker is gone for
 * good, or one sent with `late`, is kept and offered to the source (RES6). A yes of which several are wanted is counted, and
 * the last one wins (APR4). When it returns `won: true`, the answer
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
): Promise<AnswerReply | HandReply> {
  const underWay = { inquiryId };
  inquiries.answering.add(underWay);
  const settled = await settleOnce(inquiries, answerer, inquiryId, { body, arrivedAt }).finally(() =>
    inquiries.answering.delete(underWay),
  );
  if (settled.standing === 'held') {
    const { reply, versions } = settled;
    if (versions) inquiries.announce.inquiry({ inquiry: reply.inquiry, versions });
    return reply;
  }
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
  isAgain = false,
): Promise<Outcome> {
  const { database } = inquiries;
  const { body } = answering;
  const look = () => database.rows(askedOfPerson(inquiryId, answerer.personId), firstReply(inquiryId, answerer, body));
  // What was asked never changes (ASK4), so the answer is checked before the transaction: a slow schema holds up nobody.
  const [[row], [first]] = await readInTurn(look);
  if (!row) return unknownInquiry();
  if (first) return database.steps(() => again(first, row));
  const asked = parseAsked(row);
  const given = await checkedAnswer(row, asked, body);
  try {
    const proof = await proveAnswer(inquiries, answerer, { row, given, body });
    const started = await inquiries.settling.startedBy(answerer, row, given.content);
    const { open, sealed } = sealSecrets(asked, given.content, inquiries.sealingKey);
    const words = () =>
      given.outcome === 'declined'
        ? (given.message ?? '')
        : answerText(parseExactAsked(row), open, parseWording(row).language);
    const span = { name: 'answer', about: { 'beckon.inquiry': inquiryId, 'beckon.via': answerer.via } };
    const checked = { row, given, open, sealed, words, started, proof, ...answering };
    // What was proved is used up in the first transaction, and counts in those that follow it.
    for (let tried = 0; tried < MOST_TRIES; tried++) {
      const spent = tried > 0;
      const isOver = row.resolution !== null;
      const settled =
        (isOver
          ? undefined
          : await inSpan(span, () => database.steps(() => win(inquiries, answerer, checked, spent)), row)) ??
        (await database.steps(() => lose(inquiries, answerer, checked, spent || !isOver)));
      // Without either its deadline was moved at this very moment.
      if (!settled) continue;
      const { outcome } = ('resolved' in settled && settled.resolved?.resolution) || {};
      if (outcome === 'expired' || outcome === 'withdrawn') inquiries.count(outcome);
      return settled;
    }
  } catch (error) {
    const usedUp = error instanceof AppError && error.code === 'passkey.refused';
    if (body.answerId === undefined || (!isUniqueViolation(error) && !usedUp)) throw error;
    // One answerId twice at the same moment: the other call wrote its reply, or used up the proof of an answer that lost.
    const [[now], [reply]] = await readInTurn(look);
    if (now && reply) return database.steps(() => again(reply, now));
    if (isAgain || row.resolution !== null || !now?.resolution) throw error;
    return settleOnce(inquiries, answerer, inquiryId, answering, true);
  }
  throw new AppError(503, 'database.busy', 'Its deadline was moved again and again meanwhile; send the answer again.');
}

const MOST_TRIES = 10;

type Checked = Answering & {
  row: InquiryRow;
  given: Given;
  open: AnswerContent;
  sealed: string | null;
  words: () => string;
  started: Started | undefined;
  proof: Verified | undefined;
};

function* win(inquiries: Closing, answerer: Answerer, checked: Checked, spent: boolean): Steps<Outcome | undefined> {
  const { database, waiters } = inquiries;
  const { given, open, sealed, body, arrivedAt, started } = checked;
  const now = database.clock.now();
  if (checked.proof && !spent) yield* spend(checked.proof, now);
  const by = toBy(answerer, checked);
  const outcome =
    given.outcome === 'answered'
      ? { outcome: given.outcome, answer: open, by }
      : { outcome: given.outcome, by, ...(given.message === undefined ? {} : { message: given.message }) };
  const waitedMs = Math.floor(Math.min(MOST_WAITED_MS, performance.now() - (arrivedAt ?? performance.now())));
  const awaited = waiters.count(checked.row.id) > 0;
  const counted = isHand(checked.row, given)
    ? yield* countHand(
        inquiries,
        answerer,
        { ...checked, by },
        { now, waitedMs, awaited, also: held(answerer, checked, now) },
      )
    : { row: checked.row, approved: undefined };
  if (!counted) return undefined;
  if ('reply' in counted) return { ...counted, standing: 'held' };
  const { row, approved } = counted;
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
    approved,
    also,
    awaited,
  });
  const reply = { won: true, resolution: won?.resolution as Resolution };
  return won && { reply, resolved: won, standing: 'won', started };
}

/** Undefined where the inquiry is open after all. */
function* lose(inquiries: Closing, answerer: Answerer, checked: Checked, spent: boolean): Steps<Outcome | undefined> {
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
  if (first) return yield* again(first, row);
  if (checked.proof && !spent) yield* spend(checked.proof, now);
  const ended = row.resolution === null ? yield* endNow(inquiries, row) : undefined;
  const resolution = ended?.resolution ?? parseResolution(row);
  if (!resolution) return undefined;
  const isLate = resolution.outcome === 'expired' || resolution.outcome === 'withdrawn' || body.late;
  // Where several have to approve, a late yes of one is offered to nobody.
  const standing = isLate && !isHand(row, checked.given) ? 'late' : 'lost';
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

function toBy({ handle, deviceId, deviceName, via }: Answerer, { proof }: Pick<Checked, 'proof'>): ByPerson {
  const amr = proof && { amr: proof.amr };
  return { kind: 'person', handle, device: { id: deviceId, name: deviceName }, via, ...amr };
}

type FirstReply = { reply: string };
const replyTo = statement<FirstReply>('select reply from answers where inquiry_id = ?1 and device_id = ?2 and id = ?3');

function firstReply(inquiryId: string, { deviceId }: Answerer, { answerId }: AnswerBody): Statement<FirstReply> {
  return replyTo(inquiryId, deviceId, answerId ?? null);
}

/** What was counted beside others is told how it stands by now. */
function* again({ reply }: FirstReply, row: InquiryRow): Steps<Outcome> {
  if (reply !== HELD) return { reply: parseExact(reply) as AnswerReply, standing: 'again' };
  return { reply: { won: false, inquiry: yield* viewNow(row) }, standing: 'held' };
}

const HELD = '{"won":false}';

/** Remembers a yes that is counted by its id, so that it counts once, and not again after it was taken back. */
function held(answerer: Answerer, checked: Checked, now: number): Statement[] {
  if (checked.body.answerId === undefined) return [];
  return [remember(...answerRow(answerer, checked, { now, reply: HELD, standing: 'held' }))];
}

const values = `cast(?1 as text), cast(?2 as text), cast(?3 as text), cast(?4 as bigint), cast(?5 as text),
  cast(?6 as text), cast(?7 as text), cast(?8 as text), cast(?9 as text)`;
const columns = 'inquiry_id, id, device_id, at, standing, answered_by, answer, words, reply';
const remember = statement(`insert into answers (${columns}) values (${values})`);
const rememberWon = statement(`insert into answers (${columns}) select ${values} where ${justResolved}`);
const countLate = statement('update inquiries set late_count = late_count + 1 where id = ?1');

function answerRow(
  answerer: Answerer,
  checked: Checked,
  {
    now,
    reply,
    standing,
  }: { now: number; reply: AnswerReply | typeof HELD; standing: 'won' | 'lost' | 'late' | 'held' },
): Value[] {
  const { row, body, open, words } = checked;
  const by = JSON.stringify(toBy(answerer, checked));
  const { answerId = randomUUID() } = body;
  const told = reply === HELD ? reply : JSON.stringify(reply);
  return [row.id, answerId, answerer.deviceId, now, standing, by, JSON.stringify(open), words(), told];
}
