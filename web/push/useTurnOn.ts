import { useState } from 'preact/hooks';
import { explain } from '../app/form/explain.ts';
import { say } from '../ui/language.ts';
import { turnOnNotifications } from './notifications.ts';
import { words } from './words.ts';

/** A press that turns notifications on for this device, and the sentence to show while and after it did not. */
export function useTurnOn(): { press: () => void; trouble: string | undefined } {
  const t = say(words);
  const [trouble, setTrouble] = useState<string | undefined>();
  const press = () => {
    const asked = turnOnNotifications();
    setTrouble(t.asking);
    asked.then(
      (problem) => setTrouble(problem === 'refused' ? t.refused : problem && explain(problem)),
      () => setTrouble(t.refused),
    );
  };
  return { press, trouble };
}
