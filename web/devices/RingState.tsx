import type { Device } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { hubSays, ringing } from '../push/ringing.ts';
import { usePressToRing } from '../push/usePressToRing.ts';
import { useRingTest } from '../push/useRingTest.ts';
import { words } from '../push/words.ts';
import { say } from '../ui/language.ts';

/** Whether a device rings, when it last did, or why it does not. */
export function RingState({ device }: { device: Device }) {
  const t = say(words);
  const [short, more] = standing(device);
  return (
    <p>
      <b>{short}</b> {more}
    </p>
  );

  function standing({ current, subscription }: Device): [string, string] {
    const own = current ? ringing.value : 'unknown';
    if (own !== 'unknown' && own !== 'on' && own !== 'off') return [t.cannot, t[own]];
    const known = (current && hubSays.value?.subscription) || subscription;
    if (!known || own === 'off') return [t.silent, current ? t.here : t.there];
    if (known.trouble) return [t.cannot, known.trouble];
    return [t.rings, known.shownAt ? t.lastRang(whenIs(known.shownAt)) : t.neverRang];
  }
}

/** What can be done about the ringing of the device in one's hand: a test, or a press that lets it ring. */
export function useOwnRing(name: string) {
  const t = say(words);
  const { press, trouble } = usePressToRing();
  const { test, said } = useRingTest();
  const lost = ringing.value === 'lost';
  const on = ringing.value === 'on';
  const word = lost ? t.again : t.let;
  return {
    said: on ? said : trouble,
    act: on ? (
      <RowAct word={t.test} about={t.testOf(name)} onPress={test} />
    ) : lost || ringing.value === 'off' ? (
      <RowAct word={word} about={word} onPress={press} />
    ) : null,
  };
}
