import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fetchBody } from '../../inquiry/InquiryView.tsx';
import { fetchForms, needsForms } from '../../inquiry/reply/form/ready.ts';
import { enrolmentsOpen } from '../../live/enrolments.ts';
import { entries } from '../../live/store.ts';
import { vibrate } from '../../ui/haptics.ts';
import { isLong } from '../../inbox/many/long.ts';
import { looking } from '../../inquiry/outcome/run.ts';
import { waitingToo } from '../../policies/waiting-too.ts';
import { say } from '../../ui/language.ts';
import { words } from '../words.ts';
import { lazy, optional } from '../lazy.tsx';
import { followSwipes, listenForKeys } from './moves.ts';

const KeysDialog = lazy(async () => {
  const [{ KeysDialog: ready }, { fetchWords }] = await Promise.all([
    import('../../inquiry/view/MoreDialog.tsx'),
    import('../../inquiry/words.ts'),
  ]);
  await fetchWords();
  return ready;
});

const Announcer = lazy(() => import('./Announcer.tsx').then(({ Announcer: ready }) => ready), optional);

const Urgent = lazy(() => import('./Urgent.tsx').then(({ Urgent: ready }) => ready), optional);

const AccessRequests = lazy(
  () => import('../../devices/AccessRequests.tsx').then(({ AccessRequests: ready }) => ready),
  optional,
);
const WaitingToo = lazy(() => import('../../policies/WaitingToo.tsx').then(({ WaitingToo: ready }) => ready), optional);
const GivenDialog = lazy(
  () => import('../../inquiry/outcome/UndoBar.tsx').then(({ GivenDialog: ready }) => ready),
  optional,
);

const FETCH_AHEAD_MS = 500;

/**
 * What a page can do beyond taps on what it shows: keys across inquiries, swipes, vibrations, saying aloud what comes and
 * goes, and what lies over whatever is open.
 */
export function Announcements() {
  const keys = useSignal(false);
  useEffect(() => {
    const picked = ({ target }: Event) => {
      if (target instanceof Element && target.matches('.inquiry :is([type=radio], [type=checkbox])')) vibrate('pick');
    };
    document.addEventListener('change', picked);
    const stop = [listenForKeys(() => (keys.value = true)), followSwipes()];
    return () => {
      document.removeEventListener('change', picked);
      for (const one of stop) one();
    };
  }, []);
  const urgent = useComputed(() => entries.value.some(({ inquiry }) => inquiry.urgency === 'high'));
  const waiting = useComputed(() => entries.value.length > 0);
  useSignalEffect(() => {
    // Safari has no idle callback.
    if (waiting.value) setTimeout(() => void fetchAhead(), FETCH_AHEAD_MS);
  });
  return (
    <>
      <Announcer />
      {urgent.value && <Urgent />}
      {looking.value && <GivenDialog key={looking.value.until} given={looking.value} />}
      {waitingToo.value.length > 0 && <WaitingToo />}
      <aside class="access-requests" aria-label={say(words).accessRequests} aria-live="polite">
        {enrolmentsOpen.value && <AccessRequests />}
      </aside>
      {keys.value && <KeysDialog onClose={() => (keys.value = false)} />}
    </>
  );
}

/**
 * Fetches what the waiting inquiries will need while nobody waits for it; where it cannot, and on a line that is to be
 * spared, they fetch it themselves.
 */
async function fetchAhead(): Promise<void> {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  // A long list is drawn before the rest is asked for.
  if (isLong.peek()) {
    await import('../../inbox/many/Many.tsx').catch(() => undefined);
    await new Promise((done) => setTimeout(done, FETCH_AHEAD_MS));
  }
  const kinds = new Set(
    entries.peek().map(({ inquiry }) => (inquiry.actions ? 'calls' : needsForms(inquiry) ? 'form' : '')),
  );
  await Promise.allSettled([
    fetchBody(),
    ...(kinds.has('calls') ? [import('../../inquiry/kinds/Calls.tsx'), import('../../inbox/destroys.ts')] : []),
    ...(kinds.has('form') ? [fetchForms()] : []),
  ]);
}
