import { setTimeout as pause } from 'node:timers/promises';
import { startChild, type ChildOptions } from './child.ts';
import { environmentOfWrapped, folderOfWrapped } from './environment.ts';
import { hubClient, type HubClient } from '../command/hub-client.ts';
import { findHub } from '../command/hub-data.ts';
import { SIGNALS, type Terminal } from '../command/terminal.ts';

const TAKE_BACK_MS = 2_000;

type Child = ReturnType<typeof startChild>;
/** What stands between a client and the program that it started through this one. */
export type Between = {
  fromClient: (bytes: Buffer) => void;
  /** The client wrote all that it ever will. */
  clientEnded?: () => void;
  fromChild: Pick<ChildOptions, 'onLine' | 'onBytes'>;
  /** Takes back what waits for people. */
  close: () => Promise<unknown>;
};
/** `name`: the command of ours that runs it. */
export type Wrapped = { command: string; args: string[]; name: string } & Pick<ChildOptions, 'graceMs'>;
export type Wires = {
  cwd: string;
  /** The hub, looked for when it is needed first, and again where there was none. */
  hub: () => Promise<HubClient>;
  toClient: (bytes: Buffer | string) => void;
  /** Writes to the program, which says whether it can take more. */
  toChild: (write: (child: Child) => boolean) => void;
  /** Ends the program. */
  leave: () => void;
  say: (sentence: string) => void;
};

/**
 * Runs a program for the client of this process, with something between its input and output and the client's. Neither is
 * read faster than the other reads; signals and the end of the client reach the program. Returns the program's exit code.
 */
export async function runWrapped(
  { command, args, name, graceMs }: Wrapped,
  terminal: Terminal,
  create: (wires: Wires) => Between,
): Promise<number> {
  const { stdin, stdout } = process;
  const cwd = folderOfWrapped(terminal.env, process.cwd());
  let hub: Promise<HubClient> | undefined;
  const leave = (): void => void child.end();
  const between = create({
    cwd,
    hub: () =>
      (hub ??= openHub(terminal).catch((error: unknown) => {
        hub = undefined;
        throw error;
      })),
    toClient: (bytes) => {
      if (!stdout.write(bytes)) child.pause();
    },
    toChild: (write) => {
      if (!write(child)) stdin.pause();
    },
    leave,
    say: (sentence) => void terminal.err.write(`${sentence} (beckon ${name})\n`),
  });
  const child = startChild(
    { command, args, cwd, env: environmentOfWrapped(terminal.env, terminal.presets) },
    { ...between.fromChild, ...(graceMs && { graceMs }), onDrain: () => stdin.resume() },
  );
  const leaveAfterAll = (): void => {
    between.clientEnded?.();
    leave();
  };
  stdin.on('data', between.fromClient).once('end', leaveAfterAll).once('error', leave);
  stdout.on('drain', child.resume).once('error', leave);
  const forward = SIGNALS.map((signal) => {
    const tell = (): void => {
      child.signal(signal);
      leave();
    };
    process.on(signal, tell);
    return () => process.off(signal, tell);
  });
  const { code, sentence } = await child.ended;
  if (child.pid === undefined) terminal.err.write(`${sentence}\n`);
  const closed = between.close().then(() => true);
  // A hub that stands still would keep this process, and with it the client that waits for its end.
  if (!(await Promise.race([closed, pause(TAKE_BACK_MS, false, { ref: false })]))) process.exit(code);
  for (const stop of forward) stop();
  stdin.destroy();
  return code;
}

async function openHub(terminal: Terminal): Promise<HubClient> {
  const { url, key } = await findHub(terminal);
  return hubClient(url, key);
}
