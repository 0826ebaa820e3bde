import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fetchAhead } from '../../inquiry/InquiryView.tsx';
import { held } from '../../live/store.ts';
import { vibrate } from '../../ui/haptics.ts';
import { later, spare } from '../later.tsx';
import { listenForKeys } from './keys.ts';
import { followSwipes } from './swipes.ts';
import { tellZone } from './zone.ts';

const KeysDialog = later(async () => {
  const [{ KeysDialog: ready }, { fetchWords }] = await Promise.all([
    import('../../inquiry/view/MoreDialog.tsx'),
    import('../../inquiry/words.ts'),
  ]);
  await fetchWords();
  return ready;
});

const Announcer = later(() => import('./Announcer.tsx').then(({ Announcer: ready }) => ready), spare);

const Urgent = later(() => import('./Urgent.tsx').then(({ Urgent: ready }) => ready), spare);

const FETCH_AHEAD_MS = 500;

/** What a page can do beyond taps on what it shows: keys across inquiries, swipes, vibrations, and saying aloud what comes and goes. */
export function Announcements() {
  const keys = useSignal(false);
  useEffect(() => {
    const picked = ({ target }: Event) => {
      if (target instanceof Element && target.matches('.inquiry :is([type=radio], [type=checkbox])')) vibrate('pick');
    };
    document.addEventListener('change', picked);
    const stop = [listenForKeys(() => (keys.value = true)), followSwipes(), tellZone()];
    return () => {
      document.removeEventListener('change', picked);
      for (const one of stop) one();
    };
  }, []);
  const urgent = useComputed(() => held.value.some(({ inquiry }) => inquiry.urgency === 'high'));
  const waiting = useComputed(() => held.value.length > 0);
  useSignalEffect(() => {
    // Safari has no idle callback.
    if (waiting.value) setTimeout(() => void fetchAhead(), FETCH_AHEAD_MS);
  });
  return (
    <>
      <Announcer />
      {urgent.value && <Urgent />}
      {keys.value && <KeysDialog onClose={() => (keys.value = false)} />}
    </>
  );
}
