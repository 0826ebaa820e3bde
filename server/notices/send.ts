import { newId } from '#shared/ids.ts';
import { canonical } from '#shared/json.ts';
import type { Notice } from '#shared/wire.ts';
import { AppError } from '#shared/problem.ts';
import { wantShown } from '../deliveries/push/want.ts';
import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { together, within } from '../platform/steps.ts';
import { recipientsFor } from '../sources/recipients.ts';
import { noticeOf, selectNotices, type NewNotice } from './store.ts';

/** News older than this is not pushed to a device that comes back. */
export const PUSH_LIFE_MS = 7 * DAY_MS;

/** Tells the devices of people what was committed. Hints only: a device that misses one reads the list again. */
export type NoticeAnnounce = {
  notice(personIds: string[], notice: Notice): void;
  /** The person read it on one device; it is cleared on all. */
  noticeRead(personId: string, noticeId: string): void;
};

/** What notices need from the rest of the hub. */
export type Notices = {
  database: Database;
  announce: NoticeAnnounce;
  /** Looks for due pushes now; called after the commit. */
  wakePushes: () => void;
};

/**
 * Keeps a notice for the people it is for and tells their devices. The same key from the same source returns
 * the first notice and tells nobody again; with another notice it is refused: 409 `notice.key_reused`.
 */
export async function sendNotice(
  { database, announce, wakePushes }: Notices,
  sourceId: string,
  given: NewNotice,
): Promise<{ notice: Notice; isNew: boolean }> {
  const now = database.clock.now();
  const { notice, people } = await database.transaction(async (trx) => {
    const { title, key = null, ...content } = given;
    const row = {
      id: newId('ntc', now),
      source_id: sourceId,
      key,
      title,
      content: canonical(content),
      created_at: now,
    };
    const people = (await within(trx, recipientsFor(sourceId, given.to))).personIds;
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('notices')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    const standing = await selectNotices(trx)
      .where(inserted ? 'notices.id' : 'key', '=', inserted ? row.id : key)
      .where('source_id', '=', sourceId)
      .executeTakeFirstOrThrow();
    if (!inserted) {
      if (standing.title !== title || standing.content !== row.content)
        throw new AppError(
          409,
          'notice.key_reused',
          'This key was used for another notice; choose a new key for a new notice.',
        );
      return { notice: noticeOf(standing), people: undefined };
    }
    await trx
      .insertInto('notice_recipients')
      .values(people.map((personId) => ({ person_id: personId, notice_id: row.id })))
      .execute();
    const subject = { subjectId: row.id, personIds: people, giveUpAt: now + PUSH_LIFE_MS, now };
    await within(trx, together(wantShown(subject)));
    return { notice: noticeOf(standing), people };
  });
  if (people) {
    announce.notice(people, notice);
    wakePushes();
  }
  return { notice, isNew: people !== undefined };
}
