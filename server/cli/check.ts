import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findDamage, type Stored } from '../inquiries/damage.ts';
import { presentSealingKey } from '../platform/secrets/sealing-key.ts';
import { readSettings } from '../platform/settings.ts';
import { isDamage } from '../platform/sqlite/damage.ts';
import { sqlitePath } from '../platform/sqlite/open.ts';
import { command } from './command/command.ts';
import { refuseMissing, withHubData } from './command/hub-data.ts';
import { EXIT, print, UsageError } from './command/terminal.ts';

const COLUMNS = 'id, asked, transport, asked_of, digest, outcome, resolution, sealed';
const PORTION = 500;

/** `check`: whether the database, page by page and inquiry by inquiry, is as it was written. */
export const check = command({
  name: 'check',
  does: 'say whether the database is damaged, and which inquiries are',
  options: { file: { type: 'string', value: 'FILE', means: 'a backup; by default the data of the hub' } },
  json: true,
  more: `Reads everything once, beside a running hub or without one. Postgres checks its own pages (pg_amcheck, data checksums): there only
the inquiries are read. A text with another letter in it that is still one is found by "beckon audit verify".`,
  exits: { 0: 'nothing is damaged', 3: 'something is; prints what, a line each' },
  examples: ['beckon check', 'beckon check --file /backup/beckon-2026-11-27.sqlite'],
  async run({ values: { file }, json }, terminal) {
    const settings = readSettings(terminal.env);
    if (file !== undefined && !existsSync(file)) throw new UsageError(`There is no ${resolve(file)}.`);
    const key = presentSealingKey(settings.DATA_DIR, settings.SEALING_KEY);
    const inPostgres = file === undefined && settings.DATABASE_URL !== undefined;
    if (!inPostgres && file === undefined) await refuseMissing(settings);
    const damage = inPostgres
      ? await withHubData(terminal, ({ database: { read } }) =>
          checkRows(key, (after) =>
            read
              .selectFrom('inquiries')
              .select(['id', 'asked', 'transport', 'asked_of', 'digest', 'outcome', 'resolution', 'sealed'])
              .where('id', '>', after)
              .orderBy('id')
              .limit(PORTION)
              .execute(),
          ),
        )
      : await checkFile(file ?? sqlitePath(settings.DATA_DIR), key);
    print(terminal, json, { damage }, damage.length === 0 ? 'Nothing is damaged.' : damage.join('\n'));
    return damage.length === 0 ? EXIT.ok : EXIT.no;
  },
});

async function checkFile(path: string, key: Buffer | undefined): Promise<string[]> {
  const damage: string[] = [];
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    for (const [pragma, means] of [
      ['integrity_check', 'The file'],
      ['foreign_key_check', 'A row that points to none'],
    ] as const)
      for (const row of file.prepare(`pragma ${pragma}`).all()) {
        const found = Object.values(row).join(' ').replaceAll('\n', ' ');
        if (found !== 'ok') damage.push(`${means}: ${found}`);
      }
    const portion = file.prepare(`select ${COLUMNS} from inquiries where id > ? order by id limit ${PORTION}`);
    damage.push(...(await checkRows(key, async (after) => portion.all(after) as unknown as Stored[])));
  } catch (error) {
    if (!isDamage(error)) throw error;
    damage.push(`The file: ${(error as Error).message}`);
  } finally {
    file?.close();
  }
  return damage;
}

async function checkRows(key: Buffer | undefined, read: (after: string) => Promise<Stored[]>): Promise<string[]> {
  const damage: string[] = [];
  for (let after = '', rows = await read(after); rows.length > 0; rows = await read(after)) {
    for (const row of rows) {
      const found = findDamage(row, key);
      if (found !== undefined) damage.push(`${row.id}: ${found}`);
    }
    after = rows.at(-1)?.id ?? '';
  }
  return damage;
}
