import type { Command, Option } from './command.ts';
import { writeUsage } from './read.ts';

const WIDTH = 100;

/** The list of all commands. */
export function writeHelpForAll(commands: Command[], more: string): string {
  const rows = commands.map((one): [string, string] => [one.name, one.does]);
  return `beckon: ask people from agents; the first answer wins\n\n${table(rows)}\n${more}`;
}

/** The commands of one group, e.g. of "source". */
export function writeHelpForGroup(commands: Command[]): string {
  return table(
    commands.map((one) => [writeUsage(one), one.does]),
    48,
  );
}

/** Everything about one command. */
export function writeHelp(command: Command): string {
  const { options = {}, json, more, exits, examples, does } = command;
  const rows = Object.entries(options).map(([name, option]): [string, string] => [
    signature(name, option),
    option.means,
  ]);
  if (json) rows.push(['--json', 'print JSON, for scripts']);
  const parts = [
    `${writeUsage(command)}\n\n${does[0]?.toUpperCase()}${does.slice(1)}.\n`,
    rows.length > 0 ? table(rows) : '',
    more === undefined ? '' : `${more.trim()}\n`,
    exits === undefined ? '' : `Exit codes:\n${writeExits({ ...exits, ...COMMON_EXITS })}`,
    `Examples:\n${examples.map((line) => `  ${line}\n`).join('')}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** What the same exit code says of every command. */
export const COMMON_EXITS = {
  1: 'failure: no hub, or none that replies',
  2: 'wrong call, or refused',
  6: 'the key is not known here, was revoked, or is of the wrong kind',
};

/** A table of exit codes. */
export function writeExits(exits: Record<number, string>): string {
  return table(Object.entries(exits));
}

function signature(name: string, { value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Two columns, the second broken between words. */
function table(rows: [string, string][], widest = 30): string {
  const left = Math.min(widest, Math.max(...rows.map(([name]) => name.length)));
  return rows
    .map(([name, text]) => {
      const [first = '', ...others] = broken(text, WIDTH - left - 4);
      const indent = `\n${' '.repeat(left + 4)}`;
      const head = name.length > left ? `  ${name}${indent}` : `  ${name.padEnd(left)}  `;
      return `${[head + first, ...others].join(indent)}\n`;
    })
    .join('');
}

function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
