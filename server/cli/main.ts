import { AppError } from '#shared/problem.ts';
import { maskCredentials } from '../platform/credentials/masked.ts';
import { SettingsError, VERSION } from '../platform/settings.ts';
import type { Command } from './command/command.ts';
import { COMMON_EXITS, writeExits, writeHelp, writeHelpForAll, writeHelpForGroup } from './command/help.ts';
import { Unreachable } from './command/hub-client.ts';
import { explainFaults } from './command/faults.ts';
import { findCommand, findGroup, readGiven } from './command/read.ts';
import { EXIT, UsageError, type Terminal } from './command/terminal.ts';

/** What agents start, loaded without the others: those open the hub's data, and bring all that it takes. */
const ALONE: Record<string, () => Promise<Command[]>> = {
  acp: async () => [(await import('./acp.ts')).acp],
  ask: async () => [(await import('./ask.ts')).ask],
  gate: async () => [(await import('./gate.ts')).gate],
  verify: async () => [(await import('./verify.ts')).verify],
  mcp: async () => [(await import('./relay/mcp.ts')).mcp],
  ...Object.fromEntries(
    ['list', 'show', 'withdraw', 'answer'].map((name) => [
      name,
      async () => (await import('./inquiry.ts')).inquiryCommands,
    ]),
  ),
};

async function commandsFor([first = '', ...more]: string[]): Promise<Command[]> {
  const alone = Object.hasOwn(ALONE, first) && (first !== 'gate' || more.includes('--')) ? ALONE[first] : undefined;
  return alone ? await alone() : (await import('./commands.ts')).COMMANDS;
}

const MORE = `"beckon COMMAND --help" says how each is called; "beckon --version" which version this is.

ask, list, show, withdraw, gate, acp and mcp speak HTTP to BECKON_URL with BECKON_KEY; without a key it is the hub's
own machine that asks. answer is a person's: it takes BECKON_DEVICE, the token of a device.
The others open the data of DATA_DIR or DATABASE_URL, beside a running hub or without one.

Exit codes:
${writeExits({ 0: 'done', ...COMMON_EXITS, 3: 'of ask, answer and show --answer: declined, rejected, or somebody else was first', 4: 'of ask and show --answer: expired', 5: 'of ask and show --answer: withdrawn' })}`;

/** Runs one command and returns its exit code; what went wrong is one sentence on standard error. */
export async function run(argv: string[], terminal: Terminal): Promise<number> {
  const asksHelp = (word: string): boolean => word === '--help' || word === '-h';
  const own = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined);
  const words = argv.filter((word, at) => !(at === 0 && word === 'help') && !(at < own.length && asksHelp(word)));
  let found: Command | undefined;
  try {
    if (own.length === 1 && own[0] === '--version') {
      terminal.out.write(`beckon ${VERSION}\n`);
      return EXIT.ok;
    }
    if (argv[0] === 'help' || own.some(asksHelp)) {
      terminal.out.write(helpFor((await import('./commands.ts')).COMMANDS, words));
      return EXIT.ok;
    }
    const called = findCommand(await commandsFor(argv), words);
    found = called.found;
    return (await found.run(readGiven(found, called.args), terminal)) ?? EXIT.ok;
  } catch (error) {
    const code = toExitCode(error);
    if (code === undefined) throw error;
    const sentence = found && error instanceof AppError ? explainFaults(found, error) : (error as Error).message;
    // What was typed in the wrong place may be a credential.
    terminal.err.write(`${maskCredentials(sentence)}\n`);
    return code;
  }
}

function helpFor(commands: Command[], words: string[]): string {
  const [first = ''] = words;
  if (first === '') return writeHelpForAll(commands, MORE);
  const group = findGroup(commands, first);
  const alone = commands.some(({ name }) => name === first);
  if (group.length > 0 && !alone && words.length === 1) return writeHelpForGroup(group);
  return writeHelp(findCommand(commands, words).found);
}

function toExitCode(error: unknown): number | undefined {
  if (error instanceof UsageError || error instanceof SettingsError) return EXIT.usage;
  if (error instanceof Unreachable) return EXIT.failed;
  if (error instanceof AppError && error.code.startsWith('credential.')) return EXIT.key;
  if (error instanceof AppError) return error.status < 500 ? EXIT.usage : EXIT.failed;
  return undefined;
}

/** Runs one command as this process; `presets` are settings that its environment does not have. */
export async function runHere(argv: string[], presets: Record<string, string> = {}): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Whoever read this has gone, as "head" does: the exit code still says what became of it. A hub goes on.
      if (code === 'EPIPE' || argv[0] === 'serve') return;
      if (stream === process.stdout) process.stderr.write(`The output could not be written: ${code}.\n`);
      process.exit(EXIT.failed);
    });
  const env = { ...process.env, ...presets };
  process.exitCode = await run(argv, { env, presets, out: process.stdout, err: process.stderr });
}

if (import.meta.main) await runHere(process.argv.slice(2));
