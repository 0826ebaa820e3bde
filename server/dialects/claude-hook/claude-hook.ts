import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { undecided, write } from './write.ts';

export const claudeHook: Dialect = { name: 'claude-hook', label: 'Claude Code', read, write, undecided };
