import { lineReader } from '../gating/lines.ts';
import { readOverrides } from '../../mcp/overrides.ts';
import { hubOf } from '../command/hub-data.ts';
import { EXIT, parse, SIGNALS, UsageError, type Command } from '../command/terminal.ts';
import { createRelay } from './relay.ts';

const text = { type: 'string' } as const;

/** `mcp`: the hub as a local MCP server on standard input and output, for agents that start their servers themselves. */
export const mcp: Command = async (args, terminal) => {
  const query = queryOf(args);
  const { url: base, key } = await hubOf(terminal);
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
    for (const signal of SIGNALS) process.once(signal, leave);
  });
  process.stdin.destroy();
  await relay.close();
  return EXIT.ok;
};

function queryOf(args: string[]): URLSearchParams {
  const { values, positionals } = parse(args, {
    to: text,
    deadline: text,
    wait: text,
    locale: text,
    task: text,
    description: text,
    describe: { type: 'string', multiple: true },
  });
  if (positionals.length > 0)
    throw new UsageError('Write "beckon mcp [--to HANDLE] [--deadline SECONDS] …"; it takes nothing else.');
  const { describe = [], ...named } = values;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(named)) if (value !== undefined) query.set(name, value);
  for (const one of describe) {
    const at = one.indexOf('=');
    if (at < 1) throw new UsageError('--describe takes PARAMETER=TEXT, e.g. --describe "prompt=Name the city".');
    query.set(`description.${one.slice(0, at)}`, one.slice(at + 1));
  }
  readOverrides(query);
  return query;
}
