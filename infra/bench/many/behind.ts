import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../calls.ts';
import { connect, cycle, disconnect } from '../cycle.ts';
import { cpuMs, quantile } from '../machine.ts';
import { measureRound, together, warmUp, type Size } from '../measure.ts';
import { rowOf, type Row } from '../report.ts';
import { startHub, type Hub, type Target } from '../target.ts';
import { makePast } from './made.ts';

const IDLE_MS = 5_000;
const OPEN = 1_000;
const SNAPSHOTS = 20;
const ASKED_AT_ONCE = 50;
/** Heap that is only warming up counts as flat. */
const WARM_MS = 5_000;

type Engine = Row['engine'];
type Far = { resolved: number; minutes: number; size: Size; postgresPid: number | undefined };

/** What lies behind a hub and what stands before one person, against a hub with nothing of either (`bare`). */
export async function* measureBehind(
  engine: Engine,
  urls: [string | undefined, string | undefined],
  far: Far,
): AsyncGenerator<Row[]> {
  const empty = await startHub({ databaseUrl: urls[0] }, 1);
  const full = await startHub({ databaseUrl: urls[1] }, 1);
  try {
    const devices = await connect(full, full.people[0]!.tokens);
    await cycle(full, full.people[0]!, devices, 'the one that is copied');
    disconnect(devices);
    await full.restart((database) => makePast(database, far.resolved));
    yield await besidePast(engine, { empty, full }, far);
    yield await besideOpen(engine, empty);
    yield [await loaded(engine, empty, far.minutes)];
  } finally {
    await empty.stop();
    await full.stop();
  }
}

type Both = { empty: Hub<Target>; full: Hub<Target> };

async function besidePast(engine: Engine, { empty, full }: Both, { resolved, size, postgresPid }: Far): Promise<Row[]> {
  const cycles: { hub: number[]; bare: number[] } = { hub: [], bare: [] };
  const stored: typeof cycles = { hub: [], bare: [] };
  const idle: typeof cycles = { hub: [], bare: [] };
  for (const hub of [empty, full]) await warmUp(hub, size);
  for (let round = 0; round < size.rounds; round++)
    for (const [side, hub] of [
      ['bare', empty],
      ['hub', full],
    ] as const) {
      const measured = await measureRound(hub, size, postgresPid);
      cycles[side].push(measured.cpuMs);
      stored[side].push(measured.databaseCpuMs);
      const before = cpuMs(hub.pid);
      await pause(IDLE_MS);
      idle[side].push(((cpuMs(hub.pid) - before) * 1000) / IDLE_MS);
    }
  const row = (name: string, values: typeof cycles) => rowOf({ name, engine, unit: 'ms' }, values);
  return [
    row(`CPU of the hub per cycle, ${resolved} resolved behind`, cycles),
    ...(engine === 'postgres' ? [row(`CPU of Postgres per cycle, ${resolved} resolved behind`, stored)] : []),
    row(`CPU of an idle hub per second, ${resolved} resolved behind`, idle),
  ];
}

async function besideOpen(engine: Engine, hub: Target): Promise<Row[]> {
  const [busy, other] = [hub.people[0]!, hub.people[1]!];
  for (let at = 0; at < OPEN; at += ASKED_AT_ONCE)
    await Promise.all(
      Array.from({ length: ASKED_AT_ONCE }, (_, more) =>
        send(hub, '/v1/inquiries', hub.key, { to: [busy.handle], prompt: `Open question ${at + more}` }),
      ),
    );
  const snapshots = { hub: [] as number[], bare: [] as number[] };
  const cycles = { hub: [] as number[], bare: [] as number[] };
  for (const [side, who] of [
    ['bare', other],
    ['hub', busy],
  ] as const) {
    for (let at = 0; at < SNAPSHOTS; at++) {
      const begun = performance.now();
      disconnect(await connect(hub, who.tokens.slice(0, 1)));
      snapshots[side].push(performance.now() - begun);
    }
    const devices = await connect(hub, who.tokens);
    for (let at = 0; at < SNAPSHOTS * 5; at++) cycles[side].push((await cycle(hub, who, devices, `beside ${at}`)).ms);
    disconnect(devices);
  }
  const median = (values: number[]) => [quantile(values, 0.5)];
  const row = (name: string, { hub: own, bare }: typeof cycles) =>
    rowOf({ name, engine, unit: 'ms' }, { hub: median(own), bare: median(bare) });
  return [
    row(`connect and snapshot, one person with ${OPEN} open questions`, snapshots),
    row(`p50 of a cycle, one person with ${OPEN} open questions`, cycles),
  ];
}

/** The heap after so many minutes of load; `bare`: when it had warmed up. */
async function loaded(engine: Engine, hub: Target, minutes: number): Promise<Row> {
  const everybody = await Promise.all(hub.people.map((who) => connect(hub, who.tokens)));
  const load = (ms: number) => {
    const end = performance.now() + ms;
    return together(hub, everybody, () => performance.now() > end);
  };
  await load(WARM_MS);
  const before = await hub.heap();
  const cycles = await load(minutes * 60_000);
  const after = await hub.heap();
  everybody.forEach(disconnect);
  const sides = { hub: [after / 2 ** 20], bare: [before / 2 ** 20] };
  return rowOf({ name: `heap after ${minutes} min of load, ${cycles} cycles`, engine, unit: 'MiB' }, sides);
}
