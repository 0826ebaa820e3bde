import type { Dialect } from '../dialect.ts';
import { ASKS, read } from './read.ts';
import { denied, write } from './write.ts';

/** Gemini CLI runs the tool after any reply that does not say "deny", a problem document included. */
export const geminiHook: Dialect = {
  name: 'gemini-hook',
  label: 'Gemini CLI',
  read,
  write,
  undecided: (body) => {
    const { hook_event_name: event } = (body ?? {}) as { hook_event_name?: unknown };
    return typeof event === 'string' && event !== ASKS ? () => ({}) : denied;
  },
  besideProblem: denied,
  left: 'Stopped in the terminal.',
};
