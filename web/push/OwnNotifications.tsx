import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SettingChoice, SettingRow } from '../ui/SettingRows.tsx';
import { hubSays, notifications, turnOffNotifications, testWeekly } from './notifications.ts';
import { useTurnOn } from './useTurnOn.ts';
import { useSendTest } from './useSendTest.ts';
import { words } from './words.ts';

/** Whether this device gets notifications while no page is open, as a row of settings. */
export function NotificationsRow({ onOpen }: { onOpen: () => void }) {
  const t = say(words);
  const now = notifications.value;
  const value = now === 'unknown' ? '\u00a0' : now === 'on' || now === 'off' ? t.state[now] : t.state.cannot;
  return <SettingRow name={t.thisDevice} hint={t.title} value={value} opens={onOpen} />;
}

/** How to change that on this device, and the proof. */
export function OwnNotifications({ onClose }: { onClose: () => void }) {
  const t = say(words);
  const now = notifications.value;
  return (
    <Dialog title={t.thisDevice} onClose={onClose}>
      {now === 'on' ? (
        <On />
      ) : now === 'off' || now === 'lost' || now === 'unknown' ? (
        <Off />
      ) : (
        <Blocked why={t[now]} />
      )}
    </Dialog>
  );
}

function On() {
  const t = say(words);
  const { test, said } = useSendTest();
  const [problem, setProblem] = useState<Problem | undefined>();
  const trouble = hubSays.value?.subscription?.trouble;
  return (
    <>
      <p class="dim" role="status">
        {said ?? trouble ?? t.onHere}
      </p>
      <ul class="sets">
        <SettingChoice
          name={t.weekly}
          value={hubSays.value?.weeklyTest ? 'week' : 'press'}
          options={(['week', 'press'] as const).map((each) => [each, t.each[each]] as const)}
          onPick={(each) => void testWeekly(each === 'week').then(setProblem)}
        />
      </ul>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={() => void turnOffNotifications().then(setProblem)}>
          {t.turnOff}
        </Button>
        <Button look="line" onPress={test}>
          {t.test}
        </Button>
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
      <p class="dim" role="status">
        {trouble ?? (lost ? t.lost : t.here)}
      </p>
      <div class="bar-do">
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
    <p class="dim">
      {t.cannotHere} {why}
    </p>
  );
}
