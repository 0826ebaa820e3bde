import { tmpdir } from 'node:os';
import { after, before } from 'node:test';
import type { Database } from '../../platform/database.ts';
import { openDatabase } from '../../platform/engines/open.ts';
import { freshDatabase } from '../../platform/testing/postgres.ts';
import { enrolmentRaces } from './races.contract.ts';

let fresh: Awaited<ReturnType<typeof freshDatabase>>;
let database: Database;

before(async () => {
  fresh = await freshDatabase();
  database = await openDatabase({ dataDir: tmpdir(), databaseUrl: fresh.url });
});

after(async () => {
  await database.close();
  await fresh.drop();
});

enrolmentRaces(async () => {
  // One server for all of them, and nobody left of the test before.
  await database.transaction(async (trx) => {
    await trx.deleteFrom('groups').execute();
    await trx.deleteFrom('enrolments').execute();
    await trx.deleteFrom('people').execute();
  });
  return database;
});
