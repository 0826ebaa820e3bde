import { useSignal } from '@preact/signals';
import { choose, isChosen } from '../app/browser/choices.ts';
import { route } from '../app/route.ts';
import { Ribbon } from '../ui/desk/Ribbon.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Slab.tsx';
import { ringing } from './ringing.ts';
import { usePressToRing } from './usePressToRing.ts';
import { words } from './words.ts';

/** Offers to ring, once, where nobody decided yet, and whenever the browser took it away. */
export function LetItRing() {
  const t = say(words);
  const declined = useSignal(isChosen('noRing'));
  const { press, trouble } = usePressToRing();
  const lost = ringing.value === 'lost';
  // The two pages that say it themselves need no ribbon.
  const saidHere = route.value.page === 'settings' || route.value.page === 'devices';
  if (saidHere || (!lost && (ringing.value !== 'off' || declined.value))) return null;
  const decline = () => {
    choose('noRing');
    declined.value = true;
  };
  return (
    <Ribbon
      quiet
      icon={lost ? 'mute' : 'bell'}
      act={
        <>
          <Quiet onPress={press}>{lost ? t.again : t.let}</Quiet>
          {!lost && <Quiet onPress={decline}>{t.notNow}</Quiet>}
        </>
      }
    >
      {trouble ?? (lost ? t.lostHere : t.offer)}
    </Ribbon>
  );
}
