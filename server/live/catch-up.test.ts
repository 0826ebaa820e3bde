import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { KyselyPlugin } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Snapshot } from '#shared/live.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import type { Database } from '../platform/database.ts';
import { catchUp, type Inbox } from './catch-up.ts';
import { WAITING, type DeviceSocket } from './border/sockets.ts';
import { openPeople, sqliteDatabase, startHub, type People, type TestHub } from './testing/hub.ts';
import { openOn, openPage, until, type TestPage } from './testing/page.ts';

let database: Database;
let drop: () => Promise<void>;
let hub: TestHub;
let people: People;

before(async () => {
  ({ database, drop } = await sqliteDatabase());
  people = await openPeople(database);
  // SQLite reads in one breath, Postgres does not: with pauses as there, a change can fall between two readings.
  let reading = 0;
  const slow = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => pause(reading++ % 4, result),
  } satisfies KyselyPlugin;
  hub = await startHub({ database: { ...database, read: database.read.withPlugin(slow) } });
});
after(async () => {
  await hub.stop();
  await drop();
});

/** A socket that notes what is done to it, and an inbox whose every reading ends when the test says. */
function scene() {
  const done: string[] = [];
  const readings: ((snapshot: Partial<Snapshot>) => void)[] = [];
  let version = 1;
  const conn = { close: () => void done.push('cut'), writeBuffer: [], transport: {} };
  const socket = {
    connected: true,
    conn,
    data: { device: { id: 'dev_1', person: { id: 'per_1' } } },
    join: (room: string) => void done.push(`join ${room}`),
    leave: (room: string) => void done.push(`leave ${room}`),
    emit: (_name: string, snapshot: Snapshot) => void done.push(`snapshot ${snapshot.version}`),
  };
  const inbox = {
    read: () => new Promise((read) => readings.push((snapshot) => read(snapshot as Snapshot))),
    version: async () => version,
    pause: async () => undefined,
  } as Inbox;
  return {
    socket: socket as unknown as DeviceSocket,
    inbox,
    done,
    readings,
    setVersion: (next: number) => (version = next),
  };
}

test('[LIV1] a change between the snapshot and the first delta brings a second snapshot, held back like the first', async () => {
  const { socket, inbox, done, readings, setVersion } = scene();
  const caught = catchUp(socket, inbox);
  setVersion(2);
  readings[0]!({ version: 1 });
  await until(() => readings.length === 2, 'the second reading');
  readings[1]!({ version: 2 });
  assert.equal(await caught, 2);
  const once = (version: number) => [`join ${WAITING}`, `snapshot ${version}`, `leave ${WAITING}`];
  assert.deepEqual(done, [...once(1), ...once(2)]);
});

test('[LIV1] whoever asks while a snapshot is read shares the next one, so that none lets deltas through to another', async () => {
  const { socket, inbox, done, readings } = scene();
  const first = catchUp(socket, inbox);
  const others = [catchUp(socket, inbox), catchUp(socket, inbox)];
  readings[0]!({ version: 1 });
  await first;
  await until(() => readings.length === 2, 'the second reading');
  readings[1]!({ version: 1 });
  assert.deepEqual(await Promise.all(others), [1, 1]);
  assert.deepEqual([done.length, readings.length], [6, 2]);
});

test('a socket whose snapshot cannot be read is cut, so that its page comes back', async () => {
  const { socket, inbox, done } = scene();
  await assert.rejects(catchUp(socket, { ...inbox, read: async () => Promise.reject(new Error('no database')) }), {
    message: 'no database',
  });
  assert.deepEqual(done, [`join ${WAITING}`, 'cut']);
});

test('[LIV1] pages that connect and sync in a storm of asks and withdraws miss no version and end with what is open', async () => {
  const tokens = await Promise.all(Array.from({ length: 5 }, async () => (await people.device()).token));
  const pages: TestPage[] = [];
  for (let round = 0; round < 30; round++) {
    const asks = Promise.all([people.ask(hub.inquiries), people.ask(hub.inquiries), people.ask(hub.inquiries)]);
    pages.push(openPage(hub.url, tokens[round % tokens.length]));
    if (round % 3 === 0) pages[round >> 1]?.socket.emit('sync', {}, () => undefined);
    const [first, second] = await asks;
    await Promise.all([
      withdrawInquiry(hub.inquiries, people.sourceId, first),
      withdrawInquiry(hub.inquiries, people.sourceId, second),
    ]);
  }
  const rows = await database.read
    .selectFrom('inquiries')
    .select('id')
    .where('resolution', 'is', null)
    .orderBy('id')
    .execute();
  const open = rows.map(({ id }) => id);
  assert.equal(open.length, 30);
  for (const page of pages) {
    await until(() => isDeepStrictEqual(openOn(page), open), 'a page that shows what is open');
    page.close();
  }
});
