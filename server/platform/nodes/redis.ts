import { setTimeout as pause } from 'node:timers/promises';
import type { BaseLogger } from 'pino';
import { createClient } from 'redis';

const WATCH_MS = 5_000;
const START_MS = 2_000;
const SLOWEST_RETRY_MS = 3_000;

type Client = ReturnType<typeof newClient>;

/** Two connections, fit for `@socket.io/redis-adapter`: one publishes, one listens. */
export type Redis = {
  publisher: Client;
  subscriber: Client;
  /** True from the first sign that Redis is away until it answers again. */
  degraded(): boolean;
  close(): Promise<void>;
};

export type RedisOptions = { url: string; log?: BaseLogger | undefined; watchMs?: number };

/**
 * Connects now if Redis is there within 2 s, else for ever in the background. Redis may go and come at any time:
 * what is published meanwhile is dropped, subscriptions come back, nothing throws.
 */
export async function connectRedis({ url, log, watchMs = WATCH_MS }: RedisOptions): Promise<Redis> {
  const closing = new AbortController();
  const publisher = newClient(url, true);
  const subscriber = newClient(url, false);
  dropWhileAway(publisher);
  insistOnSubscriptions(subscriber, closing.signal);

  const silent = new Set<Client>();
  const degraded = () => silent.size > 0 || !publisher.isReady || !subscriber.isReady;
  let reported = false;
  for (const client of [publisher, subscriber]) {
    client.on('error', (error: Error) => {
      if (!reported) log?.warn({ reason: error.message }, 'Redis cannot be reached; this node goes on by itself');
      reported = true;
    });
    client.on('ready', () => {
      if (reported && !degraded()) log?.info('Redis is back');
      reported &&= degraded();
    });
  }
  await Promise.race([Promise.all([open(publisher), open(subscriber)]), pause(START_MS, undefined, { ref: false })]);
  const watch = setInterval(() => {
    for (const client of [publisher, subscriber]) void listenFor(client, silent, watchMs);
  }, watchMs).unref();

  return {
    publisher,
    subscriber,
    degraded,
    async close() {
      closing.abort();
      clearInterval(watch);
      for (const client of [publisher, subscriber]) client.destroy();
    },
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

/** The adapter publishes without awaiting, so a rejection here would end the process. */
function dropWhileAway(client: Client): void {
  const publish = client.publish.bind(client);
  const publishIfThere = async (channel: string, message: string | Buffer) =>
    client.isReady ? await publish(channel, message).catch(() => 0) : 0;
  Object.assign(client, { publish: publishIfThere });
}

/** node-redis renews a subscription that once stood, but forgets one whose connection broke before the reply. */
function insistOnSubscriptions(client: Client, closing: AbortSignal): void {
  for (const name of ['subscribe', 'pSubscribe'] as const) {
    const once = client[name].bind(client) as (...input: unknown[]) => Promise<void>;
    client[name] = async (...input: unknown[]) => {
      while (!closing.aborted) {
        try {
          return await once(...input);
        } catch {
          await pause(500, undefined, { signal: closing, ref: false }).catch(() => {});
        }
      }
    };
  }
  for (const name of ['unsubscribe', 'pUnsubscribe'] as const) {
    const once = client[name].bind(client) as (...input: unknown[]) => Promise<void>;
    client[name] = (...input: unknown[]) => once(...input).catch(() => {});
  }
}

/** TCP needs a quarter of an hour to notice a machine that vanished; a ping without an answer takes one interval. */
async function listenFor(client: Client, silent: Set<Client>, withinMs: number): Promise<void> {
  if (!client.isReady) return;
  const answered = await Promise.race([
    client.ping().then(
      () => true,
      () => true,
    ),
    pause(withinMs, false, { ref: false }),
  ]);
  if (answered) return void silent.delete(client);
  if (!client.isReady) return;
  silent.add(client);
  client.destroy();
  void open(client).then(() => silent.delete(client));
}

function open(client: Client): Promise<void> {
  // Rejects only when the client is closed, since it reconnects for ever.
  return client.connect().then(
    () => {},
    () => {},
  );
}
