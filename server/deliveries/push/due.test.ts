import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../platform/engines/open.ts';
import { dueContract } from './due.contract.ts';
import { openScene } from './testing/scene.ts';

dueContract(async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-due-'));
  const database = await openDatabase({ dataDir });
  const opened = await openScene(database);
  t.after(async () => {
    await opened.close();
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  return opened;
});
