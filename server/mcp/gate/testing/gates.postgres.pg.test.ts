import { after, before, describe, type TestContext } from 'node:test';
import { openPlace, type Place } from '../../../inquiries/testing/place.ts';
import { privatePostgres, type PrivatePostgres } from '../../../platform/testing/postgres.ts';
import { holdingContract } from './holding.contract.ts';
import { storedContract } from './stored.contract.ts';
import { waitingContract } from './waiting.contract.ts';

describe('gates on Postgres', () => {
  let server: PrivatePostgres;
  before(async () => {
    server = await privatePostgres();
  });
  after(() => server.stop());

  async function place(t: TestContext): Promise<Place> {
    const { url } = await server.migratedDatabase();
    const opened = await openPlace(url);
    t.after(opened.close);
    return opened.place;
  }
  holdingContract(place);
  storedContract(place);
  waitingContract(place);
});
