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
