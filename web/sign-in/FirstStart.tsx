import { useEffect, useState } from 'preact/hooks';
import type { FirstEnrolment } from '#shared/schemas/enrolments.ts';
import { SignInCard } from '../app/SignInCard.tsx';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { words } from './words.ts';

const AGAIN_MS = 4000;
/** A hub that takes longer shows the usual card meanwhile. */
const LONGEST_MS = 1500;

/** Whether the hub waits for its first device, followed until it does not; undefined until that is known. */
export function useFirst(): boolean | undefined {
  const [waiting, setWaiting] = useState<boolean | undefined>();
  useEffect(() => {
    let timer = setTimeout(() => setWaiting((known) => known ?? false), LONGEST_MS);
    let gone = false;
    const ask = async () => {
      const reply = await call<FirstEnrolment>('GET', '/v1/enrolments/first');
      if (gone) return;
      clearTimeout(timer);
      setWaiting((before) => reply.ok?.waiting ?? before ?? false);
      if (reply.ok?.waiting !== false) timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, []);
  return waiting;
}

/** Nobody is signed in anywhere: where the first link is, since no device can be asked. */
export function FirstStart() {
  const t = say(words);
  return (
    <SignInCard title={t.firstTitle} lede={t.freshLede}>
      <p>
        <b>{t.freshWhere}</b>
      </p>
      <p class="hint">{t.freshWhy}</p>
      <p class="hint">
        {t.freshFile} <code>DATA_DIR/sign-in-link</code>
        {t.freshAgain} <code>npm run -s beckon -- person link owner</code>
      </p>
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>{t.freshWaiting}</span>
      </p>
    </SignInCard>
  );
}
