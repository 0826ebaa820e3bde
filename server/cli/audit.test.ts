import { deepStrictEqual, match } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { chain } from '../audit/chain.ts';
import { openDatabase } from '../platform/engines/open.ts';
import { readKeySet, renewKeys } from '../receipts/keys.ts';
import { run } from './main.ts';

test('[APR6] [door] "audit verify" says in a sentence each what was changed, and "audit export" shows a log that was written anew', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-audit-'));
  const beckon = (...args: string[]) => beckonIn(dataDir, args);
  t.after(() => rmSync(dataDir, { recursive: true }));
  await (await openDatabase({ dataDir })).close();
  const holdsNothing = 'The log is as it was written: 0 entries, 0 rows; 0 more will stand in the next entry.\n';
  deepStrictEqual(await beckon('audit', 'verify'), { code: 0, out: holdsNothing, err: '' });
  const { hub, database } = await openHub(t, dataDir);
  const keeping = { retainDays: 90, auditDays: 3650 };
  const put = async (name: string) => {
    const row = { name, config: '{}', changed_at: database.clock.now() };
    await database.transaction((trx) => trx.insertInto('gates').values(row).execute());
  };
  await put('crm');
  const none = 'There is no log here: the hub writes it within a minute of its start.\n';
  deepStrictEqual(await beckon('audit', 'verify'), { code: 3, out: none, err: '' });
  await chain(hub, keeping);
  await put('files');
  await chain(hub, keeping);
  const holds = 'The log is as it was written: 2 entries, 2 rows; 0 more will stand in the next entry.\n';
  deepStrictEqual(await beckon('audit', 'verify'), { code: 0, out: holds, err: '' });

  const exported = await beckon('audit', 'export');
  const lines = exported.out.trimEnd().split('\n');
  deepStrictEqual(
    lines.map((line) => (JSON.parse(line) as { number: number }).number),
    [1, 2],
  );
  deepStrictEqual((await beckon('audit', 'export', '--after', '1')).out, `${lines[1]}\n`);
  const [known, keys] = [join(dataDir, 'log.jsonl'), join(dataDir, 'jwks.json')];
  writeFileSync(known, exported.out);
  writeFileSync(keys, JSON.stringify(await readKeySet({ database })));
  deepStrictEqual((await beckon('audit', 'verify', '--known', known, '--keys', keys)).code, 0);

  const change = (statement: ReturnType<typeof sql>) => database.transaction((trx) => statement.execute(trx));
  await change(sql`delete from audit_entries where number = 1`);
  deepStrictEqual(await beckon('audit', 'verify'), { code: 3, out: 'Entry 1 was removed.\n', err: '' });
  await change(sql`delete from audit_entries`);
  await change(sql`delete from settings where name = 'audit_head'`);
  await chain(hub, keeping);
  deepStrictEqual((await beckon('audit', 'verify')).code, 0);
  deepStrictEqual(await beckon('audit', 'verify', '--known', known, '--json'), {
    code: 3,
    out: `${JSON.stringify({
      entries: 1,
      rows: 2,
      waiting: 0,
      faults: ['Entry 1 is not the one that was exported.', 'Entry 2 is not the one that was exported.'],
    })}\n`,
    err: '',
  });
  match((await beckon('audit', 'export', '--after', 'x')).err, /^--after must be the number of an entry/);
  writeFileSync(known, '{"number":1}\n');
  match((await beckon('audit', 'verify', '--known', known)).err, /^--known has no entry in line 1/);
});

async function openHub(t: TestContext, dataDir: string) {
  const database = await openDatabase({ dataDir });
  t.after(database.close);
  const hub = { database, sealingKey: Buffer.alloc(32, 1) };
  await renewKeys(hub, 90);
  return { hub, database };
}

async function beckonIn(dataDir: string, args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { out: '', err: '' };
  const code = await run(args, {
    env: { DATA_DIR: dataDir },
    out: { write: (text: string) => void (ran.out += text) },
    err: { write: (text: string) => void (ran.err += text) },
  });
  return { code, ...ran };
}
