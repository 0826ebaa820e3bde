import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openDatabase } from '../platform/engines/open.ts';
import { presenceContract } from './presence.contract.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'beckon-presence-'));
const database = await openDatabase({ dataDir });
after(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

presenceContract(async () => database);
