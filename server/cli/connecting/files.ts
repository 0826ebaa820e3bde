import { access, chmod, constants, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../platform/secrets/folder.ts';
import { UsageError } from '../command/terminal.ts';
import type { Line, Part } from './agents.ts';
import { valueOf } from './json.ts';
import { CannotChange } from './cannot-change.ts';

/** What becomes of one file; `undefined` where there is none. */
export type Change = { part: Part; before: string | undefined; after: string | undefined };

export const KEY_IN = /\bbks_[\w-]+/;
const HUB_IN = /(https?:\/\/[^\s"'?]+?)\/(?:mcp\?(?:deadline|wait)=|v1\/ask\/)/g;

/** The hubs that the settings of an agent lead to, as `connect` writes their addresses. */
export function hubsIn(text: string): string[] {
  return [...text.matchAll(HUB_IN)].map(([, hub = '']) => hub);
}

/** Whether an agent is connected, with all of its files or some of them only, to which hub, and where that stands. */
export async function readSet(parts: Part[]): Promise<{
  connected: 'yes' | 'in part' | 'no' | 'unreadable';
  hub?: string;
  files: string[];
  texts: Record<string, string>;
}> {
  try {
    const found = await Promise.all(parts.map(async (part) => ({ part, text: await read(part.file) })));
    const set = found.filter(({ part, text }) => text !== undefined && (part.own || part.take(text) !== text));
    const [hub] = set.flatMap(({ text = '' }) => hubsIn(text));
    const connected = set.length === 0 ? 'no' : set.length === parts.length ? 'yes' : 'in part';
    const files = set.map(({ part }) => part.file);
    const texts = Object.fromEntries(found.map(({ part, text = '' }) => [part.file, text]));
    return { connected, ...(hub === undefined ? {} : { hub }), files, texts };
  } catch (error) {
    if (!(error instanceof CannotChange || error instanceof UsageError)) throw error;
    return { connected: 'unreadable', files: [], texts: {} };
  }
}

/** Where the file as it was before the first change stands. */
const copyPath = (file: string): string => `${file}.before-beckon`;

/** What would become of a file with this line to the hub, or without any. One sentence where it cannot be changed. */
export async function planChange(part: Part, line: Line | undefined): Promise<Change> {
  const before = await read(part.file);
  if (before !== undefined) await refuseReadOnly(part.file);
  if (line === undefined && before === undefined) return { part, before, after: undefined };
  try {
    const after = line ? part.put(before ?? '', line) : await left(part, before ?? '');
    return { part, before, after };
  } catch (error) {
    if (error instanceof CannotChange) throw new UsageError(`${part.file} was not changed: ${error.message}.`);
    throw error;
  }
}

/**
 * Makes the change in what stands in the file by now, at once or not at all; only its user can read it then, because it
 * holds a key. A copy of the file as it was without Beckon is kept beside it until it is put back, and no other.
 */
export async function write(part: Part, line: Line | undefined): Promise<void> {
  const { before, after } = await planChange(part, line);
  const path = copyPath(part.file);
  const copy = part.own ? undefined : await readCopy(part);
  try {
    const file = await followed(part.file);
    const mode = (await stat(line ? file : path).catch(() => undefined))?.mode ?? 0o600;
    const isFirst = line && before !== after && before !== undefined && !part.own && part.take(before) === before;
    if (isFirst && before !== copy?.text) await place(path, before, mode);
    if (!isFirst && copy && copy.own !== copy.text) await replace(path, copy.own, 0o600);
    if (before !== after) await replace(file, after, line ? 0o600 : mode);
    if (!line && copy && after === copy.own) await rm(path, { force: true });
  } catch (error) {
    throw new UsageError(`${part.file} could not be written: ${(error as Error).message}.`);
  }
}

async function replace(file: string, text: string | undefined, mode: number): Promise<void> {
  await (text === undefined ? rm(file, { force: true }) : place(file, text, mode));
}

/** What is left without Beckon; nothing of a file that held nothing else and was not there before. */
async function left(part: Part, before: string): Promise<string | undefined> {
  if (part.own) return undefined;
  const { own } = (await readCopy(part)) ?? {};
  const after = part.take(before, own);
  if (after === before) return after;
  if (own === undefined) return isBlank(after) ? undefined : after;
  return isUnchanged(part, own, before) || (isBlank(own) && isBlank(after)) ? own : after;
}

/** The copy of a file, and what of it is its user's own: earlier versions copied files that were connected. */
async function readCopy(part: Part): Promise<{ text: string; own: string | undefined } | undefined> {
  const text = await read(copyPath(part.file));
  if (text === undefined) return undefined;
  try {
    const own = part.take(text);
    return { text, own: own !== text && isBlank(own) ? undefined : own };
  } catch (error) {
    if (error instanceof CannotChange) return undefined;
    throw error;
  }
}

/** True where nobody changed the file since: then even an empty object that was there stays. */
function isUnchanged(part: Part, copy: string, now: string): boolean {
  try {
    return part.put(copy, { url: hubsIn(now)[0] ?? '', key: KEY_IN.exec(now)?.[0] ?? '' }) === now;
  } catch (error) {
    if (error instanceof CannotChange) return false;
    throw error;
  }
}

function isBlank(text: string): boolean {
  return text.trim() === '' || (text.trim().startsWith('{') && JSON.stringify(valueOf(text)) === '{}');
}

async function read(file: string): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? `${file} was not changed: it is no UTF-8.`
        : `${file} cannot be read: ${(error as Error).message}.`,
    );
  }
}

/** The file that a link leads to, also where there is none yet: a link stays one. */
async function followed(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined) return realpath(file).catch(() => file);
  return followed(resolve(await realpath(dirname(file)), target));
}

async function refuseReadOnly(file: string): Promise<void> {
  const { mode } = await stat(file);
  const may = await access(file, constants.W_OK).then(
    () => true,
    () => false,
  );
  // Root may write anything, and somebody made it read-only for a reason.
  if (!may || (mode & 0o200) === 0) throw new UsageError(`${file} was not changed: it is read-only.`);
}

/** A new file in the place of the old one, so that nobody ever reads half of it. */
async function place(file: string, text: string, mode: number): Promise<void> {
  makeFolder(dirname(file));
  const fresh = `${file}.${process.pid}`;
  const handle = await open(fresh, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(fresh, mode & 0o777);
  await rename(fresh, file);
}
