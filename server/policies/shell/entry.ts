import { commandsOf } from './commands.ts';
import { isOption, letsRun } from './runners.ts';

/** One line of an allow list: these words and, where it is open, any number of further words that are no options. */
export type Entry = { words: string[]; open: boolean };

const LONGEST_ENTRY = 1_000;

/** The entry that a text stands for, or the sentence that says why it is none. */
export function readEntry(text: string): Entry | { fault: string } {
  if (text.length > LONGEST_ENTRY) return { fault: `An entry has at most ${LONGEST_ENTRY} characters.` };
  const open = /(?:^| )\*$/.test(text);
  const commands = commandsOf(open ? `${text.slice(0, -1)}x` : text);
  const words = open ? commands?.[0]?.slice(0, -1) : commands?.[0];
  if (!words || !/^[\w./]/.test(words[0] ?? ''))
    return {
      fault:
        'An entry is a program and its words, plain or in quotes without expansion; a bare * may be the last word.',
    };
  if (commands && commands.length > 1) return { fault: 'An entry is one command: write one entry for each.' };
  const fault = open ? letsRun(words) : undefined;
  return fault === undefined ? { words, open } : { fault };
}

/**
 * Whether every command of this line was understood and is an entry's. Says nothing of the aliases and functions that
 * the shell may already have, nor of what a program named by an entry does.
 */
export function fitsShell(line: string, entries: readonly Entry[]): boolean {
  return commandsOf(line)?.every((words) => entries.some((entry) => isOf(entry, words))) ?? false;
}

function isOf(entry: Entry, words: string[]): boolean {
  if (!entry.words.every((word, at) => words[at] === word)) return false;
  const further = words.slice(entry.words.length);
  return entry.open ? !further.some(isOption) : further.length === 0;
}
