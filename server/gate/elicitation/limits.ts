import type { InputRequests } from './rounds.ts';

/** So many questions of one upstream may wait for people at once: what comes beyond is a flood and no conversation. */
export const MOST_WAITING = 8;
/** So many may come in one stream, however quickly they are taken back or answered. */
export const MOST_OF_STREAM = 64;
/** What an upstream is told that asks more. */
export const TOO_MANY = `No more than ${MOST_WAITING} questions may wait for people at once here, nor ${MOST_OF_STREAM} come in one stream.`;

/** Why people are not asked all of one round, or undefined. */
export function faultOfRound(requests: InputRequests): string | undefined {
  return Object.keys(requests).length > MOST_WAITING ? TOO_MANY : undefined;
}
