import { createBridge } from './gating/bridge.ts';
import { lineReader } from './gating/lines.ts';
import { MORE, OPTIONS, readWrapping, type Wrapping } from './gating/options.ts';
import { runWrapped } from './gating/wrapped.ts';
import { command } from './command/command.ts';
import type { Terminal } from './command/terminal.ts';

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

function runGate({ gate: policy, command: program, args }: Wrapping, terminal: Terminal): Promise<number> {
  return runWrapped({ command: program, args, name: 'gate' }, terminal, ({ toClient, toChild, leave, ...wires }) => {
    const bridge = createBridge({
      ...wires,
      gate: policy,
      toClient: (line) => {
        toClient(line);
        toClient('\n');
      },
      toServer: (line) => toChild((child) => child.send(line)),
    });
    return {
      fromClient: lineReader(bridge.fromClient, { onTooLong: leave }),
      fromChild: { onLine: bridge.fromServer },
      close: bridge.close,
    };
  });
}
