import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** One thing that a process did to the files of a folder, at so many ms since 1970. */
export type DiskEvent = { at: number } & (
  | { does: 'write'; path: string; offset: number; data: Buffer }
  | { does: 'truncate'; path: string; size: number }
  | { does: 'create' | 'remove' | 'sync'; path: string }
  | { does: 'rename' | 'link'; path: string; to: string }
);

const CALLS = 'openat,close,write,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat,rename,renameat2,link,linkat';

/** Puts a program under `strace`, which writes what it does to files into `traceFile`; killing the program ends both. */
export function recorded(traceFile: string, program: readonly string[]): string[] {
  return [
    'strace',
    '-D',
    '-f',
    '-ttt',
    '-y',
    '-xx',
    '-s',
    '10000000',
    '-o',
    traceFile,
    '-e',
    `trace=${CALLS}`,
    ...program,
  ];
}

/**
 * Reads what a recorded program did to the files of this folder, of which these were there before, in order: what was written when the call began, what was
 * synced when it returned. The index that SQLite maps into memory is left out, for it is made anew at each start.
 */
export async function readTrace(
  traceFile: string,
  folder: string,
  present: Iterable<string> = [],
): Promise<DiskEvent[]> {
  const events: DiskEvent[] = [];
  const begun = new Map<string, string>();
  const places = new Map<string, number>();
  const known = new Set(present);
  for await (const line of createInterface(createReadStream(traceFile))) {
    const [, pid = '', seconds = '', rest = ''] = /^(\d+)\s+(\d+\.\d+) (.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest);
    const unfinished = rest.endsWith('<unfinished ...>');
    if (unfinished) begun.set(pid, rest.slice(0, -'<unfinished ...>'.length));
    const text = resumed ? (begun.get(pid) ?? '') + resumed[2] : rest;
    const call = readCall(text);
    // What was written may be on the disk while the call goes on; what was synced is only once it returned.
    if (!call || (unfinished ? !WRITES.has(call.name) : resumed && WRITES.has(call.name))) continue;
    if (!unfinished && call.failed) continue;
    const event = toEvent(call, places, known);
    if (event && inFolder(event.path, folder)) events.push({ at: Number(seconds) * 1000, ...event });
  }
  return events;
}

const WRITES = new Set(['write', 'pwrite64']);
type Call = { name: string; texts: string[]; paths: string[]; last: number; flags: string; failed: boolean };

function readCall(text: string): Call | undefined {
  const name = /^(\w+)\(/.exec(text)?.[1];
  if (name === undefined) return undefined;
  const paths = [...text.matchAll(/\d+<((?:\\x[0-9a-f]{2})*)>/g)].map(([, hex = '']) => decode(hex).toString());
  const texts = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => hex);
  const bare = text.replace(/"(?:\\x[0-9a-f]{2})*"/g, '""').replace(/<(?:\\x[0-9a-f]{2})*>/g, '');
  const numbers = [...bare.replace(/\) = .*$/, '').matchAll(/, (\d+)/g)].map(([, number]) => Number(number));
  return {
    name,
    texts,
    paths,
    last: numbers.at(-1) ?? 0,
    flags: /O_[A-Z_|]+/.exec(bare)?.[0] ?? '',
    failed: /\) += -1 /.test(bare),
  };
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

type Plain<Event> = Event extends DiskEvent ? Omit<Event, 'at'> : never;

function toEvent(call: Call, places: Map<string, number>, known: Set<string>): Plain<DiskEvent> | undefined {
  const { name, texts, paths, last, flags } = call;
  const [path = ''] = paths;
  const named = (at: number): string => decode(texts[at] ?? '').toString();
  if (name === 'openat') {
    const opened = paths.at(-1) ?? '';
    const isNew = flags.includes('O_CREAT') && !known.has(opened);
    known.add(opened);
    places.delete(opened);
    if (isNew) return { does: 'create', path: opened };
    return flags.includes('O_TRUNC') ? { does: 'truncate', path: opened, size: 0 } : undefined;
  }
  if (name === 'pwrite64') return { does: 'write', path, offset: last, data: decode(texts[0] ?? '') };
  if (name === 'write') {
    const data = decode(texts[0] ?? '');
    const offset = places.get(path) ?? 0;
    places.set(path, offset + data.length);
    return { does: 'write', path, offset, data };
  }
  if (name === 'ftruncate') return { does: 'truncate', path, size: last };
  if (name === 'fsync' || name === 'fdatasync') return { does: 'sync', path };
  if (name.startsWith('unlink')) {
    known.delete(named(0));
    return { does: 'remove', path: named(0) };
  }
  if (name.startsWith('link')) {
    known.add(named(1));
    return { does: 'link', path: named(0), to: named(1) };
  }
  if (name.startsWith('rename')) {
    known.delete(named(0));
    known.add(named(1));
    return { does: 'rename', path: named(0), to: named(1) };
  }
  return undefined;
}

function inFolder(path: string, folder: string): boolean {
  return (path === folder || path.startsWith(`${folder}/`)) && !path.endsWith('-shm');
}
