import type { Compose } from '../deliveries/push/compose.ts';
import { readNotified } from '../deliveries/push/lock-screen.ts';
import { noticeOf, selectNotices } from './notice.ts';
import { noticeNotification } from './notification.ts';

/** What a push of a notice says now: the notice while it is unread, then that it was read. */
export const composeNotice: Compose = async (db, { subjectId, wanted, device }) => {
  const row = await selectNotices(db)
    .innerJoin('notice_recipients', 'notice_recipients.notice_id', 'notices.id')
    .select('notice_recipients.read_at')
    .where('notices.id', '=', subjectId)
    .where('notice_recipients.person_id', '=', device.personId)
    .executeTakeFirst();
  if (row === undefined || (row.read_at === null) !== (wanted === 'ask')) return undefined;
  const person = await readNotified(db, device.personId);
  return person && noticeNotification(noticeOf(row), person);
};
