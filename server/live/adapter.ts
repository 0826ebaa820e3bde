import { createAdapter } from '@socket.io/redis-adapter';
import type { Log } from '../platform/log.ts';
import type { Redis } from '../platform/nodes/redis.ts';

type AdapterOf = ReturnType<typeof createAdapter>;
type Listening = Record<'onmessage' | 'onrequest', (...message: unknown[]) => unknown>;

/**
 * Carries events between nodes as hints: with Redis gone one reaches this node's sockets only, nothing is kept for
 * later and nothing throws; back again, it reaches all.
 */
export function hintAdapter({ publisher, subscriber }: Redis, log: Log): AdapterOf {
  const make = createAdapter(publisher, subscriber, { key: 'beckon-live', parser: jsonCodec });
  // A function, because socket.io calls it with `new`.
  return function tolerant(namespace: Parameters<AdapterOf>[0]) {
    const adapter = make(namespace);
    // The adapter reads what comes from Redis without a catch: a message it cannot read would end the process.
    const listening = adapter as unknown as Listening;
    for (const name of ['onmessage', 'onrequest'] as const) {
      const listen = listening[name].bind(adapter);
      listening[name] = async (...message) => {
        try {
          await listen(...message);
        } catch (error) {
          log.warn({ err: error }, 'a message from another node could not be read');
        }
      };
    }
    return adapter;
  };
}

/** JSON instead of msgpack, which would turn a number kept as it was written into an object. */
const jsonCodec = {
  encode: (value: unknown) => JSON.stringify(value),
  decode: (message: Buffer): unknown => JSON.parse(message.toString()),
};
