import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { LINE_BYTES, lineReader } from './lines.ts';

const UNREAD_BYTES = 2 * LINE_BYTES;
/** A client kills what has not ended two seconds after it was asked to; what it started must be gone by then. */
const GRACE_MS = { toEnd: 1000, toDie: 800, toClose: 500 };

export type Program = {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd?: string | undefined;
};
/** `sentence`: why it ended, for whoever waits for it. `code`: its own, or 128 + n after signal n. */
export type Ending = { code: number; sentence: string };
export type ChildOptions = {
  /** A line of it, or with `onBytes` whatever it wrote, as it was written. */
  onLine?: (line: Buffer) => void;
  onBytes?: (bytes: Buffer) => void;
  /** Its input may be written to again. */
  onDrain?: () => void;
  /**
   * So long after its input ended it is asked to end, and so long after that it is killed. Once it has ended
   * its output is read for so long: what left its process group may hold that open for ever.
   */
  graceMs?: { toEnd: number; toDie: number; toClose: number };
};
/**
 * Starts a program that speaks MCP over its standard input and output, without a shell and in a process
 * group of its own. When it ends, what it started ends with it; when this process dies, its input ends.
 */
export function startChild(program: Program, options: ChildOptions) {
  const { onLine = () => {}, onDrain, graceMs = GRACE_MS } = options;
  const own = process.platform !== 'win32';
  const child = spawn(program.command, program.args, {
    env: program.env,
    ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: own,
    windowsHide: true,
  });
  const signal = (name: NodeJS.Signals): void => signalGroup(child, name, own);
  const ended = whenEnded(child, program, { killRest: () => signal('SIGKILL'), toClose: graceMs.toClose });
  const tooLong = (): void => signal('SIGKILL');
  child.stdout?.on('data', options.onBytes ?? lineReader(onLine, { onTooLong: tooLong }));
  child.stdout?.on('error', () => {});
  child.stdin?.on('error', () => {});
  child.stdin?.on('drain', () => onDrain?.());

  let ending: Promise<Ending> | undefined;
  return {
    pid: child.pid,
    /** Writes these bytes; false: its input is full, and `onDrain` tells when it is not. */
    write: (bytes: Buffer): boolean => !child.stdin?.writable || child.stdin.write(bytes),
    /** The same of one line, whose end is put behind it. */
    send: (line: Buffer | string): boolean => {
      if (!child.stdin?.writable) return true;
      child.stdin.write(line);
      // What it does not read would fill our memory.
      if (child.stdin.writableLength > UNREAD_BYTES) tooLong();
      return child.stdin.write('\n');
    },
    /** Stops reading from it, for a reader that is slow; one that ends or has ended is read all the same. */
    pause(): void {
      // What it still says is little, and is handed over before `ended` resolves.
      if (!ending && child.exitCode === null && child.signalCode === null) child.stdout?.pause();
    },
    resume: () => void child.stdout?.resume(),
    signal,
    /** Resolves when it has ended and all it said has been handed over. */
    ended,
    /** Ends its input, then asks it to end, then kills it, and all it started. */
    end: () => (ending ??= endChild(child, ended, signal, graceMs)),
  };
}

async function endChild(
  child: ChildProcess,
  ended: Promise<Ending>,
  signal: (name: NodeJS.Signals) => void,
  { toEnd, toDie }: NonNullable<ChildOptions['graceMs']>,
): Promise<Ending> {
  child.stdin?.end();
  child.stdout?.resume();
  const timers = [setTimeout(() => signal('SIGTERM'), toEnd), setTimeout(() => signal('SIGKILL'), toEnd + toDie)];
  const ending = await ended;
  for (const timer of timers) clearTimeout(timer);
  return ending;
}

type Rest = { killRest: () => void; toClose: number };

function whenEnded(child: ChildProcess, { command, cwd }: Program, { killRest, toClose }: Rest): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const what = cwd !== undefined && !existsSync(cwd) ? `there is no folder ${cwd}` : 'there is no such program';
      const missing = error.code === 'ENOENT' ? what : error.message;
      // A program that never ran has no streams to wait for.
      if (child.pid === undefined) resolve({ code: 127, sentence: `"${command}" cannot be started: ${missing}.` });
    });
    child.once('exit', () => {
      // Its own children hold its output open: without this, nothing would ever close.
      killRest();
      const letGo = (): void => void [child.stdin, child.stdout].map((stream) => stream?.destroy());
      const limit = setTimeout(letGo, toClose);
      child.once('close', () => clearTimeout(limit));
      child.stdout?.resume();
    });
    child.once('close', (code, signal) => {
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      resolve({
        code: signal ? 128 + (constants.signals[signal] ?? 0) : (code ?? 1),
        sentence: `"${command}" ${how}.`,
      });
    });
  });
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals, own: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (own) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // It has ended, and so has all that it started.
  }
}
