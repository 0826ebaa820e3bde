import { setTimeout as pause } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { createClient } from 'redis';
import { AppError } from '#shared/problem.ts';

const WATCH_MS = 5_000;
const START_MS = 2_000;
const SLOWEST_RETRY_MS = 3_000;
/** How soon a subscription that failed is tried again, and how long anybody waits for one. */
const AGAIN_MS = 500;
const LISTENING_MS = 1_000;

type Client = ReturnType<typeof newClient>;
type Hear = (message: Buffer, channel: Buffer) => void;

/** Sharded publish and subscribe as `@socket.io/redis-adapter` calls it: nothing throws, rejects or waits for Redis. */
export type Redis = {
  /** Drops the message while Redis is away. */
  sPublish(channel: string, message: string | Buffer): Promise<number>;
  /** Hears a channel whenever Redis is there, one listener for each. */
  sSubscribe(channel: string, hear: Hear): void;
  sUnsubscribe(channels: string | string[]): void;
  /** Resolves when everything subscribed so far is heard, or after 1 s: Redis is away. */
  listening(): Promise<unknown>;
  /** True from the first sign that Redis is away until it answers again. */
  degraded(): boolean;
  close(): Promise<void>;
};

export type RedisOptions = { url: string; log?: BaseLogger | undefined; watchMs?: number };

/**
 * Connects now if Redis is there within 2 s, else for ever in the background; refuses one that has no sharded channels
 * with an AppError of one sentence. Redis may go and come at any time: what is published meanwhile is dropped,
 * subscriptions come back.
 */
export async function connectRedis({ url, log, watchMs = WATCH_MS }: RedisOptions): Promise<Redis> {
  const closing = new AbortController();
  const publisher = newClient(url, true);
  const subscriber = newClient(url, false);
  const clients = [publisher, subscriber];

  const silent = new Set<Client>();
  let unfit: string | undefined;
  const degraded = () => unfit !== undefined || silent.size > 0 || !publisher.isReady || !subscriber.isReady;
  let reported = false;
  for (const client of clients) {
    client.on('error', (error: Error) => {
      if (!reported) log?.warn({ reason: error.message }, 'Redis cannot be reached; this node goes on by itself');
      reported = true;
    });
    client.on('ready', () => {
      if (reported && !degraded()) log?.info('Redis is back');
      reported &&= degraded();
    });
  }
  const close = async () => {
    closing.abort();
    clearInterval(watch);
    for (const client of clients) client.destroy();
  };
  const watch = setInterval(() => {
    for (const client of clients) void listenFor(client, silent, watchMs);
  }, watchMs).unref();
  await Promise.race([Promise.all(clients.map(open)), pause(START_MS, undefined, { ref: false })]);
  if ((unfit = await unfitness(publisher))) {
    await close();
    throw new AppError(503, 'redis.unfit', unfit);
  }
  const lookAgain = async (): Promise<void> => {
    if ((unfit = await unfitness(publisher))) log?.error(unfit);
  };
  publisher.on('ready', () => void lookAgain());
  const subscriptions = keepSubscriptions(subscriber, closing.signal, log);
  return {
    async sPublish(channel, message) {
      if (publisher.isReady) void publisher.sPublish(channel, message).catch(() => {});
      return 0;
    },
    ...subscriptions,
    listening: () =>
      Promise.race([degraded() || subscriptions.listening(), pause(LISTENING_MS, undefined, { ref: false })]),
    degraded,
    close,
  };
}

function newClient(url: string, disableOfflineQueue: boolean) {
  return createClient({
    url,
    disableOfflineQueue,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), SLOWEST_RETRY_MS) + Math.random() * 200,
    },
  });
}

/** Why this Redis cannot carry sharded channels, in one sentence; undefined: it can, or is away. */
async function unfitness(client: Client): Promise<string | undefined> {
  if (!client.isReady) return undefined;
  try {
    // Of a cluster, one node refuses only the channels of the others.
    await Promise.all(Array.from({ length: 16 }, (_, at) => client.sPublish(`beckon-${at}`, '')));
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !/unknown command|^MOVED|^NOPERM/.test(error.message)) return undefined;
    return `Redis at REDIS_URL refuses SPUBLISH (${error.message}); use Redis 7 or later, not as a cluster.`;
  }
}

/**
 * Keeps what is heard in step with what is wanted. One change at a time: node-redis loses a channel that is subscribed
 * again before its unsubscription was confirmed, and forgets one whose connection broke before the reply.
 */
function keepSubscriptions(client: Client, closing: AbortSignal, log?: BaseLogger) {
  const wanted = new Map<string, Hear>();
  const heard = new Set<string>();
  const changed = new Set<string>();
  let last: Promise<void> = Promise.resolve();

  const hear: Hear = (message, channel) => {
    try {
      wanted.get(channel.toString())?.(message, channel);
    } catch (error) {
      log?.warn({ err: error }, 'a message from another node could not be read');
    }
  };
  const change = (channel: string): void => {
    if (changed.size === 0) last = last.then(level);
    changed.add(channel);
  };
  async function level(): Promise<void> {
    const channels = [...changed];
    changed.clear();
    const added = channels.filter((channel) => wanted.has(channel) && !heard.has(channel));
    const dropped = channels.filter((channel) => !wanted.has(channel) && heard.has(channel));
    try {
      if (added.length > 0) await client.sSubscribe(added, hear, true);
      for (const channel of added) heard.add(channel);
      if (dropped.length > 0) await client.sUnsubscribe(dropped, hear, true);
      for (const channel of dropped) heard.delete(channel);
    } catch {
      await pause(AGAIN_MS, undefined, { signal: closing, ref: false }).catch(() => {});
      if (!closing.aborted) channels.forEach(change);
    }
  }
  return {
    sSubscribe(channel: string, listener: Hear): void {
      wanted.set(channel, listener);
      change(channel);
    },
    sUnsubscribe(channels: string | string[]): void {
      for (const channel of [channels].flat()) {
        wanted.delete(channel);
        change(channel);
      }
    },
    listening: () => last,
  };
}

/** TCP needs a quarter of an hour to notice a machine that vanished; a ping without an answer takes one interval. */
async function listenFor(client: Client, silent: Set<Client>, withinMs: number): Promise<void> {
  if (!client.isReady) return;
  const pinged = client.ping().catch(() => undefined);
  const answered = await Promise.race([pinged.then(() => true), pause(withinMs, false, { ref: false })]);
  if (answered) return void silent.delete(client);
  if (!client.isReady) return;
  silent.add(client);
  client.destroy();
  void open(client).then(() => silent.delete(client));
}

async function open(client: Client): Promise<void> {
  // Rejects only when the client is closed, since it reconnects for ever.
  await client.connect().catch(() => {});
}
