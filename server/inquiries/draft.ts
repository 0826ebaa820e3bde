import type { AnswerContent } from '#shared/answer.ts';
import { AppError } from '#shared/problem.ts';
import { within } from '../platform/steps.ts';
import type { Answerer, Inquiries } from './inquiries.ts';
import { moveDeadline } from './extend.ts';
import { secretIds } from './asks/seal.ts';
import { askedOf, askedOfPerson, readIn } from './store.ts';
import { recipientsOf } from './versions.ts';

const DRAFT_LIMIT = 65_536;
/** Typing moves the deadline so far, again whenever less than half of it is left. */
const TYPING_MS = 60_000;

/**
 * Keeps what a person has typed so far, the last writer's words, and holds the deadline while they
 * type (never past `latestAt`). Returns everybody who was asked, so that they can be told; nobody for
 * an inquiry that is resolved or has secret questions, whose drafts are kept nowhere.
 */
export async function saveDraft(
  inquiries: Inquiries,
  answerer: Answerer,
  inquiryId: string,
  content: AnswerContent,
): Promise<{ personIds: string[]; at: number }> {
  const { database, announce } = inquiries;
  const answer = JSON.stringify(content);
  if (Buffer.byteLength(answer) > DRAFT_LIMIT)
    throw new AppError(413, 'draft.too_large', 'A draft may have at most 64 KiB.');
  const at = database.clock.now();
  const { personIds, extended } = await database.transaction(async (trx) => {
    const row = await within(trx, readIn(askedOfPerson(inquiryId, answerer.personId)));
    if (row.resolution !== null || secretIds(askedOf(row)).length > 0) return { personIds: [], extended: undefined };
    const draft = { inquiry_id: inquiryId, person_id: answerer.personId, device_id: answerer.deviceId, answer, at };
    await trx
      .insertInto('drafts')
      .values(draft)
      .onConflict((conflict) =>
        conflict.columns(['inquiry_id', 'person_id']).doUpdateSet({ device_id: draft.device_id, answer, at }),
      )
      .execute();
    const extended =
      row.deadline_at - at < TYPING_MS / 2 ? await moveDeadline(trx, row, at + TYPING_MS, database.clock) : undefined;
    return { personIds: await within(trx, recipientsOf(inquiryId)), extended };
  });
  if (extended) announce.inquiry({ inquiry: extended.view, versions: extended.versions });
  return { personIds, at };
}
