import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** The deferred tools of Pydantic AI. */
export const pydanticAi: Dialect = { name: 'pydantic-ai', label: 'Pydantic AI', read, write };
