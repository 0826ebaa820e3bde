import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '#shared/ids.ts';
import type { Ask } from '#shared/inquiry.ts';
import { createMarker } from '../../deliveries/inquiry-devices.ts';
import { admit } from '../../devices/admit.ts';
import { callerIn } from '../../devices/find.ts';
import { ask } from '../../inquiries/ask.ts';
import { createOpenCounts } from '../../inquiries/open-counts.ts';
import { createCollected } from '../../inquiries/collected.ts';
import type { Automation } from '../../automation/automation.ts';
import { createSettling } from '../../automation/settling.ts';
import { createWaiters } from '../../inquiries/waiters.ts';
import { ensureOwner } from '../../people/owner.ts';
import type { Database } from '../../platform/database.ts';
import { createLog } from '../../platform/log.ts';
import type { Redis } from '../../platform/nodes/redis.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { openSqlite } from '../../platform/sqlite/open.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { createLive, type Live } from '../live.ts';
import { migratedFolder } from '../../platform/testing/folder.ts';

const UNWATCHED = { count: () => undefined, note: () => undefined, publicUrl: () => 'https://hub.test' };

export type TestHub = {
  url: string;
  live: Live;
  inquiries: Automation;
  /** Everything that `readNotice` was called with. */
  readNotices: [personId: string, noticeId: string][];
  stop(): Promise<void>;
};

export const ORIGIN = 'https://beckon.example';

type Times = { heartbeatMs?: number; enterWithinMs?: number; checkMs?: number };

/** A node with nothing but its live line, on a free loopback port. */
export async function startHub({
  database,
  redis,
  ...times
}: { database: Database; redis?: Redis } & Times): Promise<TestHub> {
  const log = createLog(process.env['LOG_LEVEL'] ?? 'fatal');
  const httpServer = createServer((_request, reply) => void reply.writeHead(404).end());
  const signals = localSignals();
  const waiters = createWaiters(signals);
  const collected = createCollected({ database, log });
  const marker = createMarker({ database, log });
  const readNotices: TestHub['readNotices'] = [];
  const inquiries: Automation = {
    database,
    announce: {
      inquiry: (news) => live.announce.inquiry(news),
      moved: (versions) => live.announce.moved(versions),
      withdraw: (news) => live.announce.withdraw(news),
      later: (news) => live.announce.later(news),
      proposal: (news) => live.announce.proposal(news),
      notTaken: (news) => live.announce.notTaken(news),
      asker: (news) => live.announce.asker(news),
      pickedUp: (news) => live.announce.pickedUp(news),
      yolo: (personId, event) => live.announce.yolo(personId, event),
    },
    signals,
    waiters,
    collected,
    wakeDeliveries: () => undefined,
    wakePushes: () => undefined,
    wakeDeciders: () => undefined,
    sealingKey: Buffer.alloc(32, 7),
    settling: createSettling(database, () => inquiries),
    openLimit: 100_000,
    openBytesLimit: 1_000_000_000,
    openCounts: createOpenCounts(),
    composeReply: () => undefined,
    answering: new Set(),
    ...UNWATCHED,
  };
  const live = createLive({
    http: { server: httpServer },
    log,
    findCaller: callerIn(database),
    inquiries,
    marker,
    readNotice: async (...read) => void readNotices.push(read),
    redis,
    origins: () => [ORIGIN],
    ...times,
  });
  await once(httpServer.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`,
    live,
    inquiries,
    readNotices,
    async stop() {
      await live.stop();
      waiters.stop();
      await Promise.all([marker.stop(), collected.stop()]);
      await new Promise((closed) => httpServer.close(closed));
    },
  };
}

/** SQLite in a folder that `drop` removes. */
export async function sqliteDatabase(): Promise<{ database: Database; drop(): Promise<void> }> {
  const dataDir = await migratedFolder();
  const database = await openSqlite({ dataDir });
  return {
    database,
    async drop() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type TestDevice = { id: string; token: string; personId: string };

/** Who is there: the owner, others by their handle, devices of each, and a source that may ask all of them. */
export async function openPeople(database: Database) {
  const owner = await ensureOwner(database);
  const source = await createSourceForEverybody(database, owner.id, 'agent');
  const ids = new Map([['owner', owner.id]]);
  return {
    sourceId: source.source.id,
    sourceKey: source.key,
    async person(handle: string): Promise<string> {
      const id = newId('per', database.clock.now());
      await database.transaction((trx) =>
        trx
          .insertInto('people')
          .values({ id, handle, name: handle, locale: null, created_at: database.clock.now() })
          .execute(),
      );
      ids.set(handle, id);
      return id;
    },
    async device(handle = 'owner', name = 'Laptop'): Promise<TestDevice> {
      const personId = ids.get(handle);
      if (!personId) throw new Error(`${handle} is nobody`);
      const device = { deviceName: name, userAgent: 'test', address: '127.0.0.1' };
      const { enrolled } = await database.transaction((trx) => admit(trx, personId, device, database.clock.now()));
      return { id: enrolled.deviceId, token: enrolled.accessToken, personId };
    },
    ask: async (inquiries: Automation, what: Partial<Ask> = {}): Promise<string> =>
      (
        await ask(inquiries, {
          sourceId: source.source.id,
          ask: { to: ['owner'], prompt: 'Ship it?', ...what },
          waitMs: 0,
        })
      ).inquiryId,
  };
}
export type People = Awaited<ReturnType<typeof openPeople>>;
