import { tmpdir } from 'node:os';
import { after, before } from 'node:test';
import { addDevice } from '../../../devices/admit.ts';
import { openScene } from '../../../devices/testing/scene.ts';
import type { Database } from '../../../platform/database.ts';
import { openDatabase } from '../../../platform/engines/open.ts';
import { freshDatabase } from '../../../platform/testing/postgres.ts';
import { decidersContract } from './deciders.contract.ts';
import { deciderRoutes } from './routes.ts';

const sealingKey = Buffer.alloc(32, 7);
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

decidersContract({
  async open(context) {
    // One server for all of them, and nothing left of the test before.
    await database.transaction(async (trx) => {
      await trx.deleteFrom('deciders').execute();
      await trx.deleteFrom('policies').execute();
      await trx.deleteFrom('sources').execute();
      await trx.deleteFrom('people').execute();
    });
    return openScene(context, {
      opened: database,
      routes: (app, shifted) => deciderRoutes(app, { database: shifted, sealingKey }),
    });
  },
  device: async (_scene, personId) => (await addDevice(database, personId, 'Phone')).accessToken,
});
