import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** The interrupts of AG-UI. */
export const agUi: Dialect = { name: 'ag-ui', label: 'AG-UI', read, write };
