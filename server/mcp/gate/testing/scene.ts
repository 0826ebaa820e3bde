import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { ClientPace } from '../../hold.ts';
import { addDevice } from '../../../devices/admit.ts';
import { ensureOwner } from '../../../people/owner.ts';
import type { Database } from '../../../platform/database.ts';
import { openDatabase } from '../../../platform/engines/open.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createLog, type Log } from '../../../platform/log.ts';
import { readSettings, type Settings } from '../../../platform/settings.ts';
import { createSourceForEverybody } from '../../../sources/create.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import { migratedFolder } from '../../../platform/testing/folder.ts';

/** A whole hub in this process with a gate, "web". */
export type Scene = {
  upstream: Upstream;
  keys: { source: string; other: string };
  /** The address of a gate, with this query. */
  gate(name: string, query?: string): URL;
  /** Makes a gate before this address, which shows the source's key. */
  put(name: string, url: URL, policy: object): Promise<void>;
  /** The inquiries about a call with this text in its arguments, oldest first, once there are `count`. */
  asked(text: string, count?: number): Promise<Inquiry[]>;
  decide(inquiry: Inquiry | undefined, decision: Decision): Promise<void>;
  /** The clients that gave up although they were shown progress; until the first restart. */
  impatient(): Promise<string[]>;
  /** It is so much later for the hub. */
  pass(ms: number): void;
  /** What lets asks in. */
  asks(): Http['asks'];
  /** Stops the hub and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Puts a hub together: `createApp`, which only a test may import. */
export type CreateApp = (
  settings: Settings,
  database: Database,
  log: Log,
  options: { pace?: Partial<ClientPace> },
) => Promise<{ http: Http; start(): Promise<string>; stop(): Promise<void> }>;

/** A database whose clock is ahead. */
async function openMoved(dataDir: string, ahead: () => number): Promise<Database> {
  const real = await openDatabase({ dataDir });
  return { ...real, clock: { now: () => real.clock.now() + ahead() } };
}

export async function openScene(createApp: CreateApp, pace: Partial<ClientPace>): Promise<Scene> {
  const dataDir = await migratedFolder();
  const upstream = await startUpstream();
  const file = join(dataDir, 'gates.json');
  const gates = { web: { upstream: { url: upstream.url } } };
  writeFileSync(file, JSON.stringify({ gates }));
  const log = createLog(process.env['LOG_LEVEL'] ?? 'fatal');
  const others = { DATA_DIR: dataDir, GATES_FILE: file, RATE_LIMIT: '10000000' };
  let passed = 0;
  const open = async (port: number, made?: Database) => {
    const settings = readSettings({ PORT: String(port), ...others });
    const app = await createApp(settings, made ?? (await openMoved(dataDir, () => passed)), log, { pace });
    await app.start();
    return app;
  };
  const database = await openMoved(dataDir, () => passed);
  const owner = await ensureOwner(database);
  const source = await createSourceForEverybody(database, owner.id, 'Agent');
  const other = await createSourceForEverybody(database, owner.id, 'Other agent');
  const { accessToken } = await addDevice(database, owner.id, 'Phone');
  let app = await open(0, database);
  const { port } = app.http.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const call = async <T>(method: string, path: string, token: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const reply = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as T;
  };
  const about = async (text: string): Promise<Inquiry[]> => {
    const lists = await Promise.all(
      [source.key, other.key].map((key) => call<{ items: Inquiry[] }>('GET', '/v1/inquiries?limit=100', key)),
    );
    const items = lists.flatMap((list) => list.items).filter((one) => JSON.stringify(one.actions).includes(text));
    return items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  };
  return {
    upstream,
    pass: (ms) => void (passed += ms),
    keys: { source: source.key, other: other.key },
    gate: (name, query = '') => new URL(`/mcp/gate/${name}${query}`, url),
    async put(name, address, policy) {
      const upstream = { url: String(address), headers: { authorization: `Bearer ${source.key}` } };
      await call('PUT', `/v1/gates/${name}`, accessToken, { upstream, ...policy });
    },
    async asked(text, count = 1) {
      for (;;) {
        const found = await about(text);
        if (found.length >= count) return found;
        await pause(5);
      }
    },
    async decide(inquiry, decision) {
      const { id, digest } = inquiry as Inquiry;
      await call('POST', `/v1/inquiries/${id}/answer`, accessToken, { digest, decisions: [decision] });
    },
    impatient: async () =>
      (await database.read.selectFrom('impatient_clients').select('client').execute()).map((row) => row.client),
    asks: () => app.http.asks,
    async restart() {
      await app.stop();
      app = await open(port);
    },
    async stop() {
      await app.stop();
      await upstream.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
