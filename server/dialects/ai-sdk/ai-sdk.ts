import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** Vercel's AI SDK. */
export const aiSdk: Dialect = { name: 'ai-sdk', label: 'AI SDK', read, write };
