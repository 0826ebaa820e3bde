import type { AnswerContent } from '#shared/answer.ts';
import { undecidable, type Run } from '#shared/policies/decider.ts';
import { AppError } from '#shared/problem.ts';
import { answerText } from '#shared/text.ts';
import type { DeciderQuestion } from '../../policies/deciders/question.ts';
import type { CalledDecider } from '../../policies/deciders/run.ts';
import { findDecider } from '../../policies/deciders/store.ts';
import type { Inquiries } from '../inquiries.ts';
import { askedOf, wordingOf, type InquiryRow } from '../store.ts';
import { mayDecide } from './change.ts';
import { questionOf } from './question.ts';
import { keepRun, runsOf } from './runs.ts';

/** What the decider of a source says to the source itself: it resolves nothing. */
export type Said = { name: string; answer?: AnswerContent | undefined; text: string };

/**
 * What the decider of this source says about an inquiry of its own that nobody answered; what it said once it is not
 * asked again. Undefined where somebody or something decided: that stands. Throws 409 where the
 * owner does not let the source ask, or no decider may decide it.
 */
export async function sayToAgent(
  inquiries: Inquiries,
  inquiry: InquiryRow,
  ask: (called: CalledDecider, question: DeciderQuestion) => Promise<Run>,
): Promise<Said | undefined> {
  const { database } = inquiries;
  if (inquiry.outcome !== null && inquiry.outcome !== 'expired') return undefined;
  const { own, source } = await mayDecide(database.read, undefined, inquiry);
  if (!source?.agentMayAsk)
    throw new AppError(
      409,
      'source.may_not_decide',
      'The owner of the hub does not let this source ask a decider itself.',
    );
  const called = own && (await findDecider(inquiries, own.id));
  if (!called)
    throw new AppError(
      409,
      'inquiry.undecidable',
      `No decider decides this (${undecidable(askedOf(inquiry), source) ?? 'it is gone'}): go on without it, or stop and say what is missing.`,
    );
  const text = (answer: AnswerContent) => answerText(askedOf(inquiry), answer, wordingOf(inquiry).language);
  const before = (await runsOf(database.read, inquiry.id)).find(({ why, answer }) => why === 'agent' && answer);
  if (before?.answer) return { name: before.decider.name, answer: before.answer, text: text(before.answer) };
  const at = database.clock.now();
  const ran = await ask(called, await questionOf(database.read, inquiry));
  await database.transaction((trx) => keepRun(trx, { inquiryId: inquiry.id, decider: called, why: 'agent', at }, ran));
  return { name: called.name, answer: ran.answer, text: ran.answer ? text(ran.answer) : (ran.problem ?? '') };
}
