import type { Dialect } from '../dialect.ts';
import { read } from './read.ts';
import { write } from './write.ts';

/** LangGraph, LangChain's agents and Deep Agents, in JavaScript and Python. */
export const langgraph: Dialect = { name: 'langgraph', label: 'LangGraph', read, write };
