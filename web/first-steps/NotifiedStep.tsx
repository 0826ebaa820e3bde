import { notifications } from '../push/notifications.ts';
import { useSendTest } from '../push/useSendTest.ts';
import { useTurnOn } from '../push/useTurnOn.ts';
import { words as pushWords } from '../push/words.ts';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { stepWords } from './words.ts';

/** Turns notifications on here and sends the test that proves them. */
export function NotifiedStep() {
  const t = stepWords();
  const p = say(pushWords);
  const now = notifications.value;
  const { press, trouble } = useTurnOn();
  const { test, said } = useSendTest();
  if (now === 'unknown') return <p>{t.notifiedSay}</p>;
  if (now !== 'on' && now !== 'off' && now !== 'lost') return <p>{p[now]}</p>;
  const on = now === 'on';
  return (
    <>
      <p>{on ? t.testSay : t.notifiedSay}</p>
      <p role="status">{on ? said : trouble}</p>
      <div class="bar-do">
        <Button look="line" onPress={on ? test : press}>
          {on ? p.test : t.turnOn}
        </Button>
      </div>
    </>
  );
}
