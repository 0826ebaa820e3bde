import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubToDevice } from '#shared/live.ts';
import { createOpenCounts } from '../inquiries/open-counts.ts';
import type { PersonVersion } from '../inquiries/announce.ts';
import { readSnapshot, versionsOf } from '../inquiries/inbox.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import { createWaiters } from '../inquiries/waiting/wait.ts';
import { catchUp, type Inbox } from '../live/catch-up.ts';
import { WAITING, type DeviceSocket } from '../live/sockets.ts';
import type { TestDevice } from '../live/testing/hub.ts';
import type { Database } from '../platform/database.ts';
import { localSignals } from '../platform/nodes/signals.ts';
import { openSqlite } from '../platform/sqlite/open.ts';
import type { Chance } from './chance.ts';
import { createSchedule } from './schedule.ts';

export type Sent = { [Name in keyof HubToDevice]: { name: Name; event: Parameters<HubToDevice[Name]>[0] } }[keyof HubToDevice];
/** One connection of a device. What is on its way when it breaks is lost. */
export type SimDevice = TestDevice & { name: string };
export type Link = { device: SimDevice; up: boolean; waiting: boolean; socket: DeviceSocket; hear(sent: Sent): void };
/** `hint`: may be lost on its own, or come twice, without the line breaking. */
type Letter = { key: string; link: Link; arrive: () => void; hint: boolean };

/** The real domain on a real SQLite, a step clock, and a network that loses, doubles, delays and reorders. */
export async function openHub(chance: Chance) {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-simulation-'));
  const file = await openSqlite({ dataDir, limits: { memberMs: 60_000 } });
  const links = new Set<Link>();
  let running = 0;
  let letters: Letter[] = [];
  const schedule = createSchedule(Date.UTC(2030, 0), { settled: () => running === 0, rested: post });

  const database: Database = {
    ...file,
    clock: { now: () => schedule.now },
    transaction(work) {
      running++;
      return file.transaction(work).finally(() => running--);
    },
  };
  const hub = {
    schedule,
    database,
    /** Without faults the network only delays. */
    calm: false,
    /** Inquiries in the order in which the hub said they were resolved. */
    resolved: [] as string[],
    failures: [] as string[],
    inquiries: undefined as unknown as Inquiries,
    accept(device: SimDevice, hear: Link['hear']): Link {
      const link = { device, up: true, waiting: false, hear } as Link;
      link.socket = socketOf(link);
      links.add(link);
      link.waiting = true;
      void catchUp(link.socket, inbox);
      return link;
    },
    sync: (link: Link) => void catchUp(link.socket, inbox),
    /** Runs one call of a page when it arrives, and sends the result back on the same line. */
    call<Result>(link: Link, key: string, run: () => Promise<Result>, told: (result: Result) => void): void {
      schedule.after(chance.between(1, 200), () => {
        if (!link.up) return;
        run().then(
          (result) => letters.push({ key, link, arrive: () => told(result), hint: false }),
          (error: unknown) => hub.failures.push(`${key}: ${String(error)}`),
        );
      });
    },
    hangUp(link: Link): void {
      link.up = false;
      links.delete(link);
    },
    /** `kill -9` after what was just begun: committed or not, nobody is told. */
    crash(): void {
      for (const link of links) hub.hangUp(link);
    },
    async beat(): Promise<void> {
      const versions = await versionsOf(database.read, [...links].map(({ device }) => device.personId));
      for (const link of links) {
        const version = versions.get(link.device.personId) ?? 0;
        if (!link.waiting) tell(link, { name: 'heartbeat', event: { version, serverTime: '' } }, `beat ${link.device.name}`, true);
      }
    },
    async close(): Promise<void> {
      await file.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };

  // As on Postgres, time passes between two statements of one reading, so that a change can fall between them.
  const slow = database.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => schedule.sleep(chance.between(0, 40)).then(() => result),
  });
  const inbox: Inbox = {
    read: (reader) => readSnapshot({ ...hub.inquiries, database: { ...database, read: slow } }, reader),
    version: async (personId) => (await versionsOf(slow, [personId])).get(personId) ?? 0,
    pause: schedule.sleep,
  };
  const announce = (versions: PersonVersion[], spare: string | undefined, sent: (version: number) => Sent) => {
    for (const { personId, version } of versions) {
      for (const link of links) {
        if (link.device.personId !== personId || link.waiting || link.socket.id === spare) continue;
        tell(link, sent(version), `news ${String(version).padStart(6, '0')} ${link.device.name}`, true);
      }
    }
  };
  const signals = localSignals();
  hub.inquiries = {
    database,
    announce: {
      inquiry: ({ inquiry, versions }) => announce(versions, undefined, (version) => ({ name: 'inquiry', event: { version, inquiry } })),
      withdraw: ({ inquiryId, resolution, versions, spare }) => {
        hub.resolved.push(inquiryId);
        announce(versions, spare, (version) => ({ name: 'withdraw', event: { version, inquiryId, resolution } }));
      },
    },
    signals,
    waiters: createWaiters(signals),
    collected: { add: () => undefined, has: () => false, stop: async () => undefined },
    wakeDeliveries: () => undefined,
    sealingKey: Buffer.alloc(32),
    openLimit: 100_000,
    openCounts: createOpenCounts(),
    count: () => undefined,
  };

  function socketOf(link: Link): DeviceSocket {
    const socket = {
      id: `screen of ${link.device.name}`,
      get connected() {
        return link.up;
      },
      conn: { close: () => hub.hangUp(link), writeBuffer: [], transport: {} },
      data: { device: { id: link.device.id, person: { id: link.device.personId } } },
      join: (room: string) => (link.waiting ||= room === WAITING),
      leave: (room: string) => (link.waiting &&= room !== WAITING),
      emit: (name: 'snapshot', event: Sent['event']) => tell(link, { name, event } as Sent, `snapshot ${link.device.name}`, false),
    };
    return socket as unknown as DeviceSocket;
  }

  function tell(link: Link, sent: Sent, key: string, hint: boolean): void {
    letters.push({ key, link, arrive: () => link.hear(sent), hint });
  }

  // Sorted, because which of two transactions of one moment is told first is the machine's affair and not the seed's.
  function post(): void {
    const outgoing = letters.filter(({ link }) => link.up).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    letters = [];
    for (const { link, arrive, hint } of outgoing) {
      const copies = !hint || hub.calm ? 1 : chance.percent(3) ? 0 : chance.percent(5) ? 2 : 1;
      for (let copy = 0; copy < copies; copy++) schedule.after(chance.between(1, 300), () => link.up && arrive());
    }
  }
  return hub;
}
export type SimHub = Awaited<ReturnType<typeof openHub>>;
