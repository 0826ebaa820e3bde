import type { Device } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { hubSays, notifications } from '../push/notifications.ts';
import { useTurnOn } from '../push/useTurnOn.ts';
import { useSendTest } from '../push/useSendTest.ts';
import { words } from '../push/words.ts';
import { say } from '../ui/language.ts';
import { Space } from '../ui/sentence/Space.tsx';

/** Whether a device gets notifications, when the last came, or why it gets none. */
export function NotificationState({ device }: { device: Device }) {
  const t = say(words);
  const [short, more] = standing(device);
  return (
    <p>
      <b>{short}</b>
      <Space />
      {more}
    </p>
  );

  function standing({ current, subscription }: Device): [string, string] {
    const own = current ? notifications.value : 'unknown';
    if (own !== 'unknown' && own !== 'on' && own !== 'off') return [t.cannot, t[own]];
    const known = (current && hubSays.value?.subscription) || subscription;
    if (!known || own === 'off') return [t.off, current ? t.here : t.there];
    if (known.trouble) return [t.cannot, known.trouble];
    return [t.on, known.shownAt ? t.lastNotified(whenIs(known.shownAt)) : t.neverNotified];
  }
}

/** What can be done about the notifications of the device in one's hand: a test, or a press that turns them on. */
export function useOwnNotifications(name: string) {
  const t = say(words);
  const { press, trouble } = useTurnOn();
  const { test, said } = useSendTest();
  const lost = notifications.value === 'lost';
  const on = notifications.value === 'on';
  const word = t.turnOn;
  return {
    said: on ? said : trouble,
    act: on ? (
      <RowAct word={t.test} about={t.testOf(name)} onPress={test} />
    ) : lost || notifications.value === 'off' ? (
      <RowAct word={word} about={word} onPress={press} />
    ) : null,
  };
}
