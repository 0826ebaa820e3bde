import { AppError } from '#shared/problem.ts';
import type { ElicitResult } from '../../dialects/elicitation/write.ts';

/** So many questions of one upstream may wait for people at once: what comes beyond is a flood and no conversation. */
export const MOST_WAITING = 8;
/** So many may come in one stream, however quickly they are taken back or answered. */
export const MOST_OF_STREAM = 64;
/** What an upstream is told that asks more. */
export const TOO_MANY = `No more than ${MOST_WAITING} questions may wait for people at once here, nor ${MOST_OF_STREAM} come in one stream.`;
/** Why a call ends whose upstream wants what neither people nor, beside them, its client may give. */
export const NOT_FOR_PEOPLE = 'The MCP server asks its client for more than people can answer in its place.';

/** Asks people one thing and waits. "gone": nobody is there to be told. Throws `AppError` 422 where it cannot be shown. */
export type Elicit = (params: unknown, signal: AbortSignal) => Promise<ElicitResult | 'gone'>;

/** What an upstream still needs before it can answer: `inputRequests` of an `input_required` result (MCP 2026-07-28), by their keys. */
export type Round = { inputRequests: Record<string, { params?: unknown }>; requestState?: string };

/** What an upstream still needs, where people can give it; undefined where it needs nothing. */
export function roundForPeople(result: unknown): Round | 'not for people' | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  const requests = Object.values(inputRequests ?? {});
  if (resultType !== 'input_required' || requests.length === 0) return undefined;
  const elicits = (request: unknown) => (request as { method?: unknown } | null)?.method === 'elicitation/create';
  if (!requests.every(elicits)) return 'not for people';
  return {
    inputRequests: inputRequests as Round['inputRequests'],
    ...(typeof requestState === 'string' ? { requestState } : {}),
  };
}

/**
 * Asks people all that one round asks, at the same time; the result is the `inputResponses` of the call's
 * next round. Throws as `elicit` does, once nothing of the round waits any more.
 */
export async function answerRound(
  { inputRequests }: Round,
  elicit: Elicit,
  given: AbortSignal,
): Promise<Record<string, ElicitResult> | 'gone'> {
  const requests = Object.entries(inputRequests);
  if (requests.length > MOST_WAITING) throw new AppError(422, 'elicitation.invalid', TOO_MANY);
  const others = new AbortController();
  const signal = AbortSignal.any([given, others.signal]);
  const answering = requests.map(async ([key, { params }]) => {
    try {
      return [key, await elicit(params, signal)] as const;
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
