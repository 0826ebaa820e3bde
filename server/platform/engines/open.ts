import type { BaseLogger } from 'pino';
import type { Database } from '../database.ts';
import { openPostgres } from '../postgres/open.ts';
import { openSqlite } from '../sqlite/open.ts';

export type DatabaseOptions = {
  dataDir: string;
  databaseUrl?: string | undefined;
  connections?: number | undefined;
  log?: BaseLogger | undefined;
};

/** Opens, checks and migrates Postgres at `databaseUrl`, else SQLite in `dataDir`; refuses with an AppError of one sentence. */
export function openDatabase({ dataDir, databaseUrl, connections, log }: DatabaseOptions): Promise<Database> {
  return databaseUrl ? openPostgres({ url: databaseUrl, connections, log }) : openSqlite({ dataDir, log });
}
