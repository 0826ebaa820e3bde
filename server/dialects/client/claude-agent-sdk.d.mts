import type { CanUseTool } from '@anthropic-ai/claude-agent-sdk';
import type { AskOptions } from './beckon.mjs';

/**
 * `canUseTool` for `query` of the Claude Agent SDK: people decide about each call that Claude would ask about, with their
 * edits as its input, and answer its `AskUserQuestion`. A call that is cancelled takes its question back. Throws where the
 * hub stays out of reach: the SDK denies the call then, and tells the model why.
 */
export declare function canUseTool(options?: Omit<AskOptions, 'idempotencyKey' | 'answer'>): CanUseTool;
