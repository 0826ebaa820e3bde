import { describe, type TestContext } from 'node:test';
import { openPlace, type Place } from '../../../inquiries/testing/place.ts';
import { storedContract } from './stored.contract.ts';

async function place(t: TestContext): Promise<Place> {
  const opened = await openPlace();
  t.after(opened.close);
  return opened.place;
}

describe('sessions of older MCP clients on SQLite', () => storedContract(place));
