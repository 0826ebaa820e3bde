import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

export const elicitation: Dialect = { name: 'elicitation', label: 'MCP', read, write };
