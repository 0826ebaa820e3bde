import { useState } from 'preact/hooks';
import { explain } from '../app/form/explain.ts';
import { say } from '../ui/language.ts';
import { letItRing } from './ringing.ts';
import { words } from './words.ts';

/** A press that lets this device ring, and the sentence to show while and after it did not. */
export function usePressToRing(): { press: () => void; trouble: string | undefined } {
  const t = say(words);
  const [trouble, setTrouble] = useState<string | undefined>();
  const press = () => {
    const asked = letItRing();
    setTrouble(t.asking);
    asked.then(
      (problem) => setTrouble(problem === 'refused' ? t.refused : problem && explain(problem)),
      () => setTrouble(t.refused),
    );
  };
  return { press, trouble };
}
