import { isDestructive } from '#shared/call-name/destructive.ts';
import type { Action } from '#shared/inquiry.ts';
import { destructiveTest } from './stakes.ts';

const known = new WeakMap<Action, boolean>();

/** Whether a call destroys something; each is looked through once. */
export function destroys(action: Action): boolean {
  const told = known.get(action) ?? isDestructive(action);
  known.set(action, told);
  return told;
}

destructiveTest.value = destroys;
