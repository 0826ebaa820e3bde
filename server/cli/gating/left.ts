import { randomUUID } from 'node:crypto';
import type { Inquiry } from '#shared/inquiry.ts';

/** A question on its way to people: its end, and how to take it back. */
export type Asking = { inquiry: Promise<Inquiry | 'gone'>; abort: AbortController };
/** A question whose call had to return before anybody decided; `round` counts how often. */
export type Left = { asking: Asking; round: number };

/** The questions that nobody waits for at this moment, because their client could wait no longer. */
export type LeftOpen = {
  /** Keeps a question for the grace, then takes it back; the result is the state that its call comes back with. */
  leave(like: string, left: Left): string;
  /** True for a state that this process gave out. */
  isOurs(state: unknown): state is string;
  /** The question of this state, or of a call like this; "another" for the state of another call. */
  take(like: string, state: string | undefined): Left | 'another' | undefined;
  /** Takes them all back. */
  close(): Promise<void>;
};

export function createLeftOpen(graceMs: number): LeftOpen {
  const prefix = `beckon-${randomUUID()}.`;
  const open = new Map<string, Left & { like: string; timer: NodeJS.Timeout }>();
  const takeOut = (state: string): Left | undefined => {
    const found = open.get(state);
    clearTimeout(found?.timer);
    open.delete(state);
    return found;
  };
  return {
    leave(like, left) {
      const state = prefix + randomUUID();
      const timer = setTimeout(() => {
        takeOut(state)?.asking.abort.abort(new Error('Its client did not come back.'));
      }, graceMs);
      open.set(state, { ...left, like, timer });
      return state;
    },
    isOurs: (state): state is string => typeof state === 'string' && state.startsWith(prefix),
    take(like, state) {
      const named = state === undefined ? undefined : open.get(state);
      if (state !== undefined && named) return named.like === like ? takeOut(state) : 'another';
      const [same] = [...open].find(([, one]) => one.like === like) ?? [];
      return same === undefined ? undefined : takeOut(same);
    },
    async close() {
      const left = [...open].map(([state, { asking }]) => {
        takeOut(state);
        asking.abort.abort(new Error('Its client is gone.'));
        return asking.inquiry;
      });
      await Promise.allSettled(left);
    },
  };
}
