import type { Compose } from '../../deliveries/push/compose.ts';
import { readNotified } from '../../deliveries/push/compose.ts';
import { notificationOf } from './notification.ts';
import { deviceView, selectInquiries } from '../store.ts';

/** What a push of an inquiry says now: the question while it is open, who answered once it is resolved. */
export const composeInquiry: Compose = async (db, { subjectId, wanted, device, now }) => {
  const row = await selectInquiries(db).where('inquiries.id', '=', subjectId).executeTakeFirst();
  if (row === undefined || (row.resolution === null) !== (wanted === 'ask')) return undefined;
  if (wanted === 'ask' && row.deadline_at <= now) return undefined;
  const person = await readNotified(db, device.personId);
  // No notification says how far the telling came.
  const reach = { told: 0, accepted: 0, shown: 0, opened: 0 };
  return person && notificationOf(deviceView(row, { reach }), person);
};
