import type { PUT_OFF_MAX } from '#shared/preferences.ts';
import type { Me } from '#shared/wire.ts';
import { changeMe, keepMe, me } from './session.ts';

// The hub's own number; importing the value would bring its schemas into the page.
const MOST: typeof PUT_OFF_MAX = 50;

// What an older page kept has no preferences.
const preferences = () => (me.value as Partial<Me> | undefined)?.preferences ?? {};

/** True for what this person put off on any device; it answers nothing. */
export function isPutOff(id: string): boolean {
  return preferences().putOff?.includes(id) ?? false;
}

/** Puts an urgent question, a sign-in request or an offered rule off: here at once, and on all of this person's devices. */
export function putOff(id: string): Promise<void> {
  const others = (preferences().putOff ?? []).filter((one) => one !== id);
  return change({ putOff: [...others, id].slice(-MOST) });
}

/** Up to when (ms) this person saw what was missed. */
export function missedSeenAt(): number {
  return Date.parse(preferences().missedSeenAt ?? '') || 0;
}

/** What was missed up to this moment (ISO 8601) was seen, on all of this person's devices. */
export function seeMissed(at: string): Promise<void> {
  return change({ missedSeenAt: at });
}

async function change(more: Partial<Me['preferences']>): Promise<void> {
  if (!me.peek()) return;
  await keepMe({ ...(me.peek() as Me), preferences: { ...preferences(), ...more } });
  await changeMe({ preferences: more });
}
