import { type Hub, startHub } from './hub.ts';
import { freePort, freshDatabase, type Redis, startRedis } from './servers.ts';

export type Engine = 'SQLite' | 'Postgres';
/** The nodes of one hub, first to last, and what they share. */
export type Nodes = { nodes: [Hub, ...Hub[]]; redis: Redis | undefined; remove(): Promise<void> };

/** One node on SQLite, or `count` of them on one Postgres and, where there are several, one Redis. */
export async function startNodes(engine: Engine, count = 1, settings: Record<string, string> = {}): Promise<Nodes> {
  if (engine === 'SQLite') {
    const hub = await startHub(settings);
    return { nodes: [hub], redis: undefined, remove: () => hub.remove() };
  }
  await using cleaning = new AsyncDisposableStack();
  const database = cleaning.adopt(await freshDatabase(), ({ drop }) => drop());
  const redis = count > 1 ? cleaning.adopt(await startRedis(), ({ kill }) => kill()) : undefined;
  const sealing = { SEALING_KEY: Buffer.alloc(32, 7).toString('base64') };
  const shared = { DATABASE_URL: database.url, ...sealing, ...settings };
  const node = async (): Promise<Hub> => {
    const port = String(await freePort());
    const beside = redis ? { REDIS_URL: redis.url, NODE_URL: `http://127.0.0.1:${port}`, PORT: port } : {};
    return cleaning.adopt(await startHub({ ...shared, ...beside }), (hub) => hub.remove());
  };
  const nodes: Nodes['nodes'] = [await node()];
  while (nodes.length < count) nodes.push(await node());
  const kept = cleaning.move();
  return { nodes, redis, remove: () => kept.disposeAsync() };
}
