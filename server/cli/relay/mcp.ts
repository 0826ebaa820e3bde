import { lineReader } from '../gating/lines.ts';
import { readOverrides } from '../../mcp/endpoint/overrides.ts';
import { findHub } from '../command/hub-data.ts';
import { EXIT, UsageError, onStopSignal, type Terminal } from '../command/terminal.ts';
import { command, type Given } from '../command/command.ts';
import { createRelay } from './relay.ts';

const OPTIONS = {
  to: { type: 'string', value: 'HANDLE', means: 'who is asked; by default whom the key asks' },
  deadline: { type: 'string', value: 'SECONDS', means: 'how long a question stays open' },
  wait: { type: 'string', value: 'SECONDS', means: 'how long a call waits before it returns without an answer' },
  locale: { type: 'string', value: 'en|zh', means: 'the language of what the agent reads' },
  task: { type: 'string', value: 'off', means: 'no tasks, for a client that offers them and cannot use them' },
  description: { type: 'string', value: 'TEXT', means: 'what the agent is told of the tool that asks' },
  describe: { type: 'string', value: 'PARAMETER=TEXT', multiple: true, means: 'and of one of its parameters' },
} as const;

/** `mcp`: the hub as a local MCP server on standard input and output, for agents that start their servers themselves. */
export const mcp = command({
  name: 'mcp',
  does: 'the hub as a local MCP server, for agents',
  options: OPTIONS,
  more: 'It speaks MCP on standard input and output, to the hub of BECKON_URL with BECKON_KEY.',
  examples: [
    'claude mcp add beckon --env BECKON_KEY=bks_... -- beckon mcp --deadline 3600',
    'beckon mcp --describe "prompt=Name the city"',
  ],
  run: ({ values }, terminal) => relayMcp(readQuery(values), terminal),
});

async function relayMcp(query: URLSearchParams, terminal: Terminal): Promise<number> {
  const { url: base, key } = await findHub(terminal);
  const url = new URL(`${base}/mcp`);
  url.search = query.toString();
  const relay = createRelay({
    url,
    key,
    toClient: (message) => void terminal.out.write(`${message}\n`),
    say: (sentence) => void terminal.err.write(`${sentence}\n`),
  });
  await new Promise<void>((resolve) => {
    const leave = (): void => resolve();
    process.stdin
      .on(
        'data',
        lineReader((line) => relay.take(line.toString('utf8')), { onTooLong: leave }),
      )
      .once('end', leave)
      .once('error', leave);
    // The client closed its end: nobody is left to tell.
    process.stdout.once('error', leave);
    onStopSignal(leave);
  });
  process.stdin.destroy();
  await relay.close();
  return EXIT.ok;
}

function readQuery({ describe = [], ...named }: Given<typeof OPTIONS>['values']): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, value);
  for (const one of describe) {
    const at = one.indexOf('=');
    if (at < 1) throw new UsageError('--describe takes PARAMETER=TEXT, e.g. --describe "prompt=Name the city".');
    query.set(`description.${one.slice(0, at)}`, one.slice(at + 1));
  }
  try {
    readOverrides(query);
  } catch (error) {
    // The hub's words name the query of its address.
    throw new UsageError((error as Error).message.replace(/^"(?:description\.([^"]*)|([^"]*))"/, inOptions));
  }
  return query;
}

function inOptions(_quoted: string, parameter: string | undefined, name: string): string {
  return parameter === undefined ? `--${name}` : `--describe ${parameter}`;
}
