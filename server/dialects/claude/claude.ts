import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

export const claude: Dialect = { name: 'claude', label: 'Claude Agent SDK', read, write };
