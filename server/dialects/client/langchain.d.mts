import type { AgentMiddleware } from 'langchain';
import type { AskOptions } from './beckon.mjs';

type Decision = 'approve' | 'edit' | 'reject';
type Rule = {
  /** What people may decide; all three where it is left out. */
  allowedDecisions?: Decision[] | undefined;
  /** What is said of the call, or what makes it. */
  description?: string | ((call: { name: string; args: unknown }, ...more: never[]) => string | Promise<string>);
};

export type HumanInTheLoop = Omit<AskOptions, 'idempotencyKey' | 'answer'> & {
  /** Which tools people decide about; one that is not named, or false, runs. */
  interruptOn: Record<string, boolean | Rule>;
};

/**
 * Middleware of LangChain's `createAgent` that holds each call of these tools until people decide it. Each call is a
 * question of its own: a reject of one drops no other. What nobody approved does not run, and the model is told why. Throws
 * where the hub stays out of reach; the call does not run then.
 */
export declare function humanInTheLoop(options: HumanInTheLoop): AgentMiddleware;
