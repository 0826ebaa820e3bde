import { describe, type TestContext } from 'node:test';
import { openPlace, type Place } from '../../inquiries/testing/place.ts';
import { waitingContract } from './waiting.contract.ts';

async function place(t: TestContext): Promise<Place> {
  const opened = await openPlace();
  t.after(opened.close);
  return opened.place;
}

describe('asks on SQLite', () => {
  waitingContract(place);
});
