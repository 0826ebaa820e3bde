import { tmpdir } from 'node:os';
import { after } from 'node:test';
import { openDatabase } from '../platform/engines/open.ts';
import { freshDatabase } from '../platform/testing/postgres.ts';
import { presenceContract } from './presence.contract.ts';

const fresh = await freshDatabase();
const database = await openDatabase({ dataDir: tmpdir(), databaseUrl: fresh.url });
after(async () => {
  await database.close();
  await fresh.drop();
});

presenceContract(async () => database);
