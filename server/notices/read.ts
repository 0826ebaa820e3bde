import type { Kysely } from 'kysely';
import type { Notice } from '#shared/wire.ts';
import { AppError } from '#shared/problem.ts';
import { wantWithdrawn } from '../deliveries/push/want.ts';
import { readPage, type Page } from '../platform/http/params.ts';
import type { Schema } from '../platform/schema.ts';
import { batch, within } from '../platform/steps.ts';
import { viewNotice, selectNotices } from './store.ts';
import type { Notices } from './send.ts';

type Listing = { personId: string; unread: boolean; cursor?: string | undefined; limit: number };

/** One page of a person's notices, newest first; `unread` leaves out the others. */
export async function listNotices(
  reader: Kysely<Schema>,
  { personId, unread, cursor, limit }: Listing,
): Promise<Page<Notice>> {
  const rows = selectNotices(reader)
    .innerJoin('notice_recipients', 'notice_recipients.notice_id', 'notices.id')
    .select('notice_recipients.read_at')
    .where('notice_recipients.person_id', '=', personId)
    .$if(unread, (query) => query.where('notice_recipients.read_at', 'is', null))
    .$if(cursor !== undefined, (query) => query.where('notice_recipients.notice_id', '<', cursor!))
    .orderBy('notice_recipients.notice_id', 'desc');
  return readPage(rows, limit, (shown) => shown.map(viewNotice));
}

/** Marks a notice read for a person; the first time clears it on all of their devices. 404 when it is not theirs. */
export async function readNotice(
  { database, announce, wakePushes }: Notices,
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
    await within(trx, batch({ withdrawn: wantWithdrawn({ subjectId: noticeId, now, personId }) }));
    return true;
  });
  if (!first) return;
  // Read on one device, it is cleared on all.
  announce.toPerson(personId, 'notice_read', { noticeId });
  wakePushes();
}
