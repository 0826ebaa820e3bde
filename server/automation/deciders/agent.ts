import type { AnswerContent } from '#shared/answer.ts';
import { undecidable, type Run } from '#shared/policies/decider.ts';
import { AppError } from '#shared/problem.ts';
import { answerText } from '#shared/text.ts';
import type { CalledDecider, DeciderQuestion } from './model/call.ts';
import { leavesIt } from './model/run.ts';
import { findDecider, type DeciderParts } from './config/store.ts';
import {
  parseAsked,
  parseWhole,
  inquiryById,
  parseExactAsked,
  parseWording,
  type InquiryRow,
} from '../../inquiries/store.ts';
import { mayDecide } from './change.ts';
import { toQuestion } from './question.ts';
import { deciderSpan, keepRun, readRuns } from './runs.ts';
import { currentTrace, inSpan } from '../../platform/trace.ts';

/** What the decider of a source says to the source itself: it resolves nothing. */
export type Statement = { name: string; answer?: AnswerContent | undefined; text: string };

/** What an agent says with its request for a decision, beside the inquiry. */
export type Aside = { background?: string | undefined; goal?: string | undefined };

/** So often deciders are asked about one inquiry for its source. */
const RUNS_MAX = 3;

/**
 * What the decider of this source says about an inquiry of its own that nobody answered, or, where the owner allows it, a
 * question that a person declined; what it said once it is not asked again, until the owner changes it. Undefined where
 * somebody or something decided, before or meanwhile: that stands. Throws 409 where the owner does not let the source ask, no decider may decide it, or people still decide about
 * a tool call.
 */
export async function sayToAgent(
  inquiries: DeciderParts,
  inquiry: InquiryRow,
  aside: Aside,
  ask: (called: CalledDecider, question: DeciderQuestion) => Promise<Run>,
): Promise<Statement | undefined> {
  const { database } = inquiries;
  const called = await findSpeaker(inquiries, inquiry);
  if (!called) return undefined;
  const said = ({ answer, problem = '' }: Run): Statement => {
    if (!answer) return { name: called.name, text: problem };
    return {
      name: called.name,
      answer,
      text: answerText(parseExactAsked(inquiry), answer, parseWording(inquiry).language),
    };
  };
  const runs = (await readRuns(database.read, inquiry.id)).filter(({ why }) => why === 'agent');
  const before = runs.find(
    ({ decider, at, answer, problem }) =>
      decider.id === called.id && at > called.changedAt && (answer || leavesIt(decider.name, problem)),
  );
  if (before) return said(before);
  if (runs.length >= RUNS_MAX)
    throw new AppError(
      409,
      'inquiry.asked_often',
      `A decider was asked about this ${RUNS_MAX} times already: go on without it, or stop and say what is missing.`,
    );
  const at = database.clock.now();
  const question = { ...(await toQuestion(database.read, inquiry)), ...aside };
  const trace = currentTrace() ?? inquiry.trace;
  const ran = await inSpan(deciderSpan(called, inquiry), () => ask(called, question), { trace });
  await database.transaction((trx) => keepRun(trx, { inquiryId: inquiry.id, decider: called, why: 'agent', at }, ran));
  // Whoever resolved it, or took the leave back, while the decider thought counts.
  const [[now]] = await database.rows(inquiryById(inquiry.id));
  const still = now && (await findSpeaker(inquiries, now));
  if (!still) return undefined;
  if (still.id !== called.id || still.changedAt !== called.changedAt) throw undecided('it was changed meanwhile');
  return said(ran);
}

/** The decider that may say something about it at this moment; undefined where somebody or something decided. */
async function findSpeaker(inquiries: DeciderParts, inquiry: InquiryRow): Promise<CalledDecider | undefined> {
  const { outcome } = inquiry;
  if (outcome !== null && outcome !== 'expired' && outcome !== 'declined') return undefined;
  const { own, source } = await mayDecide(inquiries.database.read, undefined, inquiry);
  if (outcome === 'declined' && (!source?.afterDecline || parseAsked(inquiry).actions)) return undefined;
  if (!source?.agentMayAsk)
    throw new AppError(
      409,
      'source.may_not_decide',
      'The owner of the hub does not let this source ask a decider itself.',
    );
  const called = own && (await findDecider(inquiries, own.id));
  if (!called) throw undecided(undecidable(parseWhole(inquiry), source) ?? 'it is turned off or gone');
  if (parseAsked(inquiry).actions && inquiry.outcome === null)
    throw new AppError(
      409,
      'inquiry.open',
      'People still decide about this call: wait for them, and ask again once its deadline has passed.',
    );
  return called;
}

function undecided(why: string): AppError {
  return new AppError(
    409,
    'inquiry.undecidable',
    `No decider decides this (${why}): go on without it, or stop and say what is missing.`,
  );
}
