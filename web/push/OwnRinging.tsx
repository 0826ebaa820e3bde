import './ringing.css';
import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { say } from '../ui/language.ts';
import { Word } from '../ui/Field.tsx';
import { Quiet, Slab } from '../ui/Slab.tsx';
import { hubSays, ringing, stopRinging, testWeekly } from './ringing.ts';
import { usePressToRing } from './usePressToRing.ts';
import { useRingTest } from './useRingTest.ts';
import { words } from './words.ts';

/** Whether this device rings while no page is open, how to change that, and the proof. */
export function OwnRinging() {
  const t = say(words);
  const now = ringing.value;
  if (now === 'unknown') return null;
  return (
    <section class="sheet">
      <h2 class="day">{t.title}</h2>
      {now === 'on' ? <Rings /> : now === 'off' || now === 'lost' ? <Silent /> : <Blocked why={t[now]} />}
    </section>
  );
}

function Rings() {
  const t = say(words);
  const { test, said } = useRingTest();
  const [problem, setProblem] = useState<Problem | undefined>();
  const trouble = hubSays.value?.subscription?.trouble;
  return (
    <>
      <p class="sentence">
        {t.ringsHere}{' '}
        <span class="tie">
          <Word
            label={t.weekly}
            value={hubSays.value?.weeklyTest ? 'week' : 'press'}
            options={(['week', 'press'] as const).map((each) => [each, t.each[each]] as const)}
            onPick={(each) => void testWeekly(each === 'week').then(setProblem)}
          />
          {t.stop}
        </span>
      </p>
      <p class="say" role="status">
        {said ?? trouble}
      </p>
      <RefusedHere problem={problem} />
      <div class="presses">
        <Quiet onPress={test}>{t.test}</Quiet>
        <Quiet onPress={() => void stopRinging().then(setProblem)}>{t.leave}</Quiet>
      </div>
    </>
  );
}

function Silent() {
  const t = say(words);
  const { press, trouble } = usePressToRing();
  const lost = ringing.value === 'lost';
  return (
    <>
      <p class="sentence">{t.silentHere}</p>
      <p class="say" role="status">
        {trouble ?? (lost ? t.lost : t.here)}
      </p>
      <div class="presses">
        <Slab look="line" onPress={press}>
          {lost ? t.again : t.let}
        </Slab>
      </div>
    </>
  );
}

function Blocked({ why }: { why: string }) {
  const t = say(words);
  return (
    <>
      <p class="sentence">{t.cannotHere}</p>
      <p class="say">{why}</p>
    </>
  );
}
