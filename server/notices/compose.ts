import { Locale, Privacy } from '#shared/wire.ts';
import type { Compose } from '../deliveries/push/compose.ts';
import { noticeNotification } from './notification.ts';
import { noticeOf, selectNotices } from './notice.ts';

/** What a push of a notice says: the notice while it is unread, that it was read after. */
export const composeNotice: Compose = async (reader, { subjectId, wanted, device }) => {
  const row = await selectNotices(reader)
    .innerJoin('notice_recipients', 'notice_recipients.notice_id', 'notices.id')
    .innerJoin('people', 'people.id', 'notice_recipients.person_id')
    .select((eb) => [
      'notice_recipients.read_at',
      'people.locale',
      'people.privacy',
      eb
        .selectFrom('recipients')
        .select(({ fn }) => fn.countAll().as('count'))
        .whereRef('person_id', '=', 'people.id')
        .where('open', '=', 1)
        .as('badge'),
    ])
    .where('notices.id', '=', subjectId)
    .where('people.id', '=', device.personId)
    .executeTakeFirst();
  if (row === undefined || (row.read_at === null) !== (wanted === 'ask')) return undefined;
  return noticeNotification(noticeOf(row), {
    locale: Locale.safeParse(row.locale).data ?? 'en',
    privacy: Privacy.safeParse(row.privacy).data ?? 'nothing',
    badge: Number(row.badge),
  });
};
