import type { Notice } from '#shared/wire.ts';
import type { PushMessage } from '#shared/push.ts';
import { visible } from '#shared/visible.ts';
import { cut, readNotified, stricter, type Compose, type Notified } from '../deliveries/push/compose.ts';
import { viewNotice, selectNotices } from './store.ts';

const LONGEST_BODY = 600;

const WORDS = {
  en: {
    says: (source: string) => `${source} has news`,
    news: 'There is news',
    unlock: 'Unlock to read it.',
    read: 'Read',
  },
  zh: { says: (source: string) => `${source} 有消息`, news: '有新消息', unlock: '解锁后查看。', read: '已读' },
};

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
  return person && noticeNotification(viewNotice(row), person);
};

/** What a notification of a notice says to one person, and no more than both sides allow (PRV1); once read, only that. */
function noticeNotification(notice: Notice, { locale: lang, privacy: wanted, badge }: Notified): PushMessage {
  const words = WORDS[lang];
  const { id, urgency, link } = notice;
  const privacy = stricter(notice.privacy, wanted);
  const source = visible(notice.source.name);
  if (notice.readAt !== undefined) {
    const title = privacy === 'full' || privacy === 'title' ? `${words.read}: ${visible(notice.title)}` : words.read;
    return { t: 'withdraw', id, title, body: '', lang, badge };
  }
  const faces = {
    full: {
      title: visible(notice.title),
      body: cut([source, visible(notice.body ?? '')].join('\n').trim(), LONGEST_BODY),
    },
    title: { title: visible(notice.title), body: source },
    source: { title: words.says(source), body: words.unlock },
    nothing: { title: words.news, body: words.unlock },
  };
  return { t: 'notice', id, ...faces[privacy], lang, ...(link === undefined ? {} : { link }), urgency, badge };
}
