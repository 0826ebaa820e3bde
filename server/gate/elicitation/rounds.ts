import { AppError } from '#shared/problem.ts';
import type { Gates } from '../gates.ts';
import { answerElicitation, type ElicitationOfGate, type ElicitResult } from './answer.ts';
import { faultOfRound } from './limits.ts';

/** `inputRequests` of an `input_required` result (MCP 2026-07-28), by their keys. */
export type InputRequests = Record<string, { method: string; params?: unknown }>;
export type Round = { inputRequests: InputRequests; requestState?: string | undefined };

/** What an upstream still needs before it can answer, where people alone can give it; else undefined. */
export function roundForPeople(result: unknown): Round | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  if (resultType !== 'input_required' || typeof inputRequests !== 'object' || inputRequests === null) return undefined;
  const requests = Object.values(inputRequests as Record<string, unknown>);
  const elicits = (request: unknown) => (request as { method?: unknown } | null)?.method === 'elicitation/create';
  if (requests.length === 0 || !requests.every(elicits)) return undefined;
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

/** A client's capabilities with the elicitation that the people of its gate take over. */
export function withElicitation(capabilities: unknown): Record<string, unknown> {
  const declared = typeof capabilities === 'object' && capabilities !== null ? capabilities : {};
  return { ...declared, elicitation: { form: {}, url: {} } };
}
