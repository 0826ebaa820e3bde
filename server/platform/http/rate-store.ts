import type { FastifyRateLimitStore } from '@fastify/rate-limit';

const MOST = 5_000;

/** Counts requests by key in windows of monotonic time: no step of the machine's clock opens or locks a credential's. */
export class RateStore implements FastifyRateLimitStore {
  readonly #windows = new Map<string, { count: number; endsAt: number }>();

  incr(
    key: string,
    counted: (error: Error | null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const now = performance.now();
    const known = this.#windows.get(key);
    const { count, endsAt } = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
    // Last in the order in which keys are forgotten.
    this.#windows.delete(key);
    this.#windows.set(key, { count: count + 1, endsAt });
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MOST && oldest !== undefined) this.#windows.delete(oldest);
    counted(null, { current: count + 1, ttl: Math.ceil(endsAt - now) });
  }

  child(): RateStore {
    return new RateStore();
  }
}
