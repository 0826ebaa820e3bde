import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { AppError } from '#shared/problem.ts';

/** So large a file is read whole at each start, with its indexes, or without them; of a larger one only small tables are. */
const WITH_INDEXES_BYTES = 16 * 2 ** 20;
const WHOLE_BYTES = 64 * 2 ** 20;
const SMALL_ROWS = 5_000;
const WITHIN_MS = 200;

/** Whether SQLite found its file damaged (SQLITE_CORRUPT or SQLITE_NOTADB, in any of their extended forms). */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}

/** The refusal that names the remedy; `path` where it is known. */
export function damaged(reason: string, path = 'DATA_DIR/beckon.sqlite', cause?: unknown): AppError {
  const detail = `The database ${path} is damaged (${reason.replaceAll('\n', ' ')}): stop the hub, put the newest backup in its place and start with --restored; "beckon check" lists what is damaged.`;
  return new AppError(500, 'database.damaged', detail, { cause });
}

/** Throws `database.damaged` where the pages of the file do not fit together, as far as that is seen within 0.3 s. */
export function checkQuickly(file: DatabaseSync, path: string): void {
  const until = performance.now() + WITHIN_MS;
  const number = (sql: string): number => Number(Object.values(file.prepare(sql).get() ?? {})[0] ?? 0);
  const check = (pragma: string): void => {
    const found = Object.values(file.prepare(`pragma ${pragma}`).get() ?? {})[0];
    if (found !== 'ok') throw damaged(String(found), path);
  };
  const bytes = number('pragma page_count') * number('pragma page_size');
  if (bytes <= WITH_INDEXES_BYTES) return check('integrity_check(1)');
  if (bytes <= WHOLE_BYTES) return check('quick_check(1)');
  const tables = file.prepare("select name from sqlite_schema where type = 'table' and sql not like '%without rowid%'");
  for (const { name } of tables.all() as { name: string }[])
    if (performance.now() < until && number(`select max(rowid) from "${name}"`) < SMALL_ROWS)
      check(`quick_check("${name}")`);
}

/**
 * Throws `database.damaged` where tables and indexes are not described as the migrations left them, which no page tells.
 * `application_id` says after how many migrations `user_version` was made of their descriptions.
 */
export function checkSchema(file: DatabaseSync, path: string): void {
  const number = (sql: string): number => Number(Object.values(file.prepare(sql).get() ?? {})[0]);
  const described = file
    .prepare("select name, sql from sqlite_schema where name not like 'sqlite%' order by name")
    .all();
  const applied = number('select count(*) from migrations');
  // Half of the 32 bits, for SQLite keeps a signed number.
  const now = crc32(JSON.stringify(described)) >>> 1;
  if (number('pragma user_version') === now && number('pragma application_id') === applied) return;
  if (number('pragma application_id') === applied)
    throw damaged('its tables are not as its migrations made them', path);
  file.exec(`begin; pragma user_version = ${now}; pragma application_id = ${applied}; commit`);
}
