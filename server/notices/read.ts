import type { Kysely } from 'kysely';
import type { Notice } from '#shared/wire.ts';
import { AppError } from '#shared/problem.ts';
import { wantWithdrawn } from '../deliveries/push/want.ts';
import type { Schema } from '../platform/schema.ts';
import { noticeOf, selectNotices } from './notice.ts';
import type { Sending } from './send.ts';

/** One page of a person's notices, newest first; `unread` leaves out the others; `nextCursor` absent: the last page. */
export async function listNotices(
  reader: Kysely<Schema>,
  {
    personId,
    unread,
    cursor,
    limit,
  }: { personId: string; unread: boolean; cursor?: string | undefined; limit: number },
): Promise<{ items: Notice[]; nextCursor?: string }> {
  const rows = await selectNotices(reader)
    .innerJoin('notice_recipients', 'notice_recipients.notice_id', 'notices.id')
    .select('notice_recipients.read_at')
    .where('notice_recipients.person_id', '=', personId)
    .$if(unread, (query) => query.where('notice_recipients.read_at', 'is', null))
    .$if(cursor !== undefined, (query) => query.where('notices.id', '<', cursor!))
    .orderBy('notices.id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(noticeOf);
  const last = items.at(-1);
  return { items, ...(rows.length > limit && last ? { nextCursor: last.id } : {}) };
}

/** Marks a notice read for a person; the first time clears it on all of their devices. 404 when it is not theirs. */
export async function readNotice(
  { database, announce, wakePushes }: Sending,
  personId: string,
  noticeId: string,
): Promise<void> {
  const first = await database.transaction(async (trx) => {
    const now = database.clock.now();
    const own = await trx
      .selectFrom('notice_recipients')
      .select('read_at')
      .where('person_id', '=', personId)
      .where('notice_id', '=', noticeId)
      .executeTakeFirst();
    if (own === undefined) throw new AppError(404, 'notice.unknown', 'There is no such notice for you.');
    const { numUpdatedRows } = await trx
      .updateTable('notice_recipients')
      .set({ read_at: now })
      .where('person_id', '=', personId)
      .where('notice_id', '=', noticeId)
      .where('read_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await wantWithdrawn(trx, { subjectId: noticeId, now, personId });
    return true;
  });
  if (!first) return;
  announce.noticeRead(personId, noticeId);
  wakePushes();
}
