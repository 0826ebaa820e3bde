import { after, before, describe, type TestContext } from 'node:test';
import { privatePostgres, type PrivatePostgres } from '../../platform/testing/postgres.ts';
import { answeringContract } from './answering.contract.ts';
import { historyContract } from './history.contract.ts';
import { passingContract } from './passing.contract.ts';
import { askingContract } from './asking.contract.ts';
import { pushingContract } from './pushing.contract.ts';
import { openPlace, type Place } from './place.ts';

describe('on Postgres', () => {
  let server: PrivatePostgres;
  before(async () => {
    server = await privatePostgres();
  });
  after(() => server.stop());

  async function place(t: TestContext): Promise<Place> {
    const { url } = await server.createDatabase();
    const opened = await openPlace(url);
    t.after(opened.close);
    return opened.place;
  }
  describe('asking', () => askingContract(place));
  describe('answering', () => answeringContract(place));
  describe('time', () => passingContract(place));
  describe('history', () => historyContract(place));
  describe('pushing', () => pushingContract(place));
});
