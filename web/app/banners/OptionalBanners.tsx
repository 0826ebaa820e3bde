import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Left } from '../../devices/Left.tsx';
import { OfferNotifications } from '../../push/OfferNotifications.tsx';
import { RuleOn } from '../../policies/RuleOn.tsx';
import { notifications } from '../../push/notifications.ts';
import { Banner } from '../../ui/shell/Banner.tsx';
import { now } from '../../ui/clock.ts';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { stepsShown } from '../../first-steps/shown.ts';
import { connection, entries, lostAt } from '../../live/store.ts';
import { zoneCounted, zoneElsewhere } from '../../quiet/time-zone.ts';
import { lazy, optional } from '../lazy.tsx';
import { route } from '../route.ts';
import { Faulty } from './Faulty.tsx';
import { choose, isChosen } from '../browser/choices.ts';
import { words } from '../words.ts';
import { offersHere, Room, saveRoom } from './Room.tsx';

// With these, so that it is here before anything is wrong.
export { Faulty };

const plainHttp = {
  en: 'This address is plain http: Beckon works while this page is open, but it cannot send notifications. Open it over https to install it and to turn them on.',
  zh: '这个地址是普通 http：页面开着时 Beckon 能用，但不能发通知。用 https 打开，就能安装并开启通知。',
};

const LONGEST_MS = 5000;

/** Banners that can wait: what no device was notified of, what this address cannot do, and an offer of notifications. */
export function OptionalBanners() {
  const waited = useSignal(false);
  const room = useRef<HTMLDivElement>(null);
  const unknown = notifications.value === 'unknown' && !waited.value;
  useEffect(() => {
    const timer = setTimeout(() => (waited.value = true), LONGEST_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const shown = room.current;
    if (unknown || !shown) return undefined;
    const watcher = new ResizeObserver(() => {
      if (offersHere() && shown.offsetParent) saveRoom(shown.offsetHeight);
    });
    watcher.observe(shown);
    return () => watcher.disconnect();
  }, [unknown]);
  return (
    <>
      {/* The next visit will know nothing of these, so it keeps no room for them. */}
      <div class="optional-banners">
        <RuleOn />
        <Left />
        <Unreached />
      </div>
      <Room saved={unknown} at={room}>
        <PlainHttp />
        <OfferNotifications />
        <OtherZone />
      </Room>
    </>
  );
}

const ZoneOffer = lazy(() => import('../../quiet/ZoneOffer.tsx').then(({ ZoneOffer: ready }) => ready), optional);

function OtherZone() {
  const counted = zoneCounted();
  const here = counted && zoneElsewhere(counted, now.peek());
  if (!counted || here === undefined || !offersHere() || route.value.page === 'quiet') return null;
  return <ZoneOffer {...{ counted, here }} />;
}

function PlainHttp() {
  const seen = useSignal(isChosen('plainHttp'));
  if (isSecureContext || stepsShown.value || seen.value) return null;
  const hide = () => {
    choose('plainHttp');
    seen.value = true;
  };
  return (
    <Banner quiet icon="mute" act={<Quiet onPress={hide}>{say(own).fine}</Quiet>}>
      {say(plainHttp)}
    </Banner>
  );
}

const own = {
  en: {
    fine: 'OK',
    notNotified: (count: number) =>
      count === 1 ? 'One question: no device was notified.' : `${count} questions: no device was notified.`,
  },
  zh: { fine: '好', notNotified: (count: number) => `${count} 个问题：没有设备收到通知。` },
};

/** Says that something was asked while no device could be told of it (DLV2), until this page has shown it. */
function Unreached() {
  const t = say(words);
  const known = useSignal<readonly string[]>([]);
  const missed = entries.value
    .filter(
      ({ inquiry, resolution }) =>
        !resolution && !inquiry.quiet && inquiry.reach.told === 0 && !known.value.includes(inquiry.id),
    )
    .map(({ inquiry }) => inquiry.id);
  // By now a device may have been told of what was kept as nobody was.
  const asKept = connection.value === 'connecting' && lostAt.value === undefined;
  if (asKept || missed.length === 0) return null;
  const hide = () => {
    known.value = [...known.value, ...missed];
  };
  return (
    <Banner
      quiet
      icon="mute"
      act={
        <>
          <a class="quiet" href="/devices">
            <span class="link">{t.devices}</span>
          </a>
          <Quiet onPress={hide}>{say(own).fine}</Quiet>
        </>
      }
    >
      {say(own).notNotified(missed.length)}
    </Banner>
  );
}
