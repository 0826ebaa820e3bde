import { admitted } from '../live/enrolments.ts';
import { type InquiryEntry, isTakenWithWords } from '../live/entry.ts';
import { openInquiryId, unseen, waiting, yoloShown } from '../live/inquiries.ts';
import { notices } from '../live/notices.ts';
import { connection, entries, lostAt, sendNow } from '../live/store.ts';
import { Banner } from '../ui/shell/Banner.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { clockTime } from '../ui/times.ts';
import { lazy, optional } from './lazy.tsx';
import { Room } from './banners/Room.tsx';
import { words } from './words.ts';

// Nobody waits for these, so the page opens without them; without a line they are left out.
const OptionalBanners = lazy(
  () =>
    import('./banners/OptionalBanners.tsx').then(
      ({ OptionalBanners: ready }) => ready,
      () => () => null,
    ),
  () => <Room saved />,
);

const fetchNews = () => import('./banners/News.tsx');
const Decided = lazy(() => fetchNews().then(({ Decided: ready }) => ready), optional);
const LatestNotice = lazy(() => fetchNews().then(({ LatestNotice: ready }) => ready), optional);
const Admitted = lazy(() => fetchNews().then(({ Admitted: ready }) => ready), optional);
const YoloBand = lazy(() => import('../yolo/YoloBand.tsx').then(({ YoloBand: ready }) => ready), optional);

/**
 * What stands across every page, one at a time: the line that is lost, what became of answers, a device that signed
 * in, YOLO, a notice, and only then what can wait.
 */
export function Banners() {
  return (
    <div class="banners">
      <First />
    </div>
  );
}

function First() {
  if (connection.value === 'offline') return <LineLost />;
  const news = entries.value.find(isNews);
  if (news) return <Decided key={news.inquiry.id} entry={news} />;
  const [admission] = admitted.value;
  if (admission) return <Admitted key={admission.device.id} {...admission} />;
  if (yoloShown()) return <YoloBand />;
  return notices.value.length > 0 ? <LatestNotice /> : <OptionalBanners />;
}

/** True while YOLO has the banner's place; elsewhere it stands as words in the masthead. */
export function bandHasPlace(): boolean {
  return connection.value !== 'offline' && admitted.value.length === 0 && !entries.value.some(isNews);
}

function LineLost() {
  const t = say(words);
  if (connection.value !== 'offline') return null;
  const count = waiting.value.queue.length;
  return (
    <Banner quiet icon="offline" act={<Quiet onPress={sendNow}>{t.tryNow}</Quiet>}>
      {t.offlineSince(clockTime(lostAt.value ?? Date.now()))} {count > 0 && <b>{t.waits(count)}</b>}
    </Banner>
  );
}

// Decided behind one's back: an answer that left late, or an inquiry taken away with words in it.
function isNews(entry: InquiryEntry): boolean {
  const { id } = entry.inquiry;
  return id !== openInquiryId.value && (unseen.value.has(id) || isTakenWithWords(entry));
}
