import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** Codex ends its hook when its turn is stopped. */
export const codexHook: Dialect = {
  name: 'codex-hook',
  label: 'Codex',
  read,
  write,
  undecided: () => () => ({}),
  left: 'Stopped in the terminal.',
};
