import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** OpenAI's Agents SDK in JavaScript and Python, and MCP approvals of the Responses API. */
export const openai: Dialect = { name: 'openai', label: 'OpenAI Agents', read, write };
