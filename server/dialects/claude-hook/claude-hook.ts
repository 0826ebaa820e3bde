import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { tooLong, undecided, write } from './write.ts';

/** Claude Code closes the connection as its terminal says No, or as it ends; no event of its own tells which. */
export const claudeHook: Dialect = {
  name: 'claude-hook',
  label: 'Claude Code',
  read,
  write,
  undecided,
  tooLong,
  left: 'No in the terminal, or Claude Code was ended there.',
};
