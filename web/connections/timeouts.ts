import type { Connection } from '#shared/connections/connection.ts';
import type { DEVICE_MARGIN_MS } from '#shared/live.ts';

// The hub's own number; importing the value would bring its schemas into the page.
const MARGIN_S = (2_000 satisfies typeof DEVICE_MARGIN_MS) / 1000;
const EARLIER_S = 5;
const LEAST_S = 5;

/** The three time-outs where the platform gives up no later than the hub, and what the hub's could be instead. */
export function wrongOrder({ deadline, platformLimit }: Pick<Connection, 'deadline' | 'platformLimit'>) {
  if (platformLimit === undefined || deadline < platformLimit) return undefined;
  const better = Math.max(LEAST_S, Math.floor(platformLimit) - EARLIER_S);
  return {
    platform: platformLimit,
    hub: deadline,
    device: deadline - MARGIN_S,
    ...(better < platformLimit ? { better } : {}),
  };
}
