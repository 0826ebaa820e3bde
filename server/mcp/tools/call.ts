import type { ServerContext } from '@modelcontextprotocol/server';
import type { Parts } from '../parts.ts';
import type { Visit } from '../visit.ts';
import type { Words } from '../words/words.ts';

export type Era = 'legacy' | 'modern';

/** One `tools/call`, with all that a tool may want to know. */
export type Call = {
  tool: string;
  parts: Parts;
  visit: Visit;
  words: Words;
  era: Era;
  /** What the client calls itself: for display only. */
  agent: string | undefined;
  args: Record<string, unknown>;
  request: ServerContext['mcpReq'];
  context: ServerContext;
};

/** What a tool says: text for the model, the same as data for programs. */
export type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

/** A result that is not the last word: another leg, or a task. */
export type Unfinished = { resultType: 'input_required' | 'task'; [member: string]: unknown };
