import './switch.css';
import { say } from './language.ts';

const words = { en: { on: 'On', off: 'Off' }, zh: { on: '开', off: '关' } };

/** Turns something on and off; the word beside it says which it is. */
export function Switch({ on, label, onTurn }: { on: boolean; label: string; onTurn: (on: boolean) => void }) {
  const t = say(words);
  return (
    <button type="button" class="switch" role="switch" aria-checked={on} aria-label={label} onClick={() => onTurn(!on)}>
      <i aria-hidden="true" />
      {on ? t.on : t.off}
    </button>
  );
}
