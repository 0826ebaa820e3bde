import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Announce, PersonVersion } from '../inquiries/announce.ts';
import { readSnapshot, versionsOf } from '../inquiries/inbox.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { createOpenCounts } from '../inquiries/open-counts.ts';
import { createWaiters } from '../inquiries/waiting/wait.ts';
import { catchUp, type Inbox } from '../live/catch-up.ts';
import type { Database } from '../platform/database.ts';
import { localSignals } from '../platform/nodes/signals.ts';
import { openSqlite } from '../platform/sqlite/open.ts';
import type { Chance } from './chance.ts';
import { createNetwork, screenOf, socketOf, type Link, type Network, type Sent, type SimDevice } from './network.ts';
import { createSchedule, type Schedule } from './schedule.ts';

/** The real domain and the real catching up on a real SQLite, with a step clock and a network of the simulation's own. */
export async function openHub(chance: Chance) {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-simulation-'));
  const file = await openSqlite({ dataDir, limits: { memberMs: 60_000 } });
  let running = 0;
  const schedule: Schedule = createSchedule(Date.UTC(2030, 0), {
    settled: () => running === 0,
    rested: () => network.post(),
  });
  const network = createNetwork(chance, schedule.after);
  const database: Database = {
    ...file,
    clock: { now: () => schedule.now },
    transaction(work) {
      running++;
      return file.transaction(work).finally(() => running--);
    },
  };
  /** Inquiries in the order in which the hub said they were resolved. */
  const resolved: string[] = [];
  const inquiries = inquiriesOn(database, announceTo(network, resolved));
  const inbox = slowInbox(inquiries, schedule, chance);
  const sockets = new WeakMap<Link, ReturnType<typeof socketOf>>();

  return {
    schedule,
    network,
    database,
    inquiries,
    resolved,
    accept(device: SimDevice, hear: Link['hear']): Link {
      const link = network.open(device, hear);
      const socket = socketOf(network, link);
      sockets.set(link, socket);
      void catchUp(socket, inbox);
      return link;
    },
    sync: (link: Link) => void catchUp(sockets.get(link)!, inbox),
    /** `kill -9` after what was just begun: committed or not, nobody is told. */
    crash(): void {
      for (const link of network.links) network.hangUp(link);
      inquiries.openCounts = createOpenCounts();
    },
    async beat(): Promise<void> {
      const versions = await versionsOf(
        database.read,
        [...network.links].map(({ device }) => device.personId),
      );
      for (const link of network.links) {
        const version = versions.get(link.device.personId) ?? 0;
        if (!link.waiting) network.tell(link, { name: 'heartbeat', event: { version, serverTime: '' } }, 'beat', true);
      }
    },
    async close(): Promise<void> {
      await file.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
export type SimHub = Awaited<ReturnType<typeof openHub>>;

function inquiriesOn(database: Database, announce: Announce): Inquiries {
  const signals = localSignals();
  return {
    database,
    announce,
    signals,
    waiters: createWaiters(signals),
    collected: { add: () => undefined, has: () => false, stop: async () => undefined },
    openCounts: createOpenCounts(),
    answering: new Set(),
    wakeDeliveries: () => undefined,
    wakePushes: () => undefined,
    sealingKey: Buffer.alloc(32),
    openLimit: 100_000,
    count: () => undefined,
  };
}

function announceTo(network: Network, resolved: string[]): Announce {
  const tell = (versions: PersonVersion[], spare: string | undefined, sent: (version: number) => Sent) => {
    for (const { personId, version } of versions) {
      for (const link of network.links) {
        if (link.device.personId !== personId || link.waiting || screenOf(link) === spare) continue;
        network.tell(link, sent(version), `news ${String(version).padStart(6, '0')}`, true);
      }
    }
  };
  return {
    inquiry: ({ inquiry, versions }) =>
      tell(versions, undefined, (version) => ({ name: 'inquiry', event: { version, inquiry } })),
    moved: (versions) =>
      tell(versions, undefined, (version) => ({ name: 'heartbeat', event: { version, serverTime: '' } })),
    withdraw({ inquiryId, resolution, versions, spare }) {
      resolved.push(inquiryId);
      tell(versions, spare, (version) => ({ name: 'withdraw', event: { version, inquiryId, resolution } }));
    },
  };
}

/** As on Postgres, time passes between two statements of one reading, so that a change can fall between them. */
function slowInbox(inquiries: Inquiries, schedule: Schedule, chance: Chance): Inbox {
  const slow = inquiries.database.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => schedule.sleep(chance.between(0, 40)).then(() => result),
  });
  return {
    read: (reader) => readSnapshot({ ...inquiries, database: { ...inquiries.database, read: slow } }, reader),
    version: async (personId) => (await versionsOf(slow, [personId])).get(personId) ?? 0,
    pause: schedule.sleep,
  };
}
