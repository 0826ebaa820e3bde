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
// True while a mouse stands where it stood when buttons came by themselves.
const rests = signal(false);
// True for a second after that, and after a press that was refused.
const early = signal(false);
const EARLY_MS = 1000;
const AWAY_PX = 40;
const WALKS = /^(Enter|Tab|Arrow)/;
let ending: ReturnType<typeof setTimeout> | undefined;
// The last press: where and when, by what, whether it is held still, and whether it began too early. Before the first: no time.
const press = { x: 0, y: 0, at: 0, by: 'mouse', held: false, early: false };

function beginEarly(): void {
  early.value = true;
  clearTimeout(ending);
  ending = setTimeout(() => (early.value = false), EARLY_MS);
}

/**
 * Notes that a decision was made, of one inquiry or, without one, of several together or to go on: the pointer is still
 * where it was pressed.
 */
export function noteDecision(inquiry?: Asked): void {
  // A key that goes on leaves no pointer anywhere.
  if (inquiry || press.by) decided.value = { id: inquiry?.id ?? '', run: inquiry && readRun(inquiry) };
  if (!inquiry) beginEarly();
}

const SOON_MS = 500;

/**
 * Notes that buttons came: unless they were `meant` by a press a moment ago they take none for a second, and until the
 * finger or pointer has left. Of a page that was just loaded nothing was pressed.
 */
export function noteArrival(meant = false): void {
  if (!press.at || (meant && performance.now() - press.at < SOON_MS)) return;
  beginEarly();
  press.early = press.held;
  rests.value = press.by === 'mouse';
}

/**
 * True when buttons are ready for a press that is meant for this inquiry, or for a list of several: the pointer left them
 * since the last decision of another run, and since the page went on.
 */
export function hasLeft(inquiry?: Asked): boolean {
  const last = decided.value;
  const waits = early.value || rests.value;
  if (last && last.id === inquiry?.id) return true;
  return !waits && (!last || (inquiry && readRun(inquiry)) === (last.run ?? NaN));
}

/** True for a press that is meant for this inquiry or list; one that is not was the end of a finger, a mouse still stands there. */
export function takesPress(inquiry?: Asked): boolean {
  if (hasLeft(inquiry) && !press.early) return true;
  if (press.by && press.by !== 'mouse' && !early.peek()) decided.value = undefined;
  press.early = false;
  beginEarly();
  return false;
}

/** True where this is one of the buttons that decide. */
export function isDeciding(target: Element): boolean {
  return target.closest?.('.bar, .bar-do') != null;
}

function leave(): void {
  decided.value = undefined;
  rests.value = false;
}

function look({ type, target, key, repeat, pointerType, clientX, clientY }: PointerEvent & KeyboardEvent): void {
  if (key) {
    if (WALKS.test(key) && !repeat) leave();
  } else if (Math.hypot(clientX - press.x, clientY - press.y) > AWAY_PX && !isDeciding(target as Element)) {
    // What is drawn anew under a pointer that stands still is not left.
    leave();
  }
  press.by = pointerType;
  press.held = type === 'pointerdown' || (type === 'pointermove' && press.held);
  if (!/down/.test(type)) return;
  press.at = performance.now();
  press.early = !key && early.peek();
  if (!key) Object.assign(press, { x: clientX, y: clientY });
}

for (const sign of ['pointermove', 'pointerdown', 'pointerup', 'pointercancel', 'keydown'])
  addEventListener(sign, look as (event: Event) => void, true);

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
