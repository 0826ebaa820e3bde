import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import type { Database } from '../platform/database.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { failingContract } from './failing.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'beckon-failing-'));
let database: Database;
before(async () => {
  database = await openDatabase({ dataDir: folder });
});
after(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

describe('endpoints that fail, on SQLite', () => failingContract(() => database));
