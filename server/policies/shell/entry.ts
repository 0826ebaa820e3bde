import { commandsOf } from './commands.ts';
import { isOption, letsRun } from './runners.ts';

/** One line of an allow list: these words and, where it is open, any number of further words that are no options. */
export type Entry = { words: string[]; open: boolean };

const LONGEST_ENTRY = 1_000;

/** The entry that a text stands for, or why it stands for none, as a clause. */
export function readEntry(text: string): Entry | { fault: string } {
  if (text.length > LONGEST_ENTRY) return { fault: `it is longer than ${LONGEST_ENTRY} characters` };
  const open = /(?:^| )\*$/.test(text);
  const commands = commandsOf(open ? `${text.slice(0, -1)}x` : text);
  const words = open ? commands?.[0]?.slice(0, -1) : commands?.[0];
  if (!words || !/^[\w./]/.test(words[0] ?? ''))
    return {
      fault:
        'only a program and its words can stand here, plain or in quotes without expansion, and a bare * as the last word',
    };
  if (commands && commands.length > 1) return { fault: 'it is more than one command; write one entry for each' };
  const fault = open ? letsRun(words) : undefined;
  return fault === undefined ? { words, open } : { fault };
}

/**
 * Whether every command of this line was understood and is an entry's. Says nothing of the aliases and functions that
 * the shell may already have, nor of what a program named by an entry does.
 */
export function fitsShell(line: string, entries: readonly Entry[]): boolean {
  if (line !== latest.line) latest = { line, commands: commandsOf(line) };
  return latest.commands?.every((words) => entries.some((entry) => isOf(entry, words))) ?? false;
}

// A thousand rules look at one line.
let latest: { line: string; commands: string[][] | undefined } = { line: '', commands: undefined };

function isOf(entry: Entry, words: string[]): boolean {
  if (!entry.words.every((word, at) => words[at] === word)) return false;
  const further = words.slice(entry.words.length);
  return entry.open ? !further.some(isOption) : further.length === 0;
}
