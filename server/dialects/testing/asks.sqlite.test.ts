import { describe, type TestContext } from 'node:test';
import { openPlace, type Place } from '../../inquiries/testing/place.ts';
import { identityContract } from './identity.contract.ts';
import { refusalsContract } from './refusals.contract.ts';
import { waitingContract } from './waiting.contract.ts';
import { webhooksContract } from './webhooks.contract.ts';

async function place(t: TestContext): Promise<Place> {
  const opened = await openPlace();
  t.after(opened.close);
  return opened.place;
}

describe('asks on SQLite', () => {
  identityContract(place);
  refusalsContract(place);
  waitingContract(place);
  webhooksContract(place);
});
