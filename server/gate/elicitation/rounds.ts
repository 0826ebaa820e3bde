import { AppError } from '#shared/problem.ts';
import type { Gates } from '../gates.ts';
import { answerElicitation, type ElicitationOfGate, type ElicitResult } from './answer.ts';
import { faultOfRound } from './limits.ts';

/** `inputRequests` of an `input_required` result (MCP 2026-07-28), by their keys. */
export type InputRequests = Record<string, { method: string; params?: unknown }>;
export type Round = { inputRequests: InputRequests; requestState?: string | undefined };

/** Why a call ends whose upstream wants what neither people nor, beside them, its client may give. */
export const NOT_FOR_PEOPLE = 'The MCP server asks its client for more than people can answer in its place.';

/** What an upstream still needs before it can answer, where people can give it; undefined where it needs nothing. */
export function roundForPeople(result: unknown): Round | 'not for people' | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  const requests = Object.values(inputRequests ?? {});
  if (resultType !== 'input_required' || requests.length === 0) return undefined;
  const elicits = (request: unknown) => (request as { method?: unknown } | null)?.method === 'elicitation/create';
  if (!requests.every(elicits)) return 'not for people';
  return {
    inputRequests: inputRequests as InputRequests,
    ...(typeof requestState === 'string' ? { requestState } : {}),
  };
}

/**
 * Asks people all that one round asks, at the same time; the result is the `inputResponses` of the call's
 * next round. Throws as `answerElicitation` does, once nothing of the round waits any more.
 */
export async function answerRound(
  gates: Gates,
  { inputRequests }: Round,
  elicitation: Omit<ElicitationOfGate, 'params'>,
): Promise<Record<string, ElicitResult> | 'gone'> {
  const fault = faultOfRound(inputRequests);
  if (fault) throw new AppError(422, 'elicitation.invalid', fault);
  const others = new AbortController();
  const signal = AbortSignal.any([elicitation.signal, others.signal]);
  const answering = Object.entries(inputRequests).map(async ([key, { params }]) => {
    try {
      return [key, await answerElicitation(gates, { ...elicitation, params, signal })] as const;
    } catch (error) {
      others.abort();
      throw error;
    }
  });
  const settled = await Promise.allSettled(answering);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (answers.some(([, answer]) => answer === 'gone')) return 'gone';
  return Object.fromEntries(answers) as Record<string, ElicitResult>;
}
