import { admitted, passkeyNews } from '../live/enrolments.ts';
import { type InquiryEntry, isTakenWithWords } from '../live/entry.ts';
import { faults } from '../live/faults.ts';
import { openInquiryId, unseen, yoloShown } from '../live/inquiries.ts';
import { notices } from '../live/notices.ts';
import { connection, entries } from '../live/store.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { say } from '../ui/language.ts';
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

const Faulty = lazy(
  () => import('./banners/OptionalBanners.tsx').then(({ Faulty: ready }) => ready),
  // Until it has come, or where the line was lost before it had.
  () => (connection.value === 'offline' ? <Offline /> : null),
);
const fetchNews = () => import('./banners/News.tsx');
const Decided = lazy(() => fetchNews().then(({ Decided: ready }) => ready), optional);
const LatestNotice = lazy(() => fetchNews().then(({ LatestNotice: ready }) => ready), optional);
const Admitted = lazy(() => fetchNews().then(({ Admitted: ready }) => ready), optional);
const Passkey = lazy(() => fetchNews().then(({ Passkey: ready }) => ready), optional);
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
  if (connection.value === 'offline' || faults.value.size > 0) return <Faulty />;
  const news = entries.value.find(isNews);
  if (news)
    return (
      <Boundary of={news}>
        <Decided key={news.inquiry.id} entry={news} />
      </Boundary>
    );
  const [admission] = admitted.value;
  if (admission) return <Admitted key={admission.device.id} {...admission} />;
  if (passkeyNews.value) return <Passkey {...passkeyNews.value} />;
  if (yoloShown()) return <YoloBand />;
  if (notices.value.length === 0) return <OptionalBanners />;
  return (
    <Boundary of={notices.value}>
      <LatestNotice />
    </Boundary>
  );
}

/** True while YOLO has the banner's place; elsewhere it stands as words in the masthead. */
export function bandHasPlace(): boolean {
  return (
    faults.value.size === 0 &&
    connection.value !== 'offline' &&
    admitted.value.length === 0 &&
    !passkeyNews.value &&
    !entries.value.some(isNews)
  );
}

function Offline() {
  return (
    <div class="banner banner--quiet" role="status">
      {say(words).offline}
    </div>
  );
}

// Decided behind one's back: an answer that left late, or an inquiry taken away with words in it.
function isNews(entry: InquiryEntry): boolean {
  const { id } = entry.inquiry;
  return id !== openInquiryId.value && (unseen.value.has(id) || isTakenWithWords(entry));
}
