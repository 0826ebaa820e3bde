import { hash } from 'node:crypto';
import type { AnswerBody, AnswerContent, Decision } from '#shared/answer.ts';
import { answerFaults, expandResponse, kindOf } from '#shared/fit.ts';
import { fault, invalid } from '#shared/faults.ts';
import type { Asked } from '#shared/inquiry.ts';
import { canonical, parseExact, withoutUndefined } from '#shared/json.ts';
import { AppError, type Fault } from '#shared/problem.ts';
import { withSchemaFaults } from '../platform/json-schema/check.ts';
import { damagedInquiry, readStoredExact } from '../platform/stored.ts';
import { SENDS } from './check.ts';
import type { InquiryRow } from './store.ts';

/** What an answer says, whichever way it was sent. */
export type Given = { outcome: 'answered' | 'declined'; content: AnswerContent; message: string | undefined };

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
export async function checkedAnswer(row: InquiryRow, asked: Asked, body: AnswerBody): Promise<Given> {
  const given = readBody(asked, body);
  const partial = body.late === true && row.resolution !== null;
  const faults =
    digestFaults(row, given, body) ??
    (await withSchemaFaults(row.source_id, (schemaFaults) =>
      answerFaults(asked, given.content, { partial, schemaFaults }),
    ));
  if (faults.length > 0) throw invalid(faults, 'answer.does_not_fit');
  if (given.content.decisions && !isAsAsked(row)) throw damagedInquiry();
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

/** Whether what was asked is what its digest was made of. */
export function isAsAsked({ asked, digest }: Pick<InquiryRow, 'asked' | 'digest'>): boolean {
  return hash('sha256', canonical(readStoredExact(asked))) === digest;
}
