import type { Agent, AgentInputItem, NonStreamRunOptions, Runner, RunResult } from '@openai/agents';
import type { AskOptions } from './beckon.mjs';

// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own bound
type AnyAgent = Agent<any, any>;

export type WithPeople<TContext, TAgent extends AnyAgent> = Omit<AskOptions, 'idempotencyKey' | 'answer'> & {
  /** What `save` was last given for this run, from a row or file that one process has at a time; nothing for a new run. */
  load?: (() => string | null | undefined | Promise<string | null | undefined>) | undefined;
  /** Keeps the run while people decide; '' once it has ended. It holds the conversation. */
  save?: ((kept: string) => unknown) | undefined;
  /** Further options of the SDK's `run`. */
  runOptions?: Omit<NonStreamRunOptions<TContext, TAgent>, 'stream'> | undefined;
  /** In place of the SDK's default one. */
  runner?: Pick<Runner, 'run'> | undefined;
};

/**
 * Runs an agent to its end, as the SDK's `run` does, and asks people about each call that needs approval: each is a question
 * of its own. With `load` and `save` a run goes on in another process, and its questions stay the same; one yes runs a call
 * once, so a process that died while it ran is asked about anew. Throws where the hub stays out of reach; nothing runs then.
 */
export declare function runWithPeople<TAgent extends AnyAgent, TContext = undefined>(
  agent: TAgent,
  input: string | AgentInputItem[],
  options?: WithPeople<TContext, TAgent>,
): Promise<RunResult<TContext, TAgent>>;
