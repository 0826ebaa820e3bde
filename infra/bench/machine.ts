import { closeSync, fdatasyncSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const FLUSHES = 100;
const PAGE_BYTES = 4_096;
const WATCHED_MS = 1_000;

/** The value below which this share of `values` lies; NaN for none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Milliseconds that one flush of an appended page takes on the disk that the databases of this run lie on. */
export function flushMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-bench-'));
  const file = openSync(join(folder, 'flushed'), 'a');
  const times = Array.from({ length: FLUSHES }, () => {
    const begun = performance.now();
    writeSync(file, Buffer.alloc(PAGE_BYTES, 1));
    fdatasyncSync(file);
    return performance.now() - begun;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return quantile(times, 0.5);
}

/** The share of all cores that this machine spends on something else, 0 to 1, watched for a second; Linux only. */
export async function busyShare(): Promise<number> {
  const before = jiffies();
  await pause(WATCHED_MS);
  const after = jiffies();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

/** Milliseconds of processor time that a process and its children have used, all threads; Linux only. */
export function cpuMs(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ownCpuMs(one), 0);
}

function jiffies(): { idle: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const numbers = line.split(/\s+/).slice(1).map(Number);
  return { idle: (numbers[3] ?? 0) + (numbers[4] ?? 0), all: numbers.reduce((sum, one) => sum + one, 0) };
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(fieldsOf(name)[1]) === pid)
    .map(Number);
}

// The fields after the command's name, which may itself hold spaces (proc_pid_stat(5)).
function fieldsOf(pid: string): string[] {
  const text = readOrNothing(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function ownCpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const threads = namesIn(tasks).map((thread) => Number(readOrNothing(`${tasks}/${thread}/schedstat`).split(' ')[0]));
  return threads.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

// A process or thread may end while it is looked at.
function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
