import { parseCommands } from './commands.ts';
import { isOption, letsRun, runsItselfOnly } from './star.ts';
import { memoizeText, memoize } from '../../../platform/memoize.ts';

/** One line of an allow list: these words and, where it is open, any number of further words that are no options. */
export type Entry = { words: string[]; open: boolean };

const LONGEST_ENTRY = 1_000;

/**
 * The entry that a text stands for, or why it stands for none, as a clause. In a rule that approves nothing, a "fence",
 * a star may follow every program.
 */
export function readEntry(text: string, use: 'allow' | 'fence' = 'allow'): Entry | { fault: string } {
  if (text.length > LONGEST_ENTRY) return { fault: `it is longer than ${LONGEST_ENTRY} characters` };
  const open = /(?:^| )\*$/.test(text);
  const commands = parseCommands(open ? `${text.slice(0, -1)}x` : text);
  const words = open ? commands?.[0]?.slice(0, -1) : commands?.[0];
  if (!words || !/^[\w./]/.test(words[0] ?? ''))
    return {
      fault:
        'only a program and its words can stand here, plain or in quotes without expansion, and a bare * as the last word',
    };
  if (commands && commands.length > 1) return { fault: 'it is more than one command; write one entry for each' };
  const fault = open && use === 'allow' ? letsRun(words) : undefined;
  return fault === undefined ? { words, open } : { fault };
}

/**
 * Whether every command of this line was understood and is an entry's. Says nothing of the aliases and functions that
 * the shell may already have, nor of what a program named by an entry does.
 */
export function fitsShell(line: string, entries: readonly Entry[]): boolean {
  return read(line).commands?.every((words) => entries.some((entry) => isExactly(entry, words))) ?? false;
}

/**
 * Whether some command of this line is an entry's, with whatever options, or may run it: by a program that is not known
 * to leave its words unrun, or since not all of the line was understood.
 */
export function mayFitShell(line: string, entries: readonly Entry[]): boolean {
  const commands = read(line).commands;
  if (!commands || mayRunMore(commands)) return true;
  return commands.some((words) => entries.some((entry) => mayBegin(entry, words)));
}

/** The words of the first command of this line; undefined where not all of it was understood. */
export function firstCommand(line: string): string[] | undefined {
  return read(line).commands?.[0];
}

const read = memoizeText((line) => ({ commands: parseCommands(line) }));
const mayRunMore = memoize((commands: string[][]) => !commands.every(runsItselfOnly));

function isExactly(entry: Entry, words: string[]): boolean {
  return begins(entry, words) && !words.slice(entry.words.length).some(isOption);
}

function begins({ words: own, open }: Entry, words: string[]): boolean {
  return own.every((word, at) => words[at] === word) && (open || words.length === own.length);
}

/** The same by any path to the program, and by options in any order and spelling. */
function mayBegin({ words, open }: Entry, [program = '', ...given]: string[]): boolean {
  const [own = '', ...others] = words;
  if (toProgram(own) !== toProgram(program)) return false;
  if (begins({ words: others, open }, given)) return true;
  const first = others.findIndex(isOption);
  return first >= 0 && given.some(isOption) && begins({ words: others.slice(0, first), open: true }, given);
}

function toProgram(path: string): string {
  return path.replace(/^.*\//, '').toLowerCase();
}
