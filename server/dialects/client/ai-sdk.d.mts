import type { ModelMessage, ToolApprovalStatus } from 'ai';
import type { AskOptions } from './beckon.mjs';

type Asks = Omit<AskOptions, 'idempotencyKey' | 'answer'>;

/**
 * `toolApproval` for `generateText`, `streamText` and agents of the AI SDK: people decide about each call of these tools
 * while the run waits. Other tools are left to themselves. What nobody approved is denied, with words for the model. Throws
 * where the hub stays out of reach, or where an approval ends before the rest of its turn is decided; nothing runs then. The
 * SDK hands on no signal: pass that of the run.
 */
export declare function toolApproval<Name extends string>(
  options: Asks & { tools: readonly Name[] },
): Record<Name, (input: unknown, options: { messages: ModelMessage[] }) => Promise<ToolApprovalStatus>>;

/** The same about each call of every tool. */
export declare function toolApproval(
  options?: Asks,
): (options: {
  toolCall: { toolName: string; input: unknown };
  messages: ModelMessage[];
}) => Promise<ToolApprovalStatus>;
