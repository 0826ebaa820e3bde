import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export type Account = { uid: number; gid: number };

/**
 * The shell prints the server's id and lives as long. A line on its own input ends the server; the end of that input,
 * which even `kill -9` of the test brings, ends it and removes its folder.
 */
const GUARD = `end=$1; folder=$2; shift 2; exec 3<&0
"$@" </dev/null >&2 3<&- & server=$!; exec 2>/dev/null
(read -r _ <&3; orphaned=$?; trap "" TERM; kill -$end $server; [ $orphaned = 0 ] || exit 7) >/dev/null 2>&1 & guard=$!
echo $server; wait $server; kill $guard 2>/dev/null; wait $guard
[ $? = 7 ] && rm -rf "\${folder:?}"`;

const START_MS = 60_000;
const STARTS = 10;
const STOP_MS = 10_000;

/** `accepts` rejects until the server serves, `endsOn` is the signal on which it ends at once, `folder` goes with it. */
export type Server = {
  command: string[];
  accepts: () => Promise<void>;
  endsOn: 'QUIT' | 'TERM';
  folder: string;
  account?: Account | undefined;
};

/** A server of a test: started once it accepts, stopped with the test, however that ends. */
export class ServerProcess {
  readonly #server: Server;
  #shell: ChildProcess | undefined;
  #pid = 0;
  #words = '';

  constructor(server: Server) {
    this.#server = server;
  }

  get pid(): number {
    return this.#pid;
  }

  /** Resolves when the server accepts; rejects with its last words when it keeps ending or 60 s pass. */
  async start(): Promise<void> {
    const giveUpAt = performance.now() + START_MS;
    let reason: unknown;
    let starts = 0;
    while (performance.now() < giveUpAt) {
      if (!this.#isAlive()) {
        // One that was just killed may leave locks for a moment, during which a new one ends at once.
        if ((starts += 1) > STARTS) break;
        if (starts > 1) await pause(200);
        await this.#spawn();
      }
      try {
        return await this.#server.accepts();
      } catch (error) {
        reason = error;
      }
      await pause(50);
    }
    await this.stop();
    throw new Error(`${this.#server.command[0]} did not start: ${this.#words.trim().slice(-1_000) || String(reason)}`);
  }

  /** Ends the server and removes its folder. */
  async stop(): Promise<void> {
    await this.#endShell();
    rmSync(this.#server.folder, { recursive: true, force: true });
  }

  /** `kill -9`: what a crash or a power cut does to the process. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#endShell();
  }

  /** Stops answering without closing a connection, as a dead machine does. */
  pause(): void {
    process.kill(this.#pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#pid, 'SIGCONT');
  }

  async #spawn(): Promise<void> {
    const { command, endsOn, folder, account } = this.#server;
    const shell = spawn('/bin/sh', ['-c', GUARD, 'sh', endsOn, folder, ...command], {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: '/',
      ...account,
    });
    this.#shell = shell;
    shell.stdin.on('error', () => {});
    shell.stderr.on('data', (words: Buffer) => (this.#words = (this.#words + words.toString()).slice(-4_000)));
    const [first] = (await Promise.race([
      once(shell.stdout, 'data'),
      once(shell, 'error').then(([error]) => Promise.reject(error as Error)),
    ])) as [Buffer];
    this.#pid = Number(first.toString());
    // A test file that has ended its tests should end, whether or not it stopped its server.
    shell.unref();
    for (const stream of [shell.stdin, shell.stdout, shell.stderr]) (stream as unknown as { unref(): void }).unref();
  }

  async #endShell(): Promise<void> {
    const shell = this.#shell;
    if (!shell || !this.#isAlive()) return;
    shell.ref();
    const ended = once(shell, 'exit');
    shell.stdin?.write('\n');
    this.#signal('SIGCONT');
    const inTime = await Promise.race([ended.then(() => true), pause(STOP_MS, false, { ref: false })]);
    if (!inTime) this.#signal('SIGKILL');
    await ended;
  }

  #signal(name: 'SIGKILL' | 'SIGCONT'): void {
    try {
      if (this.#isAlive()) process.kill(this.#pid, name);
    } catch {
      // It ended a moment ago and its shell is about to.
    }
  }

  #isAlive(): boolean {
    return this.#shell?.exitCode === null && this.#shell.signalCode === null;
  }
}

/** A free loopback port below those that systems hand out by themselves, so that nobody is given it meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
