import { AppError } from '#shared/problem.ts';
import { elicitResultOf, type ElicitResult } from '../../gate/elicitation/answer.ts';
import { askOfElicitation } from '../../gate/elicitation/read.ts';
import { INVALID_PARAMS } from '../../gate/messages.ts';
import { keyed, type Deciding } from './hold.ts';
import { askPeople, PATIENCE } from './people.ts';

/** An elicitation that was refused: a JSON-RPC error. */
export type Refused = { code: number; message: string };
export type Elicit = (
  params: unknown,
  agent: string | undefined,
  signal: AbortSignal,
) => Promise<ElicitResult | Refused | 'gone'>;

/** Asks people of the hub what a wrapped server asks its client. Where no hub replies nobody decided: a cancel. Never throws. */
export function createElicit({ gate, hub, patience = PATIENCE }: Deciding): Elicit {
  return async (params, agent, signal) => {
    try {
      const asked = await askOfElicitation({ gate: { ...gate, to: gate.to }, source: { id: 'cli' }, params, agent });
      const ask = keyed(asked, gate);
      const inquiry = await askPeople(await hub(), ask, signal, patience);
      if (inquiry === 'gone') return inquiry;
      return inquiry.resolution ? elicitResultOf(ask, inquiry.resolution) : { action: 'cancel' };
    } catch (error) {
      if (error instanceof AppError && error.status === 422) return { code: INVALID_PARAMS, message: error.message };
      return { action: 'cancel' };
    }
  };
}
