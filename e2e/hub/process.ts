import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/**
 * The shell starts the program, tells its id and waits for it. When the shell's own input ends without a word, the
 * test is gone: then the program is killed, so that even `kill -9` of a test leaves nothing behind.
 */
const GUARD = `exec 4<&0
"$@" </dev/null 3>&- 4<&- &
pid=$!
echo $pid >&3
exec 3>&-
{ read -r _ <&4 || kill -9 $pid 2>/dev/null; } >/dev/null 2>&1 &
wait $pid`;

type Handle = { ref(): void; unref(): void };
export type Ended = { code: number; out: string; err: string };

/** A program that never outlives its test. */
export class Program {
  readonly #ended: Promise<Ended>;
  readonly #shell: ChildProcess;
  readonly #pid: Promise<number>;
  #out = '';
  #err = '';

  constructor(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const shell = spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'], env });
    this.#shell = shell;
    shell.stdout.setEncoding('utf8').on('data', (words: string) => (this.#out += words));
    shell.stderr.setEncoding('utf8').on('data', (words: string) => (this.#err += words));
    shell.stdin.on('error', () => {});
    this.#pid = once(shell.stdio[3] as Readable, 'data').then(([line]) => Number(String(line)));
    shell.once('exit', () => shell.stdin.end('done\n'));
    this.#ended = once(shell, 'close').then(([code]) => ({ code: Number(code), out: this.#out, err: this.#err }));
    // A test file that is done should end, whether or not it ended its programs.
    shell.unref();
    for (const stream of shell.stdio) (stream as unknown as Handle | null)?.unref();
  }

  /** Resolves when it has ended, with all it said; ended by signal n its code is 128 + n. */
  get ended(): Promise<Ended> {
    this.#shell.ref();
    for (const stream of this.#shell.stdio) (stream as unknown as Handle | null)?.ref();
    return this.#ended;
  }

  /** What it has written to standard output so far. */
  get out(): string {
    return this.#out;
  }

  /** What it has written to standard error so far. */
  get err(): string {
    return this.#err;
  }

  get running(): boolean {
    return this.#shell.exitCode === null && this.#shell.signalCode === null;
  }

  /** Sends a signal and resolves when the program has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Ended> {
    const pid = await this.#pid;
    try {
      if (this.running) process.kill(pid, signal);
    } catch {
      // It has ended by itself, and its shell is about to say so.
    }
    return this.ended;
  }

  /** Sends a signal that it may survive. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    process.kill(await this.#pid, signal);
  }
}
