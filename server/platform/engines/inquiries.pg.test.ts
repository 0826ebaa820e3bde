import { after, before } from 'node:test';
import { runContracts } from '../testing/contracts.ts';
import { privatePostgres, type PrivatePostgres } from '../testing/postgres.ts';

let server: PrivatePostgres;
before(async () => {
  server = await privatePostgres();
});
after(() => server.stop());

runContracts('Postgres', async () => (await server.migratedDatabase()).url, ['inquiries']);
