import { after, before, describe } from 'node:test';
import type { Database } from '../platform/database.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { freshDatabase } from '../platform/testing/postgres.ts';
import { failingContract } from './failing.contract.ts';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;
before(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({ dataDir: '', databaseUrl: fresh.url });
});
after(async () => {
  await database.close();
  await fresh.drop();
});

describe('endpoints that fail, on Postgres', () => failingContract(() => database));
