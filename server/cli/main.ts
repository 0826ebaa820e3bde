import { AppError } from '#shared/problem.ts';
import { SETTINGS, SettingsError } from '../platform/settings.ts';
import { device, person, source } from './add.ts';
import { ask } from './ask.ts';
import { backup } from './backup.ts';
import { gate } from './gate.ts';
import { Unreachable } from './command/hub-client.ts';
import { mcp } from './relay/mcp.ts';
import { EXIT, parse, UsageError, type Command, type Terminal } from './command/terminal.ts';

/** `serve`: runs the hub until it is stopped; `serve --help` lists its settings. */
export const serve: Command = async (args, terminal) => {
  const { values, positionals } = parse(args, { help: { type: 'boolean', short: 'h' }, restored: { type: 'boolean' } });
  if (positionals.length > 0)
    throw new UsageError('Write "beckon serve"; its settings come from the environment, see "beckon serve --help".');
  if (values.help) {
    terminal.out.write(settingsHelp());
    return EXIT.ok;
  }
  // Only here, because the other commands need none of the hub.
  const hub = await import('../main.ts');
  await hub.serve(terminal.env, { restored: values.restored ?? false });
  return EXIT.ok;
};

function settingsHelp(): string {
  const rows = SETTINGS.map((setting) => {
    const preset = 'default' in setting ? ` (default: ${setting.default})` : '';
    return `  ${setting.name.padEnd(20)} ${setting.meaning}${preset}\n`;
  });
  return `beckon serve\n\nRuns the hub. Its settings are variables of the environment:\n\n${rows.join('')}`;
}

const COMMANDS: Record<string, Command> = { serve, ask, source, person, device, backup, gate, mcp };

const HELP = `beckon: ask people from agents; the first answer wins

  serve                                          run the hub ("serve --help" lists its settings)
  ask PROMPT [--options A,B] [--to HANDLE] [--wait SECONDS]
                                                 ask, wait, print the answer alone
  source add NAME [--may-ask HANDLE,HANDLE] [--webhook URL]
                                                 make a key for an agent; the last line is the key
  person add HANDLE [--name NAME] [--json]       invite a person with a one-time link
  person link HANDLE [--json]                    another one-time link, after a lost phone
  device add HANDLE NAME [--json]                a device's token, for scripts
  gate [OPTIONS] -- COMMAND [ARGS]               hold the tool calls of a local MCP server for a person
                                                 ("gate --help" lists its options)
  mcp [--to HANDLE] [--deadline SECONDS] [--wait SECONDS] [--locale en|zh] [--task off]
      [--description TEXT] [--describe PARAMETER=TEXT]
                                                 the hub as a local MCP server, for agents
  backup FILE                                    copy the embedded database while the hub runs

ask and mcp speak HTTP to BECKON_URL with BECKON_KEY; without a key it is the hub's own machine that asks.
The others open the data of DATA_DIR or DATABASE_URL, beside a running hub or without one.
`;

/** Runs one command and returns its exit code; what went wrong is one sentence on standard error. */
export async function run(argv: string[], terminal: Terminal): Promise<number> {
  const [name = '', ...args] = argv;
  if (['--help', '-h', 'help'].includes(name)) {
    terminal.out.write(HELP);
    return EXIT.ok;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command)
      throw new UsageError(
        name === ''
          ? 'Name a command; "beckon --help" lists them.'
          : `There is no command "${name}"; "beckon --help" lists them.`,
      );
    if (command !== serve && command !== gate && args.some((arg) => arg === '--help' || arg === '-h')) {
      terminal.out.write(HELP);
      return EXIT.ok;
    }
    return await command(args, terminal);
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    const { message } = error as Error;
    // The first letter of a JSON Pointer means nothing here.
    terminal.err.write(`${error instanceof AppError && error.faults ? message.replace(/^\//, '') : message}\n`);
    return code;
  }
}

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof UsageError || error instanceof SettingsError) return EXIT.usage;
  if (error instanceof Unreachable) return EXIT.failed;
  if (error instanceof AppError) return error.status < 500 ? EXIT.usage : EXIT.failed;
  return undefined;
}

if (import.meta.main)
  process.exitCode = await run(process.argv.slice(2), { env: process.env, out: process.stdout, err: process.stderr });
