import { tmpdir } from 'node:os';
import pg from 'pg';
import { privatePostgres, type PrivatePostgres } from '../../server/platform/testing/postgres.ts';
import { measureAsks } from './asks/asks.ts';
import { measureExport } from './asks/export.ts';
import { recordCycle } from './cycle.ts';
import { measureMcp } from './gate.ts';
import { measureGroups } from './groups.ts';
import { flushMs, quantile } from './machine.ts';
import {
  countCycles,
  FULL,
  measureCrowds,
  measureRound,
  QUICK,
  warmUp,
  type Crowd,
  type CycleCounts,
  type Round,
  type Size,
} from './measure.ts';
import { measureRelay } from './relay/relay.ts';
import { rowOf, type Row } from './report.ts';
import { measureRules } from './asks/rules.ts';
import { CROWD, startBaseline, startHub, type Hub, type Target } from './target.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export const PARTS = ['cycle', 'crowd', 'groups', 'start', 'ask', 'rules', 'mcp', 'relay', 'export'] as const;
type Engine = (typeof ENGINES)[number];
type Asked = { parts: (typeof PARTS)[number][]; engines: Engine[]; quick: boolean };
type Side = { engine: Engine; hub: Hub<Target>; floor?: Target | undefined };

const STARTS = 5;
const FIGURES: { figure: keyof Round; name: string; unit: string }[] = [
  { figure: 'cpuMs', name: 'CPU of the hub per cycle', unit: 'ms' },
  { figure: 'databaseCpuMs', name: 'CPU of Postgres per cycle', unit: 'ms' },
  { figure: 'clientCpuMs', name: 'CPU of the client per cycle', unit: 'ms' },
  { figure: 'clientLoad', name: 'load of the client, in cores', unit: '' },
  { figure: 'cyclesPerSecond', name: 'cycles, 20 people', unit: '/s' },
  { figure: 'p50Ms', name: 'p50, one person', unit: 'ms' },
  { figure: 'p99Ms', name: 'p99, one person', unit: 'ms' },
];
const COUNTS: { figure: keyof CycleCounts; name: string }[] = [
  { figure: 'statements', name: 'statements per cycle, one person' },
  { figure: 'roundTrips', name: 'round trips per cycle, one person' },
  { figure: 'flushes', name: 'flushes per cycle, one person' },
  { figure: 'sharedTrips', name: 'round trips per cycle, 20 people' },
  { figure: 'sharedFlushes', name: 'flushes per cycle, 20 people' },
];

/** Hubs, floors and bare server in alternating rounds of one run, so that a noisy machine disturbs all alike. */
export async function* measureParts({ parts, engines, quick }: Asked): AsyncGenerator<Row[]> {
  const size = quick ? QUICK : FULL;
  // Where SQLite's file is too: in memory a flush would be free.
  const postgres = engines.includes('postgres') ? await privatePostgres({}, tmpdir()) : undefined;
  const servers: Target[] = [];
  const stored = new Map<Target, string>();
  const kept = async <T extends Target>(starting: Promise<T>): Promise<T> => {
    const target = await starting;
    servers.push(target);
    return target;
  };
  const keptOn = async <T extends Target>(engine: Engine, start: (url?: string) => Promise<T>): Promise<T> => {
    const url = await urlOf(engine, postgres);
    const target = await kept(start(url));
    if (url !== undefined) stored.set(target, url);
    return target;
  };
  try {
    yield [{ name: 'one flush', engine: 'sqlite', value: flushMs(), unit: 'ms' }];
    if (parts.some((part) => part === 'cycle' || part === 'crowd' || part === 'start')) {
      const sides: Side[] = [];
      for (const engine of engines)
        sides.push({ engine, hub: await keptOn(engine, (databaseUrl) => startHub({ databaseUrl })) });
      const messages = await recordCycle(sides[0]!.hub);
      const bare = await kept(startBaseline('memory', messages));
      if (parts.includes('cycle')) {
        for (const side of sides)
          side.floor = await keptOn(side.engine, (url) => startBaseline(side.engine, messages, url));
        yield await cycleRows(sides, bare, size, { urls: stored, pid: postgres?.pid() });
      }
      if (parts.includes('crowd')) yield await crowdRows(sides, bare, size);
      if (parts.includes('start')) for (const side of sides) yield [await startRow(side)];
    }
    if (parts.includes('groups'))
      for (const engine of engines) yield [await measureGroups(engine, await urlOf(engine, postgres), size)];
    if (parts.includes('ask'))
      for (const engine of engines) yield await measureAsks(engine, await urlOf(engine, postgres), size);
    if (parts.includes('rules'))
      for (const engine of engines) yield await measureRules(engine, await urlOf(engine, postgres), size);
    if (parts.includes('mcp')) yield await measureMcp(size);
    if (parts.includes('relay')) yield await measureRelay();
    if (parts.includes('export'))
      for (const engine of engines) yield await measureExport(engine, await urlOf(engine, postgres), quick);
  } finally {
    for (const server of servers) await server.stop();
    await postgres?.stop();
  }
}

async function urlOf(engine: Engine, postgres: PrivatePostgres | undefined): Promise<string | undefined> {
  return engine === 'postgres' ? (await postgres?.createDatabase())?.url : undefined;
}

type OnPostgres = { urls: Map<Target, string>; pid: number | undefined };

async function cycleRows(sides: Side[], bare: Target, size: Size, { urls, pid }: OnPostgres): Promise<Row[]> {
  const rounds = new Map<Target, Round[]>();
  const counts = new Map<Target, CycleCounts[]>();
  const targets = [bare, ...sides.flatMap(({ hub, floor }) => [floor!, hub])];
  for (const target of targets) await warmUp(target, size);
  for (const url of urls.values()) await analyze(url);
  for (let round = 0; round < size.rounds; round++)
    for (const target of round % 2 ? targets.toReversed() : targets) {
      const measured = await measureRound(target, size, urls.has(target) ? pid : undefined);
      rounds.set(target, [...(rounds.get(target) ?? []), measured]);
    }
  for (const target of targets) counts.set(target, [await countCycles(target, size)]);
  const of = (target: Target, figure: keyof Round) => rounds.get(target)!.map((round) => round[figure]);
  const counted = (target: Target, figure: keyof CycleCounts) => counts.get(target)!.map((count) => count[figure]);
  return sides.flatMap(({ engine, hub, floor }) => {
    const row = ({ figure, name, unit }: (typeof FIGURES)[number]) =>
      rowOf({ name, engine, unit }, { hub: of(hub, figure), bare: of(bare, figure), floor: of(floor!, figure) });
    const above = of(hub, 'p50Ms').map((ms, round) => ms - of(bare, 'p50Ms')[round]!);
    return [
      ...FIGURES.filter(({ figure }) => engine === 'postgres' || figure !== 'databaseCpuMs').map(row),
      rowOf({ name: 'p50 above bare', engine, unit: 'ms' }, { hub: above }),
      ...COUNTS.filter(({ name }) => engine === 'postgres' || !name.startsWith('round trips')).map(({ figure, name }) =>
        rowOf({ name, engine, unit: '' }, { hub: counted(hub, figure), floor: counted(floor!, figure) }),
      ),
    ];
  });
}

/** As a hub that has run for a while is: plans that were made on empty tables cost a fifth. */
async function analyze(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('analyze');
  await client.end();
}

async function crowdRows(sides: Side[], bare: Target, size: Size): Promise<Row[]> {
  const crowds = await measureCrowds([bare, ...sides.map(({ hub }) => hub)], size);
  return sides.flatMap(({ engine, hub }) => {
    const row = (name: string, unit: string, figure: (crowd: Crowd) => number[]) =>
      rowOf({ name, engine, unit }, { hub: figure(crowds.get(hub)!), bare: figure(crowds.get(bare)!) });
    return [
      row(`withdraw to the last of ${CROWD} sockets`, 'ms', ({ fanOutMs }) => fanOutMs),
      row('heap per idle device', 'KiB', ({ heapPerDevice }) => [heapPerDevice / 1024]),
    ];
  });
}

async function startRow({ engine, hub }: Side): Promise<Row> {
  const seconds: number[] = [];
  for (let at = 0; at < STARTS; at++) seconds.push((await hub.restart()) / 1000);
  return { name: 'start to ready', engine, value: quantile(seconds, 0.5), unit: 's' };
}
