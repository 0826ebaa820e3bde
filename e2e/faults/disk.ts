import type { Chance } from '../hub/chance.ts';
import type { DiskEvent } from './record.ts';

/** What a disk tears a write into. */
const SECTOR = 512;

/** What of the things written but not synced a power cut leaves: nothing, all, those up to one, any, or one of them torn. */
export const CUTS = ['nothing', 'all', 'the first', 'any', 'torn'] as const;
export type Cut = (typeof CUTS)[number];

type Change = { offset: number; data: Buffer } | { size: number };
type File = { durable: Buffer; pending: Change[] };
type Naming = { path: string; file?: File };

/**
 * A folder on a disk that may lose what was not synced. Names are kept in the order in which they were given, as
 * journalling file systems do, and a file that was synced has its name; what was written to files may come in any order.
 */
export class Disk {
  #durable = new Map<string, File>();
  #names = new Map<string, File>();
  #pending: Naming[] = [];

  constructor(files: Iterable<[string, Buffer]> = []) {
    for (const [path, durable] of files) this.#durable.set(path, { durable, pending: [] });
    this.#names = new Map(this.#durable);
  }

  apply(event: DiskEvent): void {
    const file = this.#names.get(event.path);
    if (event.does === 'create') this.#name({ path: event.path, file: { durable: Buffer.alloc(0), pending: [] } });
    else if (event.does === 'remove') this.#name({ path: event.path });
    else if ((event.does === 'rename' || event.does === 'link') && file) {
      this.#name({ path: event.to, file });
      if (event.does === 'rename') this.#name({ path: event.path });
    } else if (event.does === 'sync') this.#sync(file);
    else if (event.does === 'write') file?.pending.push({ offset: event.offset, data: event.data });
    else if (event.does === 'truncate') file?.pending.push({ size: event.size });
  }

  /** Whether a power cut at this moment may leave several states. */
  get unsynced(): boolean {
    return this.#pending.length > 0 || [...this.#names.values()].some(({ pending }) => pending.length > 0);
  }

  /** The files as a power cut at this moment may leave them. */
  after(cut: Cut, chance: Chance): Map<string, Buffer> {
    const kept = cut === 'nothing' ? 0 : cut === 'all' ? this.#pending.length : chance.below(this.#pending.length + 1);
    const names = new Map(this.#durable);
    for (const naming of this.#pending.slice(0, kept)) put(names, naming);
    return new Map(
      [...names].map(([path, { durable, pending }]) => [path, leave(durable, choose(pending, cut, chance))]),
    );
  }

  #name(naming: Naming): void {
    put(this.#names, naming);
    this.#pending.push(naming);
  }

  #sync(file: File | undefined): void {
    // Without a file it is the folder.
    const upTo = file ? this.#pending.findLastIndex((naming) => naming.file === file) : this.#pending.length - 1;
    for (const naming of this.#pending.splice(0, upTo + 1)) put(this.#durable, naming);
    if (!file) return;
    file.durable = leave(file.durable, file.pending);
    file.pending = [];
  }
}

function put(names: Map<string, File>, { path, file }: Naming): void {
  if (file) names.set(path, file);
  else names.delete(path);
}

function choose(pending: Change[], cut: Cut, chance: Chance): Change[] {
  if (cut === 'nothing') return [];
  if (cut === 'all') return pending;
  if (cut === 'the first') return pending.slice(0, chance.below(pending.length + 1));
  if (cut === 'any') return pending.filter(() => chance.number() < 0.5);
  const at = chance.below(pending.length);
  return pending.slice(0, at + 1).flatMap((change, index) => (index === at ? tear(change, chance) : [change]));
}

function tear(change: Change, chance: Chance): Change[] {
  if ('size' in change) return [];
  const sectors = Array.from({ length: Math.ceil(change.data.length / SECTOR) }, (_, at) => at * SECTOR);
  return sectors
    .filter(() => chance.number() < 0.5)
    .map((from) => ({ offset: change.offset + from, data: change.data.subarray(from, from + SECTOR) }));
}

function leave(durable: Buffer, changes: Change[]): Buffer {
  const ends = changes.map((change) => ('size' in change ? change.size : change.offset + change.data.length));
  const whole = Buffer.alloc(Math.max(durable.length, ...ends, 0));
  durable.copy(whole);
  let size = durable.length;
  for (const change of changes) {
    if ('size' in change) {
      if (change.size < size) whole.fill(0, change.size, size);
      size = change.size;
    } else {
      change.data.copy(whole, change.offset);
      size = Math.max(size, change.offset + change.data.length);
    }
  }
  return whole.subarray(0, size);
}
