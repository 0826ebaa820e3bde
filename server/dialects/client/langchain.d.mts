import type { AgentMiddleware, InterruptOnConfig } from 'langchain';
import type { AskOptions } from './beckon.mjs';

/** As LangChain's own, but that people may do all three where `allowedDecisions` is left out. */
type Rule = Omit<InterruptOnConfig, 'allowedDecisions'> & Partial<Pick<InterruptOnConfig, 'allowedDecisions'>>;

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
