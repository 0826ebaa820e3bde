import { after, before, test } from 'node:test';
import type { Database } from '../platform/database.ts';
import { openPeople, sqliteDatabase, startHub, type TestHub } from './testing/hub.ts';
import { race } from './testing/race.ts';

let database: Database;
let drop: () => Promise<void>;
let hub: TestHub;

before(async () => {
  ({ database, drop } = await sqliteDatabase());
  hub = await startHub({ database });
});
after(async () => {
  await hub.stop();
  await drop();
});

test('[RES1] [RES2] [WDR1] 300 inquiries answered by 5 of 20 devices at once: one winner each, every loser told, every other page withdrawn once', async () => {
  await race([hub], await openPeople(database), { devices: 20, inquiries: 300, answerers: 5 });
});
