import './notifications.css';
import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { say } from '../ui/language.ts';
import { Word } from '../ui/Field.tsx';
import { Quiet, Button } from '../ui/Button.tsx';
import { hubSays, notifications, turnOffNotifications, testWeekly } from './notifications.ts';
import { useTurnOn } from './useTurnOn.ts';
import { useSendTest } from './useSendTest.ts';
import { words } from './words.ts';

/** Whether this device gets notifications while no page is open, how to change that, and the proof. */
export function OwnNotifications() {
  const t = say(words);
  const now = notifications.value;
  const awaited = now === 'unknown';
  return (
    // Until it is known its room is kept, so that nothing below it moves.
    <section class="panel" inert={awaited} style={awaited ? { visibility: 'hidden' } : undefined}>
      <h2 class="day">{t.title}</h2>
      {now === 'on' ? <On /> : now === 'off' || now === 'lost' || awaited ? <Off /> : <Blocked why={t[now]} />}
    </section>
  );
}

function On() {
  const t = say(words);
  const { test, said } = useSendTest();
  const [problem, setProblem] = useState<Problem | undefined>();
  const trouble = hubSays.value?.subscription?.trouble;
  return (
    <>
      <p class="sentence">
        {t.onHere}{' '}
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
        <Quiet onPress={() => void turnOffNotifications().then(setProblem)}>{t.turnOff}</Quiet>
      </div>
    </>
  );
}

function Off() {
  const t = say(words);
  const { press, trouble } = useTurnOn();
  const lost = notifications.value === 'lost';
  return (
    <>
      <p class="sentence">{t.offHere}</p>
      <p class="say" role="status">
        {trouble ?? (lost ? t.lost : t.here)}
      </p>
      <div class="presses">
        <Button look="line" onPress={press}>
          {t.turnOn}
        </Button>
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
