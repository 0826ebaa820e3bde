import { signal, type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import { readRun } from '../outcome/run.ts';

/** Longer than between two keys of somebody who types: what is pressed sooner began before this question was there. */
const PAUSE_MS = 600;

let since = 0;
let made = true;

/** Another question stands there: keys act on it once none was pressed for a while. */
export function awaitPause(now = performance.now()): void {
  since = now;
  made = false;
}

/** Notes a key by the time it was pressed; true once there was a pause since this question came. */
export function isPause(pressedAt: number): boolean {
  made ||= pressedAt - since > PAUSE_MS;
  since = Math.max(since, pressedAt);
  return made;
}

/** True once somebody paused on this question: what is pressed is meant for it. */
export function pauseMade(): boolean {
  return made;
}

type Asked = Pick<Inquiry, 'id' | 'source' | 'context' | 'group'>;

// The last decision, until the pointer was anywhere but on the buttons.
const decided = signal<{ id: string; run: string | undefined } | undefined>(undefined);
const AWAY_PX = 40;
let byMouse = true;
// Where it was pressed last.
const pressed = { x: 0, y: 0 };

/** Notes that a decision was made, of one inquiry or of several together: the pointer is still where it was pressed. */
export function noteDecision(inquiry?: Asked): void {
  decided.value = { id: inquiry?.id ?? '', run: inquiry && readRun(inquiry) };
}

/** True when a press of a button is meant for this inquiry: the pointer left the buttons since the last decision of another run. */
export function hasLeft(inquiry: Asked): boolean {
  const last = decided.value;
  return last === undefined || last.id === inquiry.id || (last.run !== undefined && last.run === readRun(inquiry));
}

/** A press that was not meant for this inquiry. A finger has then left the glass, a mouse still stands there. */
export function refusePress(): void {
  if (!byMouse) decided.value = undefined;
}

function look({ type, target, pointerType, clientX, clientY }: PointerEvent): void {
  byMouse = pointerType === 'mouse';
  // What is drawn anew under a pointer that stands still is not left.
  const away = Math.hypot(clientX - pressed.x, clientY - pressed.y) > AWAY_PX;
  const onButtons = target instanceof Element && target.closest('.inquiry .bar') !== null;
  if (decided.peek() && away && !onButtons) decided.value = undefined;
  if (type === 'pointerdown') Object.assign(pressed, { x: clientX, y: clientY });
}

for (const sign of ['pointermove', 'pointerdown'] as const) addEventListener(sign, look, true);

const NO_TAP_MS = 350;

/** True for the first moments of what has just come, in which a tap was meant for what stood there before. */
export function useFresh(): Signal<boolean> {
  const fresh = useSignal(true);
  useEffect(() => {
    const timer = setTimeout(() => (fresh.value = false), NO_TAP_MS);
    return () => clearTimeout(timer);
  }, []);
  return fresh;
}
