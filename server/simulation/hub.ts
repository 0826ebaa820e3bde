import { rmSync } from 'node:fs';
import type { Announce, PersonVersion } from '../inquiries/announce.ts';
import { readSnapshot, readVersions } from '../inquiries/read.ts';
import { catchUp, type Inbox } from '../live/catch-up.ts';
import type { Database } from '../platform/database.ts';
import { localSignals } from '../platform/nodes/signals.ts';
import { openSqlite } from '../platform/sqlite/open.ts';
import { migratedFolder } from '../platform/testing/folder.ts';
import type { Chance } from './chance.ts';
import type { Faults } from './faults.ts';
import { createNetwork, screenOf, type Link, type Network, type Sent, type SimDevice } from './network.ts';
import { startNode, type SimNode } from './node.ts';
import { createOutside } from './outside.ts';
import { createSchedule, type Schedule } from './schedule.ts';
import { createWitness } from './witness.ts';

const START = Date.UTC(2030, 0);
const NODES = 2;

/** What an inquiry's life was by the time that really passed, whatever a clock said. */
export type Life = {
  dueAt: number;
  /** Between when it is to be asked of others too. */
  escalates?: { from: number; until: number } | undefined;
  escalatedAt?: number | undefined;
  resolvedAt?: number;
  outcome?: string;
};

/** Two nodes on a real SQLite, with a step clock, a wall clock that jumps and a network of the simulation's own. */
export async function openHub(chance: Chance, faults: Faults) {
  const dataDir = await migratedFolder();
  let running = 0;
  const schedule: Schedule = createSchedule(START, { settled: () => running === 0, rested: () => network.post() });
  /** By how much the machine's wall clock is wrong. */
  let wrongBy = 0;
  const monotonic = () => schedule.now - START;
  const machine = { wall: () => schedule.now + wrongBy, monotonic, uptime: monotonic };
  const sqlite = await openSqlite({ dataDir, machine });
  const count = <T>(work: Promise<T>): Promise<T> => {
    running++;
    return work.finally(() => running--);
  };
  const offsets: Offset[] = [];
  const file = counted(sqlite, schedule, count, offsets);
  const witness = await createWitness(sqlite);
  const network = createNetwork(chance, faults, schedule.after);
  const outside = createOutside(schedule, chance);
  const lives = new Map<string, Life>();
  /** Inquiries in the order in which the hub said they were resolved. */
  const resolved: string[] = [];
  const announce = announceTo(network, { resolved, lives, schedule, database: file, offsets });
  const signals = localSignals();
  const failed = (what: string, error: unknown) => void network.failures.push(`${what}: ${String(error)}`);
  const start = (): Promise<SimNode> =>
    startNode({ file, schedule, chance, faults, signals, announce, outside, failed });
  const nodes: SimNode[] = [];
  while (nodes.length < NODES) nodes.push(await start());
  const killedAt: number[] = [];
  const sync = ({ socket, node }: Link) => void catchUp(socket, slowInbox(node.inquiries, schedule, chance));

  return {
    schedule,
    faults,
    network,
    outside,
    witness,
    nodes,
    database: file,
    lives,
    resolved,
    /** When a node was killed. */
    killedAt,
    node: () => chance.pick(nodes)!,
    accept(device: SimDevice, hear: Link['hear']): Link {
      const link = network.open(device, chance.pick(nodes)!, hear);
      sync(link);
      return link;
    },
    sync,
    stepClock: (ms: number) => (wrongBy += ms),
    /** `kill -9` of a node after what was just begun: committed or not, nobody is told; another takes its place. */
    async crash(node: SimNode): Promise<void> {
      node.kill();
      killedAt.push(schedule.now);
      for (const link of network.links) if (link.node === node) network.hangUp(link);
      const at = nodes.indexOf(node);
      if (at >= 0) nodes[at] = await count(start());
    },
    beat: () => beat(network, file),
    async close(): Promise<void> {
      for (const node of nodes) {
        node.kill();
        await node.http.close();
      }
      await sqlite.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
export type SimHub = Awaited<ReturnType<typeof openHub>>;

/** The same, whose statements under way are counted, and whose steps of the clock are noted. */
function counted(
  sqlite: Awaited<ReturnType<typeof openSqlite>>,
  schedule: Schedule,
  count: <T>(work: Promise<T>) => Promise<T>,
  offsets: Offset[],
): Database {
  const reading = sqlite.read.getExecutor();
  const execute = reading.executeQuery.bind(reading);
  reading.executeQuery = (query) => count(execute(query));
  return {
    ...sqlite,
    transaction: (work) => count(sqlite.transaction(work)),
    steps: (work) => count(sqlite.steps(work)),
    followClock: () => {
      const before = sqlite.clock.now() - schedule.now;
      return count(sqlite.followClock()).finally(() => offsets.push({ until: schedule.now, ahead: before }));
    },
  };
}

async function beat(network: Network, { read }: Database): Promise<void> {
  const versions = await readVersions(
    read,
    [...network.links].map(({ device }) => device.personId),
  );
  for (const link of network.links) {
    const version = versions.get(link.device.personId) ?? 0;
    if (!link.waiting) network.tell(link, { name: 'heartbeat', event: { version, serverTime: '' } }, 'beat', true);
  }
}

/** By how much the hub's clock was ahead of the time that really passed, until it followed a step. */
type Offset = { until: number; ahead: number };

type Seen = Pick<SimHub, 'resolved' | 'lives' | 'schedule' | 'database'> & { offsets: readonly Offset[] };

// An inquiry is announced this long after its row was written, at most.
const ANNOUNCED_WITHIN_MS = 5_000;

function announceTo(network: Network, { resolved, lives, schedule, database, offsets }: Seen): Announce {
  const tell = (versions: PersonVersion[], spare: string | undefined, sent: (version: number) => Sent) => {
    for (const { personId, version } of versions) {
      for (const link of network.links) {
        if (link.device.personId !== personId || link.waiting || screenOf(link) === spare) continue;
        network.tell(link, sent(version), `news ${String(version).padStart(6, '0')}`, true);
      }
    }
  };
  return {
    inquiry({ inquiry, versions }) {
      // The clock may have followed a step since the row was written: its deadline is by the clock of then.
      const earlier = offsets.filter(({ until }) => until > schedule.now - ANNOUNCED_WITHIN_MS);
      const offset = [database.clock.now() - schedule.now, ...earlier.map((one) => one.ahead)];
      const [ahead, least] = [Math.max(...offset), Math.min(...offset)];
      const life = lives.get(inquiry.id);
      // When it opened does not move with the clock, so it tells this only at first.
      const [step] = inquiry.revision === 1 ? (inquiry.escalate ?? []) : [];
      const at = Date.parse(inquiry.openedAt) + (step?.after ?? 0) * 1000;
      lives.set(inquiry.id, {
        ...life,
        dueAt: Date.parse(inquiry.deadlineAt) - ahead,
        escalates: life?.escalates ?? (step && { from: at - ahead, until: at - least }),
        escalatedAt: life?.escalatedAt ?? (inquiry.escalated && schedule.now),
      });
      tell(versions, undefined, (version) => ({ name: 'inquiry', event: { version, inquiry } }));
    },
    moved: (versions) =>
      tell(versions, undefined, (version) => ({ name: 'heartbeat', event: { version, serverTime: '' } })),
    withdraw({ inquiryId, resolution, versions, spare }) {
      resolved.push(inquiryId);
      const life = lives.get(inquiryId);
      if (life) Object.assign(life, { resolvedAt: schedule.now, outcome: resolution.outcome });
      tell(versions, spare, (version) => ({ name: 'withdraw', event: { version, inquiryId, resolution } }));
    },
    later: ({ personId, version, ...event }) =>
      tell([{ personId, version }], undefined, () => ({ name: 'later', event: { version, ...event } })),
    notTaken() {},
    asker() {},
    pickedUp() {},
  };
}

/** As on Postgres, time passes between two statements of one reading, so that a change can fall between them. */
function slowInbox(inquiries: SimNode['inquiries'], schedule: Schedule, chance: Chance): Inbox {
  const slow = inquiries.database.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => schedule.sleep(chance.fixed(0, 40, `read ${schedule.now}`)).then(() => result),
  });
  return {
    read: (reader) => readSnapshot({ ...inquiries, database: { ...inquiries.database, read: slow } }, reader),
    version: async (personId) => (await readVersions(slow, [personId])).get(personId) ?? 0,
    pause: schedule.sleep,
  };
}
