/**
 * Loaded before a hub by `--import`: while the file that BECKON_TEST_DISK names exists, SQLite gets no new page, as on a
 * full disk.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const file = process.env['BECKON_TEST_DISK'];
if (file === undefined) throw new Error('BECKON_TEST_DISK names no file');
const LARGEST = 4_294_967_294;
const open = new Set<DatabaseSync>();
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
  open.add(this);
  return prepare.apply(this, given);
};
let full = false;
setInterval(() => {
  if (existsSync(file) === full) return;
  full = !full;
  // One page is less than there are: SQLite then takes what there are for the limit.
  for (const database of open) if (database.isOpen) database.exec(`pragma max_page_count = ${full ? 1 : LARGEST}`);
}, 20).unref();
