import { connect, cycle, disconnect, type Asker, type Devices } from './cycle.ts';
import type { Counts } from './inside.ts';
import { cpuMs, quantile } from './machine.ts';
import { CROWD, type Target } from './target.ts';

/**
 * How much is measured. Servers are warmed up by a number of cycles, because by time the slower one would get less: after
 * 1,500 a hub still compiles, after 10,000 it does not.
 */
export type Size = { rounds: number; warmCycles: number; aloneCycles: number; togetherMs: number; fanOuts: number };
export const FULL: Size = { rounds: 5, warmCycles: 12_000, aloneCycles: 300, togetherMs: 3_000, fanOuts: 20 };
export const QUICK: Size = { rounds: 3, warmCycles: 10_000, aloneCycles: 100, togetherMs: 1_000, fanOuts: 8 };

const WARM_FAN_OUTS = 5;
/** Of the counts, which a few cycles tell as well as many. */
const COUNTED_MS = 500;

/** What one round says of a server; CPU is for one cycle. */
export type Round = {
  p50Ms: number;
  p99Ms: number;
  cyclesPerSecond: number;
  clientLoad: number;
  cpuMs: number;
  databaseCpuMs: number;
  clientCpuMs: number;
};
/** What a server does to its database in one cycle: of one person alone, and of all people at once ("shared"). */
export type CycleCounts = Counts & { sharedTrips: number; sharedFlushes: number };
export type Crowd = { fanOutMs: number[]; heapPerDevice: number };

export async function warmUp(target: Target, { warmCycles }: Size): Promise<void> {
  const everybody = await connectAll(target);
  let begun = 0;
  await together(target, everybody, () => ++begun > warmCycles);
  everybody.forEach(disconnect);
}

/** Cycles of one person alone, then of all people at once, on a server that has been warmed up. `databasePid`: its Postgres. */
export async function measureRound(target: Target, size: Size, databasePid?: number): Promise<Round> {
  const everybody = await connectAll(target);
  const times = await alone(target, everybody[0]!, size.aloneCycles);
  const cpu = () => ({ own: cpuMs(target.pid), database: databasePid === undefined ? 0 : cpuMs(databasePid) });
  const client = process.cpuUsage();
  const before = cpu();
  const begun = performance.now();
  const cycles = await together(target, everybody, () => performance.now() - begun > size.togetherMs);
  const ms = performance.now() - begun;
  const after = cpu();
  const { user, system } = process.cpuUsage(client);
  everybody.forEach(disconnect);
  return {
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    cyclesPerSecond: (cycles * 1000) / ms,
    clientLoad: (user + system) / 1000 / ms,
    cpuMs: (after.own - before.own) / cycles,
    databaseCpuMs: (after.database - before.database) / cycles,
    clientCpuMs: (user + system) / 1000 / cycles,
  };
}

/** The counts, in a round of their own, because counting takes time. */
export async function countCycles(target: Target, { aloneCycles }: Size): Promise<CycleCounts> {
  const everybody = await connectAll(target);
  await target.count();
  await alone(target, everybody[0]!, aloneCycles);
  const one = await target.counts();
  await target.count();
  const begun = performance.now();
  const cycles = await together(target, everybody, () => performance.now() - begun > COUNTED_MS);
  const shared = await target.counts();
  everybody.forEach(disconnect);
  return {
    statements: one.statements / aloneCycles,
    roundTrips: one.roundTrips / aloneCycles,
    flushes: one.flushes / aloneCycles,
    sharedTrips: shared.roundTrips / cycles,
    sharedFlushes: shared.flushes / cycles,
  };
}

function connectAll(target: Target): Promise<Devices[]> {
  return Promise.all(target.people.map((who) => connect(target, who.tokens)));
}

async function alone(target: Target, devices: Devices, cycles: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < cycles; at++)
    times.push((await cycle(target, target.people[0]!, devices, `alone ${Math.random()}`)).ms);
  return times;
}

/** Cycles of all people at once until `done`; resolves with their number. */
export async function together(
  target: Target,
  everybody: Devices[],
  done: () => boolean,
  asker?: Asker,
): Promise<number> {
  let cycles = 0;
  const each = target.people.map(async (who, at) => {
    while (!done()) {
      await cycle(target, who, everybody[at]!, `together ${Math.random()}`, asker);
      cycles++;
    }
  });
  await Promise.all(each);
  return cycles;
}

/** Heap for each idle device, and how long each withdraw takes to the last of many sockets; the servers in turn. */
export async function measureCrowds(targets: Target[], { fanOuts }: Size): Promise<Map<Target, Crowd>> {
  const crowds = new Map<Target, Crowd & { devices: Devices }>();
  for (const target of targets) {
    const before = await target.heap();
    const devices = await connect(target, target.crowd.tokens);
    crowds.set(target, { devices, heapPerDevice: ((await target.heap()) - before) / CROWD, fanOutMs: [] });
  }
  for (let at = -WARM_FAN_OUTS; at < fanOuts; at++) {
    for (const [target, { devices, fanOutMs }] of crowds) {
      const { withdrawMs } = await cycle(target, target.crowd, devices, `crowd ${Math.random()}`);
      if (at >= 0) fanOutMs.push(withdrawMs);
    }
  }
  for (const { devices } of crowds.values()) disconnect(devices);
  return crowds;
}
