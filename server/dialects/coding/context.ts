import { z } from 'zod';
import type { Ask } from '#shared/inquiry.ts';

/** Which agent asks and in which folder it works; what is odd about either keeps nobody from being asked. */
export const FromAgent = z.looseObject({
  cwd: z.string().max(1000).optional().catch(undefined),
  agent_type: z.string().min(1).max(200).optional().catch(undefined),
});

/** The same for the person who is asked; `agent`: the agent's name where it gives none. */
export function contextOf(
  { cwd, agent_type: type }: z.output<typeof FromAgent>,
  agent: string,
): NonNullable<Ask['context']> {
  return { agent: type ?? agent, ...(cwd ? { cwd } : {}) };
}
