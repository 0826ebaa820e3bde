import { type Hub, startHub } from './hub.ts';
import { freePort, freshDatabase, type Redis, startRedis } from './servers.ts';

export type Engine = 'SQLite' | 'Postgres';
/** The nodes of one hub, first to last, and what they share. */
export type Nodes = {
  nodes: [Hub, ...Hub[]];
  redis: Redis | undefined;
  /** Empty on SQLite. */
  databaseUrl: string;
  remove(): Promise<void>;
};
type NodeSettings = Record<string, string> | ((node: number) => Record<string, string>);

/** One node on SQLite, or `count` of them on one Postgres and, where there are several, one Redis. */
export async function startNodes(engine: Engine, count = 1, settings: NodeSettings = {}): Promise<Nodes> {
  const settingsOf = typeof settings === 'function' ? settings : () => settings;
  if (engine === 'SQLite') {
    const hub = await startHub(settingsOf(0));
    return { nodes: [hub], redis: undefined, databaseUrl: '', remove: () => hub.remove() };
  }
  await using cleaning = new AsyncDisposableStack();
  const database = cleaning.adopt(await freshDatabase(), ({ drop }) => drop());
  const redis = count > 1 ? cleaning.adopt(await startRedis(), ({ kill }) => kill()) : undefined;
  const sealing = { SEALING_KEY: Buffer.alloc(32, 7).toString('base64') };
  const shared = { DATABASE_URL: database.url, ...sealing };
  const node = async (at: number): Promise<Hub> => {
    const port = String(await freePort());
    const beside = redis ? { REDIS_URL: redis.url, NODE_URL: `http://127.0.0.1:${port}`, PORT: port } : {};
    return cleaning.adopt(await startHub({ ...shared, ...beside, ...settingsOf(at) }), (hub) => hub.remove());
  };
  const nodes: Nodes['nodes'] = [await node(0)];
  while (nodes.length < count) nodes.push(await node(nodes.length));
  const kept = cleaning.move();
  return { nodes, redis, databaseUrl: database.url, remove: () => kept.disposeAsync() };
}
