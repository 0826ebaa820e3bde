import { useState } from 'preact/hooks';
import { timeOf } from '../app/clock.ts';
import { HubStamp } from '../app/HubStamp.tsx';
import { browserOf } from '../sign-in/device-name.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Slab.tsx';
import { visible } from '#shared/visible.ts';
import { words } from './words.ts';

/** A tap meant for what lay underneath opens nothing. */
const INERT_MS = 350;

type BannerProps = {
  asked: { deviceName: string; userAgent: string; address: string; expiresAt: string };
  onReview: () => void;
  onLater: () => void;
};

/** A sign-in request while a question is open: it lies over none of its buttons, and answers nothing itself. */
export function Banner({ asked, onReview, onLater }: BannerProps) {
  const t = say(words);
  const [since] = useState(() => performance.now());
  const then = (act: () => void) => () => {
    if (performance.now() - since > INERT_MS) act();
  };
  return (
    <section class="banner" aria-label={t.request}>
      <div>
        <p class="banner-by">
          <b>{t.request}</b> · {t.until(timeOf(Date.parse(asked.expiresAt)))}
        </p>
        <p class="banner-name">{t.wants(visible(asked.deviceName))}</p>
        <p class="banner-by">{t.from(browserOf(asked.userAgent), asked.address)}</p>
      </div>
      <HubStamp />
      <div class="banner-do">
        <Quiet onPress={then(onLater)}>{t.notNow}</Quiet>
        <Quiet onPress={then(onReview)}>{t.review}</Quiet>
      </div>
    </section>
  );
}
