import { describe, type TestContext } from 'node:test';
import { openPlace, type Place } from '../../../inquiries/testing/place.ts';
import { holdingContract } from './holding.contract.ts';
import { storedContract } from './stored.contract.ts';
import { waitingContract } from './waiting.contract.ts';

async function place(t: TestContext): Promise<Place> {
  const opened = await openPlace();
  t.after(opened.close);
  return opened.place;
}

describe('gates on SQLite', () => {
  holdingContract(place);
  storedContract(place);
  waitingContract(place);
});
