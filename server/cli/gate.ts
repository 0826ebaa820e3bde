import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './gating/child.ts';
import { environmentOfWrapped, folderOfWrapped } from './gating/environment.ts';
import { lineReader } from './gating/lines.ts';
import { createBridge } from './gating/bridge.ts';
import { MORE, OPTIONS, readWrapping, type Wrapping } from './gating/options.ts';
import { command } from './command/command.ts';
import { hubClient, type HubClient } from './command/hub-client.ts';
import { findHub } from './command/hub-data.ts';
import { SIGNALS, type Terminal } from './command/terminal.ts';

const TAKE_BACK_MS = 2_000;

/** `gate -- COMMAND`: runs a local MCP server and holds its tool calls for people; its exit code is the server's. */
export const gate = command({
  name: 'gate',
  does: 'hold the tool calls of a local MCP server for a person',
  options: OPTIONS,
  runs: true,
  more: MORE,
  examples: [
    'beckon gate -- npx -y @modelcontextprotocol/server-filesystem .',
    'beckon gate --ask "delete_*" --allow "*" --to anna -- npx -y some-server',
  ],
  run: (given, terminal) => runGate(readWrapping(given), terminal),
});

async function runGate(wrapping: Wrapping, terminal: Terminal): Promise<number> {
  const { stdin, stdout } = process;
  const cwd = folderOfWrapped(terminal.env, process.cwd());
  let hub: Promise<HubClient> | undefined;
  const bridge = createBridge({
    gate: wrapping.gate,
    cwd,
    hub: () =>
      (hub ??= openHub(terminal).catch((error: unknown) => {
        hub = undefined;
        throw error;
      })),
    toClient: (line) => {
      stdout.write(line);
      if (!stdout.write('\n')) child.pause();
    },
    toServer: (line) => {
      if (!child.send(line)) stdin.pause();
    },
    say: (sentence) => void terminal.err.write(`${sentence} (beckon gate)\n`),
  });
  const child = startChild(
    { command: wrapping.command, args: wrapping.args, cwd, env: environmentOfWrapped(terminal.env, terminal.presets) },
    { onLine: bridge.fromServer, onDrain: () => stdin.resume() },
  );
  const leave = (): void => void child.end();
  stdin
    .on('data', lineReader(bridge.fromClient, { onTooLong: leave }))
    .once('end', leave)
    .once('error', leave);
  stdout.on('drain', child.resume).once('error', leave);
  const forward = SIGNALS.map((name) => {
    const tell = (): void => {
      child.signal(name);
      leave();
    };
    process.on(name, tell);
    return () => process.off(name, tell);
  });
  const { code, sentence } = await child.ended;
  if (child.pid === undefined) terminal.err.write(`${sentence}\n`);
  await Promise.race([bridge.close(), pause(TAKE_BACK_MS, undefined, { ref: false })]);
  for (const stop of forward) stop();
  stdin.destroy();
  return code;
}

async function openHub(terminal: Terminal): Promise<HubClient> {
  const { url, key } = await findHub(terminal);
  return hubClient(url, key);
}
