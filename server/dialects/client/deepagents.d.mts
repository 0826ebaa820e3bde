import type { CreateDeepAgentParams } from 'deepagents';
import type { AskOptions } from './beckon.mjs';

/**
 * The params of `createDeepAgent` with people in place of its `interruptOn`: each call of these tools is a question of its
 * own, of the main agent and of its sub-agents, whose names are on the card. A sub-agent's own `interruptOn` stands in for
 * the main agent's, as in Deep Agents; one that is compiled, or runs elsewhere, is left as it is. The sub-agent for general
 * purposes has the main agent's middleware too. Throws in the run where the hub stays out of reach; the call does not run.
 */
export declare function withPeople<Params extends Pick<CreateDeepAgentParams, 'interruptOn' | 'subagents'>>(
  params: Params,
  options?: Omit<AskOptions, 'idempotencyKey' | 'answer'>,
): Omit<Params, 'interruptOn'>;
