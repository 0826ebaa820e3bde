import type { DEVICE_MARGIN_MS } from '../live.ts';

// The hub's own number; importing the value would bring its schemas into the page.
const MARGIN_S = (2_000 satisfies typeof DEVICE_MARGIN_MS) / 1000;
const EARLIER_S = 5;
const LEAST_S = 5;

/** How long, in seconds, three wait for the same answer: the longest has to be the client, then the hub, then the device. */
export type Timeouts = { client: number; hub: number; device: number };

/** The three time-outs where the client gives up no later than the hub, and what the hub's could be instead. */
export function wrongOrder(client: number | undefined, hub: number): (Timeouts & { better?: number }) | undefined {
  if (client === undefined || hub < client) return undefined;
  const better = Math.max(LEAST_S, Math.floor(client) - EARLIER_S);
  return { client, hub, device: hub - MARGIN_S, ...(better < client ? { better } : {}) };
}
