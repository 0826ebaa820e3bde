import { useSignal } from '@preact/signals';
import { choose, isChosen } from '../app/browser/choices.ts';
import { route } from '../app/route.ts';
import { stepsShown } from '../first-steps/shown.ts';
import { Banner } from '../ui/shell/Banner.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { notifications } from './notifications.ts';
import { useTurnOn } from './useTurnOn.ts';
import { words } from './words.ts';

/** Offers to turn notifications on, once, where nobody decided yet, and whenever the browser took it away. */
export function OfferNotifications() {
  const t = say(words);
  const declined = useSignal(isChosen('noNotifications'));
  const { press, trouble } = useTurnOn();
  const lost = notifications.value === 'lost';
  // The pages that say it themselves need no banner.
  const saidHere = stepsShown.value || route.value.page === 'settings' || route.value.page === 'devices';
  if (saidHere || (!lost && (notifications.value !== 'off' || declined.value))) return null;
  const decline = () => {
    choose('noNotifications');
    declined.value = true;
  };
  return (
    <Banner
      quiet
      icon={lost ? 'mute' : 'bell'}
      act={
        <>
          <Quiet onPress={press}>{t.turnOn}</Quiet>
          {!lost && <Quiet onPress={decline}>{t.notNow}</Quiet>}
        </>
      }
    >
      {trouble ?? (lost ? t.lostHere : t.offer)}
    </Banner>
  );
}
