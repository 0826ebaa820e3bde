import { connect, cycle, disconnect, type Asker, type Devices } from './cycle.ts';
import { cpuMs, quantile } from './machine.ts';
import { CROWD, type Target } from './target.ts';

/**
 * How much is measured. Servers are warmed up by a number of cycles, so that all code is compiled: by time the slower one
 * would get less.
 */
export type Size = { rounds: number; warmCycles: number; aloneCycles: number; togetherMs: number; fanOuts: number };
export const FULL: Size = { rounds: 5, warmCycles: 1_500, aloneCycles: 300, togetherMs: 3_000, fanOuts: 20 };
export const QUICK: Size = { rounds: 3, warmCycles: 1_000, aloneCycles: 100, togetherMs: 1_000, fanOuts: 8 };

const WARM_FAN_OUTS = 5;

/** What one round says of a server; all but the first four are for one cycle. */
export type Round = {
  p50Ms: number;
  p99Ms: number;
  cyclesPerSecond: number;
  clientLoad: number;
  cpuMs: number;
  databaseCpuMs: number;
  clientCpuMs: number;
  statements: number;
  roundTrips: number;
  flushes: number;
  sharedTrips: number;
  sharedFlushes: number;
};
export type Crowd = { fanOutMs: number[]; heapPerDevice: number };

/** Cycles of one person alone, then of all people at once, on a server that has been warmed up. `databasePid`: its Postgres. */
export async function measureRound(target: Target, size: Size, databasePid?: number): Promise<Round> {
  const everybody = await Promise.all(target.people.map((who) => connect(target, who.tokens)));
  let warm = 0;
  await together(target, everybody, () => ++warm > size.warmCycles);
  const one = await alone(target, everybody[0]!, size.aloneCycles);
  const cpu = () => ({ own: cpuMs(target.pid), database: databasePid === undefined ? 0 : cpuMs(databasePid) });
  const client = process.cpuUsage();
  const before = cpu();
  const counted = await target.counts();
  const begun = performance.now();
  const cycles = await together(target, everybody, () => performance.now() - begun > size.togetherMs);
  const ms = performance.now() - begun;
  const after = cpu();
  const { user, system } = process.cpuUsage(client);
  const counts = await target.counts();
  everybody.forEach(disconnect);
  return {
    ...one,
    cyclesPerSecond: (cycles * 1000) / ms,
    clientLoad: (user + system) / 1000 / ms,
    cpuMs: (after.own - before.own) / cycles,
    databaseCpuMs: (after.database - before.database) / cycles,
    clientCpuMs: (user + system) / 1000 / cycles,
    sharedTrips: (counts.roundTrips - counted.roundTrips) / cycles,
    sharedFlushes: (counts.flushes - counted.flushes) / cycles,
  };
}

async function alone(target: Target, devices: Devices, cycles: number) {
  const times: number[] = [];
  const before = await target.counts();
  for (let at = 0; at < cycles; at++)
    times.push((await cycle(target, target.people[0]!, devices, `alone ${Math.random()}`)).ms);
  const after = await target.counts();
  return {
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    statements: (after.statements - before.statements) / cycles,
    roundTrips: (after.roundTrips - before.roundTrips) / cycles,
    flushes: (after.flushes - before.flushes) / cycles,
  };
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
