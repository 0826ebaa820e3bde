import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/problem.ts';

export type Migration = { number: number; name: string; sql: string; sha256: string };

/** What the runner needs of an engine. */
export type MigrationTarget = {
  engine: 'sqlite' | 'postgres';
  /** Begins a transaction that no other node's runner overlaps. */
  begin: string;
  query(sql: string): Promise<Record<string, unknown>[]>;
  exec(sql: string): Promise<void>;
};

const FOR_SQLITE = /\/\* sqlite: (.*?) \*\//gs;
const MIGRATIONS = join(import.meta.dirname, 'migrations');

/**
 * Applies what is missing, in order, each in a transaction of its own together with its record. Refuses an
 * edited migration and a database newer than this code; several nodes may run it at once.
 */
export async function migrate(
  target: MigrationTarget,
  migrations: Migration[] = readMigrations(MIGRATIONS),
): Promise<void> {
  let next: Migration | undefined;
  do {
    await target.exec(target.begin);
    try {
      next = await applyNext(target, migrations);
      await target.exec('commit');
    } catch (error) {
      await target.exec('rollback').catch(() => {});
      throw error;
    }
  } while (next);
}

/** The `NNNN_name.sql` files of a folder in order; line ends do not count, so a checkout on Windows has the same SHA-256. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name, index) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]);
    if (number !== index + 1) throw new Error(`${name} is not the migration that follows number ${index}`);
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}

async function applyNext(target: MigrationTarget, migrations: Migration[]): Promise<Migration | undefined> {
  await target.exec(
    'create table if not exists migrations (number integer primary key, name text not null, sha256 text not null, applied_at bigint not null)',
  );
  const applied = await target.query('select number, name, sha256 from migrations order by number');
  for (const [index, row] of applied.entries()) {
    const known = migrations[index];
    if (!known || row['number'] !== known.number) {
      throw newer(String(row['name']));
    }
    if (row['sha256'] !== known.sha256) {
      throw new AppError(
        500,
        'database.migration_edited',
        `The migration ${known.name} was edited after this database applied it; restore the file and put the change into a new migration.`,
      );
    }
  }
  const next = migrations[applied.length];
  if (!next) return undefined;
  // What only SQLite understands stands in a comment, and the file has one SHA-256 on both engines.
  await target.exec(target.engine === 'sqlite' ? next.sql.replaceAll(FOR_SQLITE, '$1') : next.sql);
  const record = `${next.number}, '${next.name}', '${next.sha256}', ${Date.now()}`;
  await target.exec(`insert into migrations (number, name, sha256, applied_at) values (${record})`);
  return next;
}

function newer(name: string): AppError {
  const detail = `The database was made by a newer version of Beckon (it has "${name}"); start that version or restore a backup.`;
  return new AppError(500, 'database.newer', detail);
}
