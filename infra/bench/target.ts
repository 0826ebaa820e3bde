import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { addDevice } from '../../server/devices/admit.ts';
import { newId } from '../../shared/ids.ts';
import { ensureOwner } from '../../server/people/owner.ts';
import type { Database } from '../../server/platform/database.ts';
import { openDatabase } from '../../server/platform/engines/open.ts';
import { createSourceForEverybody } from '../../server/sources/create.ts';
import type { Counts } from './inside.ts';

/** A server process under measurement. */
export type Running = {
  url: string;
  pid: number;
  /** Counts from now on what it does to its database. */
  count(): Promise<void>;
  /** What was counted since; nothing is counted any more, because that takes time. */
  counts(): Promise<Counts>;
  /** Bytes of its heap after a collection. */
  heap(): Promise<number>;
  /** All that it takes after a collection. */
  memory(): Promise<NodeJS.MemoryUsage>;
  stop(): Promise<void>;
};
export type Who = { handle: string; tokens: string[] };
type Everybody = { key: string; people: Who[]; crowd: Who };
/** A server and who may talk to it. */
export type Target = Running & Everybody;
export type Hub<Made> = Running & Made & { restart(between?: (database: Database) => Promise<void>): Promise<number> };
export type HubOptions = { databaseUrl?: string | undefined; settings?: Record<string, string>; flags?: string[] };

const PEOPLE = 20;
const DEVICES = 4;
export const CROWD = 1000;
const ENROLLED_AT_ONCE = 20;
const ROOT = resolve(import.meta.dirname, '../..');

/** A baseline; its "tokens" are the person's name and a device's. */
export async function startBaseline(
  kind: 'memory' | 'sqlite' | 'postgres',
  messages: Messages,
  databaseUrl = '',
): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'));
  const database = kind === 'sqlite' ? join(folder, 'floor.sqlite') : databaseUrl;
  const command = [join(import.meta.dirname, 'baseline.ts'), kind, database, JSON.stringify(messages)];
  const { child, line } = await started(command, { ...process.env, ...portOf(databaseUrl) });
  const who = (handle: string, count: number): Who => ({
    handle,
    tokens: Array.from({ length: count }, () => `${handle} ${newId('dev', Date.now())}`),
  });
  return {
    url: `http://127.0.0.1:${line}`,
    key: 'k'.repeat(40),
    people: Array.from({ length: PEOPLE }, (_, at) => who(`person${at}`, DEVICES)),
    crowd: who('crowd', CROWD),
    pid: child.pid ?? 0,
    ...inspected(() => child),
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Any other server, which prints its address. */
export async function runChild(command: string[]): Promise<Running> {
  const { child, line } = await started(command, process.env);
  return { url: line, pid: child.pid ?? 0, ...inspected(() => child), stop: () => end(child) };
}

/** A hub with 20 people of four devices each, and one of a thousand. */
export function startHub(options: HubOptions = {}, crowd = CROWD): Promise<Hub<Everybody>> {
  return runHub(options, async (database) => {
    const people: Who[] = [];
    for (let at = 0; at < PEOPLE; at++) people.push(await enrol(database, `person${at}`, DEVICES));
    return { key: await newKey(database), people, crowd: await enrol(database, 'crowd', crowd) };
  });
}

/** A hub on SQLite, or on the Postgres at `databaseUrl`, with what `make` puts into its database beforehand. */
export async function runHub<Made extends object>(
  { databaseUrl, settings, flags = [] }: HubOptions,
  make: (database: Database) => Promise<Made>,
): Promise<Hub<Made>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-bench-'));
  const change = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await openDatabase({ dataDir, databaseUrl });
    const result = await work(database);
    await database.close();
    return result;
  };
  const made = await change(make);
  const env = {
    // As `npm start` sets it.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '10000000',
    STREAM_LIMIT: '100000',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl, ...portOf(databaseUrl) } : {}),
    ...settings,
  };
  let child: ChildProcess;
  let url = '';
  const start = async (): Promise<number> => {
    const begun = performance.now();
    const hub = await started([...flags, join(ROOT, 'server/main.ts')], env);
    child = hub.child;
    url = hub.line.replace(/^.*(http:\/\/)localhost/, '$1127.0.0.1');
    while (!(await fetch(`${url}/readyz`)).ok);
    return performance.now() - begun;
  };
  await start();
  const running = {
    get url() {
      return url;
    },
    get pid() {
      return child.pid ?? 0;
    },
    ...inspected(() => child),
    async restart(between?: (database: Database) => Promise<void>) {
      await end(child);
      if (between) await change(between);
      return start();
    },
    async stop() {
      await end(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return Object.defineProperties(running, Object.getOwnPropertyDescriptors(made)) as Hub<Made>;
}

/** The key of a new source that may ask everybody. */
export async function newKey(database: Database): Promise<string> {
  const owner = await ensureOwner(database);
  return (await createSourceForEverybody(database, owner.id, 'bench')).key;
}

/** A person with this many devices. */
export async function enrol(database: Database, handle: string, devices: number): Promise<Who> {
  const now = database.clock.now();
  const id = newId('per', now);
  await database.transaction((trx) =>
    trx.insertInto('people').values({ id, handle, name: handle, created_at: now, locale: null }).execute(),
  );
  const tokens: string[] = [];
  // A pool gives up on whoever waits 5 s for a connection, as the last of a thousand at once would on a slow machine.
  for (let at = 0; at < devices; at += ENROLLED_AT_ONCE) {
    const names = Array.from(
      { length: Math.min(ENROLLED_AT_ONCE, devices - at) },
      (_, more) => `${handle} ${at + more}`,
    );
    const made = await Promise.all(names.map((name) => addDevice(database, id, name)));
    tokens.push(...made.map(({ accessToken }) => accessToken));
  }
  return { handle, tokens };
}

async function started(command: string[], env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; line: string }> {
  const flags = ['--expose-gc', '--import', join(import.meta.dirname, 'inside.ts')];
  const child = spawn(process.execPath, [...flags, ...command], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const line = once(createInterface({ input: child.stdout! }), 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${command.join(' ').slice(0, 200)} ended with ${String(code)} before it was ready`);
  });
  ended.catch(() => {});
  return { child, line: (await Promise.race([line, ended]))[0] };
}

/** By which `inside.ts` knows what goes to Postgres. */
function portOf(databaseUrl: string): Record<string, string> {
  return databaseUrl === '' ? {} : { BENCH_POSTGRES_PORT: new URL(databaseUrl).port };
}

function inspected(child: () => ChildProcess): Pick<Running, 'count' | 'counts' | 'heap' | 'memory'> {
  const told = async (question: string): Promise<unknown> => {
    const reply = once(child(), 'message');
    child().send(question);
    return (await reply)[0];
  };
  const memory = () => told('memory') as Promise<NodeJS.MemoryUsage>;
  return {
    count: async () => void (await told('count')),
    counts: () => told('counts') as Promise<Counts>,
    heap: async () => (await memory()).heapUsed,
    memory,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** What a hub sends in one cycle; the baselines send the same with other ids. */
export type Messages = {
  snapshot: object;
  inquiry: { inquiry: { id: string } };
  ack: object;
  withdraw: object;
  reply: { resolution: object };
};
