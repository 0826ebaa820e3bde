import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../server/platform/database.ts';
import { privatePostgres } from '../../../server/platform/testing/postgres.ts';
import { send } from '../calls.ts';
import { connect, disconnect, type Devices } from '../cycle.ts';
import { quantile } from '../machine.ts';
import { rowOf, type Row } from '../report.ts';
import { enrol, newKey, runHub, type Hub, type Who } from '../target.ts';

const PEOPLE = 100;
const DEVICES = 10;
const SOURCES = 10;
const ASKS_A_SECOND = 10;
const MINUTE_MS = 60_000;
/** How long a device stays, and how long it is away. */
const STAY_MS = [15_000, 60_000] as const;
const AWAY_MS = [5_000, 20_000] as const;
/** A person takes so long. */
const THINK_MS = [200, 3_000] as const;

type Soaked = Hub<{ keys: string[]; people: Who[] }>;
type Minute = Record<
  'asks' | 'p50' | 'p99' | 'heap' | 'resident' | 'handles' | 'live' | 'starved' | 'knocking',
  number
>;

const between = ([least, most]: readonly [number, number]) => least + Math.random() * (most - least);

async function makeSoaked(database: Database) {
  const people: Who[] = [];
  for (let at = 0; at < PEOPLE; at++) people.push(await enrol(database, `person${at}`, DEVICES));
  const keys: string[] = [];
  for (let at = 0; at < SOURCES; at++) keys.push(await newKey(database));
  return { people, keys };
}

/** Mixed load that lasts: memory, handles and p99 of each minute, and of the last third against the one before. */
export async function* measureSoak(engines: Row['engine'][], minutes: number): AsyncGenerator<Row[]> {
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await privatePostgres({}, tmpdir()) : undefined;
    const databaseUrl = (await postgres?.createDatabase())?.url;
    const hub = await runHub({ databaseUrl }, makeSoaked);
    try {
      yield compareThirds(engine, await soak(hub, engine, minutes));
    } finally {
      await hub.stop();
      await postgres?.stop();
    }
  }
}

async function soak(hub: Soaked, engine: Row['engine'], minutes: number): Promise<Minute[]> {
  const over = new AbortController();
  const live = new Set<Devices>();
  let times: number[] = [];
  const devices = hub.people.flatMap(({ tokens }) => tokens.map((token) => comeAndGo(hub, token, live, over.signal)));
  const asking = ask(hub, over.signal, (ms) => times.push(ms));
  const seen: Minute[] = [];
  process.stdout.write(
    `${engine}: minute  asks  p50 ms  p99 ms  heap MiB  memory MiB  handles  devices  starved %  not accepted\n`,
  );
  let waited = waitedOf(hub.pid);
  let from = performance.now();
  for (let at = 1; at <= minutes; at++) {
    await Promise.race([pause(MINUTE_MS), asking]);
    const [taken, connected, handles] = [times, live.size, readdirSync(`/proc/${hub.pid}/fd`).length];
    // Collecting its garbage takes its time from nobody's ask.
    const heap = (await hub.heap()) / 2 ** 20;
    const starved = (100 * (waitedOf(hub.pid) - waited)) / (performance.now() - from);
    [times, waited, from] = [[], waitedOf(hub.pid), performance.now()];
    const of = (share: number) => quantile(taken, share);
    const one = { asks: taken.length, p50: of(0.5), p99: of(0.99), heap, resident: residentOf(hub.pid), handles };
    const knocking = notAccepted(hub.url);
    seen.push({ ...one, live: connected, starved, knocking });
    const { asks, p50, p99, resident } = one;
    const figures = [p50.toFixed(1), p99.toFixed(1), heap.toFixed(1), resident.toFixed(0)];
    const cells = [at, asks, ...figures, handles, connected, starved.toFixed(0), knocking];
    process.stdout.write(
      `${engine}: ${cells.map((cell, column) => String(cell).padStart(WIDTHS[column]!)).join('')}\n`,
    );
  }
  over.abort();
  await Promise.all([...devices, asking]);
  return seen;
}
const WIDTHS = [6, 6, 8, 8, 10, 12, 9, 9, 11, 14];

/** Milliseconds in which the main thread could have run and others had the processor: with them, a p99 says nothing. */
function waitedOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

/** Lines that the kernel took and the hub has not: devices that are neither there nor refused. */
function notAccepted(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const listening = new RegExp(`:${port} \\S+ 0A \\w+:(\\w+)`);
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8'));
  return Math.max(...tables.map((table) => Number.parseInt(listening.exec(table)?.[1] ?? '0', 16)));
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** A device that is there for a while, and then is not. */
async function comeAndGo(hub: Soaked, token: string, live: Set<Devices>, over: AbortSignal): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal: over, ref: false }).catch(() => {});
  for (await rest(between([0, STAY_MS[0]])); !over.aborted; await rest(between(AWAY_MS))) {
    const device = await connect(hub, [token]);
    live.add(device);
    await rest(between(STAY_MS));
    live.delete(device);
    disconnect(device);
  }
}

/** Asks at an even pace, whatever became of those before; `took` is told of each how long it was until it was stored. */
async function ask(hub: Soaked, over: AbortSignal, took: (ms: number) => void): Promise<void> {
  const open = new Set<Promise<void>>();
  const begun = performance.now();
  const failed = Promise.withResolvers<never>();
  for (let at = 0; !over.aborted; at++) {
    const one: Promise<void> = askOne(hub, at, took).finally(() => open.delete(one));
    one.catch(failed.reject);
    open.add(one);
    const early = begun + ((at + 1) * 1000) / ASKS_A_SECOND - performance.now();
    await Promise.race([failed.promise, pause(Math.max(0, early))]);
  }
  await Promise.all(open);
}

/** Of ten, six are answered, one is declined, two are withdrawn and one expires; half of their askers wait. */
async function askOne(hub: Soaked, at: number, took: (ms: number) => void): Promise<void> {
  const key = hub.keys[at % hub.keys.length]!;
  const person = hub.people[Math.floor(Math.random() * hub.people.length)]!;
  const token = person.tokens[at % DEVICES]!;
  const kind = at % 10;
  const body = { to: [person.handle], prompt: `Ship ${at}?`, ...(kind === 9 ? { deadline: 5 } : {}) };
  const begun = performance.now();
  const { id } = await send<{ id: string }>(hub, '/v1/inquiries', key, body);
  took(performance.now() - begun);
  const waiting = at % 2 === 0 ? send(hub, `/v1/inquiries/${id}?wait=30`, key) : undefined;
  await pause(between(THINK_MS));
  if (kind < 6) await send(hub, `/v1/inquiries/${id}/answer`, token, { text: 'Yes' });
  else if (kind === 6) await send(hub, `/v1/inquiries/${id}/answer`, token, { outcome: 'declined' });
  else if (kind < 9) await send(hub, `/v1/inquiries/${id}/withdraw`, key, {});
  await send(hub, kind % 3 === 0 ? '/v1/inbox' : '/v1/history', token);
  await waiting;
}

function compareThirds(engine: Row['engine'], minutes: Minute[]): Row[] {
  const third = Math.floor(minutes.length / 3);
  const [before, last] = [minutes.slice(-2 * third, -third), minutes.slice(-third)];
  const row = (name: string, unit: string, figure: keyof Minute) =>
    rowOf({ name, engine, unit }, { hub: last.map((one) => one[figure]), bare: before.map((one) => one[figure]) });
  return [
    row('the last third, bare the one before: p99 of an ask', 'ms', 'p99'),
    row('… heap', 'MiB', 'heap'),
    row('… memory of the process', 'MiB', 'resident'),
    row('… handles', '', 'handles'),
    row('… time in which others had the processor', '%', 'starved'),
  ];
}
