import type { Device } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { hubSays, notifications } from '../push/notifications.ts';
import { useTurnOn } from '../push/useTurnOn.ts';
import { useSendTest } from '../push/useSendTest.ts';
import { words } from '../push/words.ts';
import { say } from '../ui/language.ts';

/** Whether a device gets notifications: on and when the last came, off, or why it cannot. */
export function NotificationState({ device: { current, subscription } }: { device: Device }) {
  const t = say(words);
  const own = current ? notifications.value : 'unknown';
  const known = (current && hubSays.value?.subscription) || subscription;
  const [state, more] =
    own === 'insecure'
      ? [t.needsHttps]
      : own !== 'unknown' && own !== 'on' && own !== 'off'
        ? [t.off, t[own]]
        : !known || own === 'off'
          ? [t.off]
          : known.trouble
            ? [t.off, known.trouble]
            : [t.on, known.shownAt ? t.lastNotified(whenIs(known.shownAt)) : undefined];
  return (
    <>
      <b>{t.stateIs(state)}</b>
      {more !== undefined && <> {more}</>}
    </>
  );
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
