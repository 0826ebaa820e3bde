// Makes the fixtures of this version, as CONTRIBUTING says ("Keep a version's databases").
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { startHub } from '../hub/hub.ts';
import { freshDatabase } from '../hub/servers.ts';
import { fill, startOutside } from './fill.ts';
import { FIXTURES, open, SEALING_KEY } from './fixture.ts';
import { readAll } from './read.ts';
import { refusedOf } from './statements.ts';

const MAX = { level: 9 };
const preload = new URL('../hub/preload/note-statements.ts', import.meta.url).href;
const noting = (file: string) => ({ NODE_OPTIONS: `--import=${preload}`, BECKON_TEST_STATEMENTS: file });
const statements = process.env['BECKON_TEST_STATEMENTS'] ?? '';
for (const engine of ['SQLite', 'Postgres'] as const) {
  const outside = await startOutside();
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-fill-'));
  const hub = await startHub({
    DATA_DIR: dataDir,
    SEALING_KEY,
    NODE_URL: 'http://127.0.0.1:1',
    PUSH_HOSTS: outside.endpoint.url,
    ...noting(statements),
    ...(engine === 'Postgres' ? { DATABASE_URL: database.url } : {}),
  });
  const credentials = {
    ...(await fill(hub, outside)),
    commandLine: readFileSync(join(dataDir, 'command-line-key'), 'utf8'),
  };
  // As a power cut leaves it, not as a tidy stop does.
  await hub.kill();
  await outside.close();
  const takenAt = Date.now();
  const file = join(FIXTURES, engine);
  if (engine === 'Postgres') {
    const dump = execFileSync('pg_dump', ['--inserts', '--rows-per-insert=200', '--no-owner', database.url]);
    writeFileSync(`${file}.sql.gz`, gzipSync(dump, MAX));
  } else {
    const embedded = new DatabaseSync(join(dataDir, 'beckon.sqlite'));
    embedded.exec('pragma wal_checkpoint(truncate); pragma journal_mode = delete; vacuum');
    embedded.close();
    writeFileSync(`${file}.sqlite.gz`, gzipSync(readFileSync(join(dataDir, 'beckon.sqlite')), MAX));
  }
  const made = readFileSync(statements, 'utf8').trim().split('\n');
  // The shortest of those that differ by the length of a list or a literal alone.
  const alike = (sql: string) =>
    sql
      .replace(/'[^']*'|\d+/g, '')
      .replaceAll('$', '?')
      .replace(/(\?, )+/g, '')
      .replace(/(\(\?\), )+/g, '');
  const longest = made.map((line) => JSON.parse(line) as string).toSorted((one, other) => other.length - one.length);
  const all = [...new Map(longest.map((sql) => [alike(sql), sql])).values()];
  // Those of the other engine, and of tables that a test made for itself.
  const at = engine === 'SQLite' ? { file: join(dataDir, 'beckon.sqlite') } : { url: database.url };
  const foreign = new Set((await refusedOf(all, at)).map(({ sql }) => sql));
  const kept = JSON.stringify(all.filter((sql) => !foreign.has(sql)).toSorted());
  writeFileSync(`${file}.statements.json.gz`, gzipSync(kept, MAX));
  await database.drop();
  rmSync(dataDir, { recursive: true });
  // What this version itself says of it, when it comes back.
  writeFileSync(`${file}.json.gz`, gzipSync(JSON.stringify({ takenAt, credentials }), MAX));
  const opened = await open(engine);
  const told = await readAll(opened.hub, credentials);
  await opened.remove();
  writeFileSync(`${file}.json.gz`, gzipSync(JSON.stringify({ takenAt, toldAt: opened.at, credentials, told }), MAX));
}
