import { randomBytes } from 'node:crypto';
import type { Redis } from './redis.ts';

/** Hints between nodes that an inquiry changed. One may be lost or come twice, so whoever waits also re-reads now and then. */
export type Signals = {
  publish(inquiryId: string): void;
  /** Hears every node's publishes, this one's included; the result ends it. */
  subscribe(listener: (inquiryId: string) => void): () => void;
  degraded(): boolean;
  close(): Promise<void>;
};

/** Signals of a hub that is one node. */
export function localSignals(): Signals {
  const listeners = new Set<(inquiryId: string) => void>();
  return {
    // A listener that throws must not reach the one who published, nor keep the others from hearing.
    publish: (inquiryId) => listeners.forEach((listener) => queueMicrotask(() => listener(inquiryId))),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    degraded: () => false,
    close: async () => listeners.clear(),
  };
}

/** Signals between nodes over Redis; while it is away each node hears itself only. */
export async function redisSignals({
  redis,
  channel = 'beckon-signals',
}: {
  redis: Redis;
  channel?: string;
}): Promise<Signals> {
  const local = localSignals();
  const node = randomBytes(8).toString('hex');
  redis.sSubscribe(channel, (message) => {
    const [sender, ...ids] = message.toString().split(' ');
    if (sender !== node) ids.forEach(local.publish);
  });
  await redis.listening();
  const untold = new Set<string>();
  const tell = (): void => {
    void redis.sPublish(channel, [node, ...untold].join(' '));
    untold.clear();
  };
  return {
    publish(inquiryId) {
      // Told at home at once, so that a lost Redis delays nobody who waits on this very node.
      local.publish(inquiryId);
      // Every node reads every message: those of one turn of the event loop are one.
      if (untold.size === 0) setImmediate(tell);
      untold.add(inquiryId);
    },
    subscribe: (listener) => local.subscribe(listener),
    degraded: () => redis.degraded(),
    async close() {
      redis.sUnsubscribe(channel);
      await local.close();
    },
  };
}
