import type { Dialect } from './dialect.ts';

/** Every dialect that the hub speaks. */
export const DIALECTS: Dialect[] = [];
