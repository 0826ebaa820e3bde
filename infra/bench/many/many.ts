import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { privatePostgres } from '../../../server/platform/testing/postgres.ts';
import { send } from '../calls.ts';
import { cpuMs, quantile } from '../machine.ts';
import type { Size as Cycles } from '../measure.ts';
import { rowOf, type Row } from '../report.ts';
import { runHub, type Hub } from '../target.ts';
import { measureBehind } from './behind.ts';
import { startCrowd, type Crowd } from './crowd.ts';
import { ALL, makePeople, type Many } from './made.ts';

const PEOPLE = 1_000;
const ASK_EVERY_MS = 50;
/** V8 gives back what it no longer needs a while later. */
const REST_MS = 15_000;
const STORMS = 2;
const ROUNDS: Cycles = { rounds: 3, warmCycles: 500, aloneCycles: 20, togetherMs: 1_000, fanOuts: 0 };

type Engine = Row['engine'];

export type Size = { devices: number; resolved: number; minutes: number };

/** Each engine in turn, on the disk that the databases of this machine lie on. */
export async function* measureMany(engines: Engine[], { devices, resolved, minutes }: Size): AsyncGenerator<Row[]> {
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await privatePostgres({}, tmpdir()) : undefined;
    const url = async () => (await postgres?.createDatabase())?.url;
    const far = { resolved, minutes, size: ROUNDS, postgresPid: postgres?.pid() };
    try {
      if (devices > 0) yield await measureLines(engine, await url(), devices);
      if (resolved > 0) yield* measureBehind(engine, [await url(), await url()], far);
    } finally {
      await postgres?.stop();
    }
  }
}

/** A node with very many lines: what all of them at once cost it, and what they do to others. */
async function measureLines(engine: Engine, databaseUrl: string | undefined, devices: number): Promise<Row[]> {
  const people = Math.min(PEOPLE, devices);
  const hub = await runHub({ databaseUrl, flags: flagsOf() }, (database) =>
    makePeople(database, people, Math.round(devices / people)),
  );
  const crowd = startCrowd();
  try {
    const row = (name: string, unit: string, ...values: number[]) => rowOf({ name, engine, unit }, { hub: values });
    const empty = await hub.heap();
    const cpuBefore = cpuMs(hub.pid);
    const connected = await timed(() => crowd.connect(Number(new URL(hub.url).port), devicesOf(hub)));
    const connecting = (cpuMs(hub.pid) - cpuBefore) / devices;
    const before = { heap: await hub.heap(), resident: residentOf(hub.pid) };
    const asked = await askAll(hub, crowd);
    const each = await askEach(hub, crowd);
    const storms: Storm[] = [];
    for (let storm = 0; storm < STORMS; storm++) storms.push(await reconnect(hub, crowd));
    await pause(REST_MS);
    const after = { heap: await hub.heap(), resident: residentOf(hub.pid) };
    const mib = (bytes: number) => bytes / 2 ** 20;
    return [
      row(`${devices} devices connected, the last`, 's', connected / 1000),
      row('… CPU of the hub for each', 'ms', connecting),
      row('heap per device', 'KiB', (before.heap - empty) / devices / 1024),
      row(`one question to ${people} people, acknowledged`, 'ms', asked.acknowledged),
      row('… on the last device', 'ms', asked.shown),
      row('… withdrawn from the last device', 'ms', asked.withdrawn),
      row(`${people} questions at once, all on their devices`, 'ms', each.shown),
      row(`all lines cut, the last snapshot`, 's', ...storms.map(({ ms }) => ms / 1000)),
      row('… CPU of the hub for each', 'ms', ...storms.map((storm) => storm.cpuMs / devices)),
      row('… the worst ask meanwhile', 'ms', ...storms.map(({ worstAsk }) => worstAsk)),
      row('… the median ask meanwhile', 'ms', ...storms.map(({ medianAsk }) => medianAsk)),
      row('… devices that show something else', '', ...storms.map(({ wrong }) => wrong)),
      row('… heap after, of what it was', 'x', after.heap / before.heap),
      row('… memory of the process before', 'MiB', mib(before.resident)),
      row('… memory of the process after', 'MiB', mib(after.resident)),
    ];
  } finally {
    await crowd.end();
    await hub.stop();
  }
}

async function askAll(hub: Hub<Many>, crowd: Crowd) {
  const begun = performance.now();
  const shown = timed(() => crowd.hear({ event: 'inquiry', times: 1 }));
  const { id } = await ask(hub, ALL);
  const acknowledged = performance.now() - begun;
  const shownMs = await shown;
  const withdrawn = timed(() => crowd.hear({ event: 'withdraw', times: 1 }));
  await withdraw(hub, id);
  return { acknowledged, shown: shownMs, withdrawn: await withdrawn };
}

async function askEach(hub: Hub<Many>, crowd: Crowd) {
  const shown = timed(() => crowd.hear({ event: 'inquiry', times: 1 }));
  const open = await Promise.all(hub.everybody.map(({ handle }) => ask(hub, handle)));
  const ms = await shown;
  const withdrawn = crowd.hear({ event: 'withdraw', times: 1 });
  await Promise.all(open.map(({ id }) => withdraw(hub, id)));
  await withdrawn;
  return { shown: ms };
}

type Storm = { ms: number; cpuMs: number; worstAsk: number; medianAsk: number; wrong: number };

/** Cuts all lines at once, and asks people in turn until the last is back; then each device must show what is open. */
async function reconnect(hub: Hub<Many>, crowd: Crowd): Promise<Storm> {
  const open: Record<string, string[]> = {};
  const times: number[] = [];
  let back = false;
  const before = cpuMs(hub.pid);
  const cut = timed(() => crowd.cut()).finally(() => (back = true));
  for (let turn = 0; !back; turn++) {
    const { handle } = hub.everybody[(turn * 7) % hub.everybody.length]!;
    const begun = performance.now();
    const { id } = await ask(hub, handle);
    times.push(performance.now() - begun);
    if (turn % 2 === 0) await withdraw(hub, id);
    else (open[handle] ??= []).push(id);
    await pause(ASK_EVERY_MS);
  }
  const ms = await cut;
  const used = cpuMs(hub.pid) - before;
  let wrong = Infinity;
  for (let tries = 0; wrong > 0 && tries < 50; tries++) {
    wrong = (await crowd.wrong(open)).reduce((sum, count) => sum + count, 0);
    if (wrong > 0) await pause(100);
  }
  for (const id of Object.values(open).flat()) await withdraw(hub, id);
  return { ms, cpuMs: used, worstAsk: Math.max(...times), medianAsk: quantile(times, 0.5), wrong };
}

function ask(hub: Hub<Many>, to: string): Promise<{ id: string }> {
  return send(hub, '/v1/inquiries', hub.key, { to: [to], prompt: `Question ${Math.random()}` });
}

async function withdraw(hub: Hub<Many>, id: string): Promise<void> {
  await send(hub, `/v1/inquiries/${id}/withdraw`, hub.key, {});
}

function devicesOf({ everybody }: Many) {
  return everybody.flatMap(({ handle, tokens }) => tokens.map((token) => ({ token, person: handle })));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** What the operating system says that a process holds, in bytes; Linux only. */
function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** `BENCH_FLAGS="--cpu-prof"` looks into the hub. */
function flagsOf(): string[] {
  return process.env['BENCH_FLAGS']?.split(' ') ?? [];
}
