import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { addDevice } from '../../server/devices/admit.ts';
import { newId } from '../../shared/ids.ts';
import { ensureOwner } from '../../server/people/owner.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { createSourceForEverybody } from '../../server/sources/create.ts';

export type Who = { handle: string; tokens: string[] };
/** A server under measurement and who may talk to it. */
export type Target = {
  name: string;
  url: string;
  key: string;
  people: Who[];
  crowd: Who;
  pid: number;
  stop(): Promise<void>;
};

export const PEOPLE = 20;
export const DEVICES = 4;
export const CROWD = 1000;
const ENROLLED_AT_ONCE = 20;
const ROOT = resolve(import.meta.dirname, '../..');

/** The bare server; its "tokens" are only the person's name. */
export async function startBare(): Promise<Target> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const who = (handle: string, count: number): Who => ({
    handle,
    tokens: Array.from({ length: count }, (_, at) => `${handle} ${at}`),
  });
  return {
    name: 'bare socket.io',
    url: `http://127.0.0.1:${port}`,
    key: 'none',
    people: Array.from({ length: PEOPLE }, (_, at) => who(`person${at}`, DEVICES)),
    crowd: who('crowd', CROWD),
    pid: child.pid ?? 0,
    stop: () => end(child),
  };
}

/** A hub on SQLite, or on the Postgres at `databaseUrl`, with its people and devices let in beforehand. */
export async function startHub(
  name: string,
  databaseUrl?: string,
  settings: Record<string, string> = {},
): Promise<Target & { restart(): Promise<number> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-bench-'));
  const { key, people, crowd } = await prepare(dataDir, databaseUrl);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '10000000',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...settings,
  };
  let child: ChildProcess;
  let url = '';
  const start = async (): Promise<number> => {
    const begun = performance.now();
    const started = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const [line] = (await once(createInterface({ input: started.stdout }), 'line')) as [string];
    url = line.replace(/^.*(http:\/\/)localhost/, '$1127.0.0.1');
    while (!(await fetch(`${url}/readyz`)).ok);
    return performance.now() - begun;
  };
  await start();
  return {
    name,
    get url() {
      return url;
    },
    get pid() {
      return child.pid ?? 0;
    },
    key,
    people,
    crowd,
    async restart() {
      await end(child);
      return start();
    },
    async stop() {
      await end(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resident memory of a process, in bytes. */
export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

async function prepare(dataDir: string, databaseUrl: string | undefined) {
  const database = await openDatabase({ dataDir, databaseUrl });
  const owner = await ensureOwner(database);
  const { key } = await createSourceForEverybody(database, owner.id, 'bench');
  const enroll = async (handle: string, count: number): Promise<Who> => {
    const now = database.clock.now();
    const id = newId('per', now);
    await database.transaction((trx) =>
      trx.insertInto('people').values({ id, handle, name: handle, created_at: now, locale: null }).execute(),
    );
    const tokens: string[] = [];
    // A pool gives up on whoever waits 5 s for a connection, as the last of a thousand at once would on a slow machine.
    for (let at = 0; at < count; at += ENROLLED_AT_ONCE) {
      const names = Array.from(
        { length: Math.min(ENROLLED_AT_ONCE, count - at) },
        (_, more) => `${handle} ${at + more}`,
      );
      const devices = await Promise.all(names.map((name) => addDevice(database, id, name)));
      tokens.push(...devices.map(({ accessToken }) => accessToken));
    }
    return { handle, tokens };
  };
  const people: Who[] = [];
  for (let at = 0; at < PEOPLE; at++) people.push(await enroll(`person${at}`, DEVICES));
  const crowd = await enroll('crowd', CROWD);
  await database.close();
  return { key, people, crowd };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
