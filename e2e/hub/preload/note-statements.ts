/** Loaded before a hub by `--import`: every statement that it makes is appended to the file that BECKON_TEST_STATEMENTS names, once. */
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const file = process.env['BECKON_TEST_STATEMENTS'];
if (file === undefined) throw new Error('BECKON_TEST_STATEMENTS names no file');
const noted = new Set<string>();
function note(sql: unknown): void {
  if (typeof sql !== 'string' || noted.has(sql) || !/^\s*(select|insert|update|delete|with)\b/i.test(sql)) return;
  noted.add(sql);
  appendFileSync(file as string, `${JSON.stringify(sql)}\n`);
}

const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
  note(given[0]);
  return prepare.apply(this, given);
};
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  note(typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text);
  return query.apply(this, given);
} as never;
