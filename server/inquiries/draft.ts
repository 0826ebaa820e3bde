import type { AnswerContent } from '#shared/answer.ts';
import type { Draft } from '#shared/live.ts';
import { AppError } from '#shared/problem.ts';
import { iso } from '../platform/clock.ts';
import { batch, keys, readRows, statement, within } from '../platform/steps.ts';
import { readStored } from '../platform/stored.ts';
import type { Answerer } from './answerer.ts';
import type { Closing } from './inquiries.ts';
import { moveDeadline } from './extend.ts';
import { secretIds } from './seal.ts';
import { readState } from './state.ts';
import { lockInquiry, parseAsked, askedOfPerson, readIn, type Reader } from './store.ts';
import { readRecipients } from './versions.ts';

const DRAFT_LIMIT = 65_536;
/** Typing moves the deadline so far, again whenever less than half of it is left. */
const TYPING_MS = 60_000;

/**
 * Keeps what a person has typed so far, the last writer's words, and holds the deadline while they
 * type (never past `latestAt`). Returns everybody who was asked, so that they can be told; nobody for
 * an inquiry that is resolved or has secret questions, whose drafts are kept nowhere.
 */
export async function saveDraft(
  inquiries: Closing,
  answerer: Answerer,
  inquiryId: string,
  content: AnswerContent,
): Promise<{ personIds: string[]; at: number }> {
  const { database, announce } = inquiries;
  const answer = JSON.stringify(content);
  if (Buffer.byteLength(answer) > DRAFT_LIMIT)
    throw new AppError(413, 'draft.too_large', 'A draft may have at most 64 KiB.');
  const { resolution } = await readState(database, inquiryId, answerer);
  const at = database.clock.now();
  if (resolution !== null) return { personIds: [], at };
  const { personIds, extended } = await database.transaction(async (trx) => {
    await within(trx, batch({ locked: lockInquiry(inquiryId) }));
    const row = await within(trx, readIn(askedOfPerson(inquiryId, answerer.personId)));
    if (row.resolution !== null || secretIds(parseAsked(row)).length > 0) return { personIds: [], extended: undefined };
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
    return { personIds: await within(trx, readRecipients(inquiryId)), extended };
  });
  if (extended) announce.inquiry({ inquiry: extended.view, versions: extended.versions });
  return { personIds, at };
}

type DraftRow = { inquiry_id: string; person_id: string; answer: string; at: number } & {
  device_id: string;
  device_name: string;
  handle: string;
};
const drafts = statement<DraftRow>(
  `select inquiry_id, drafts.person_id, answer, at, devices.id as device_id, devices.name as device_name, handle
  from drafts join devices on devices.id = drafts.device_id join people on people.id = drafts.person_id
  where inquiry_id in {keys ?1}`,
);

/** What is typed for these inquiries, by their ids. */
export async function readDrafts(read: Reader, inquiryIds: string[]): Promise<Map<string, DraftRow[]>> {
  if (inquiryIds.length === 0) return new Map();
  return Map.groupBy(await readRows(read, drafts(keys(inquiryIds))), (row) => row.inquiry_id);
}

/** A draft as this person's devices are told of it. */
export function toDraft(row: DraftRow, personId: string): Draft {
  return {
    inquiryId: row.inquiry_id,
    device: { id: row.device_id, name: row.device_name },
    handle: row.handle,
    at: iso(row.at),
    // The words only to the same person's devices.
    ...(row.person_id === personId ? { answer: readStored<AnswerContent>(row.answer) } : {}),
  };
}
