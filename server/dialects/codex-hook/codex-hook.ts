import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

export const codexHook: Dialect = { name: 'codex-hook', label: 'Codex', read, write, undecided: () => () => ({}) };
