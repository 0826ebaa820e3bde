import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that its owner alone can read, and those above it. Not by `recursive`: where nothing can be made, as
 * below /proc, Node tries that without end.
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Two that start at once make it once.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/**
 * Makes a file that its owner alone can read, unless there is one: whole, and on the disk before this returns, so that a
 * power cut leaves all of it or none.
 */
export function makeFile(file: string, content: string): void {
  if (existsSync(file)) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, content, { mode: 0o600, flush: true });
  try {
    // Of two that start at once, one makes it and both read the same.
    linkSync(fresh, file);
  } catch {
    // Some file systems have no links.
    if (!existsSync(file)) renameSync(fresh, file);
  }
  rmSync(fresh, { force: true });
  syncFolder(dirname(file));
}

/** Returns when the names in this folder are on the disk. */
export function syncFolder(folder: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
