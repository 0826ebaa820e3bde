import type { Action } from '#shared/inquiry.ts';
import type { Exact } from './exact.ts';

/** One command of a line: the operator before it, and its words; the first few are the program. */
export type Segment = { lead: string; words: string[] };

const SHELLS =
  /(^|[._\-/\s])(bash|sh|zsh|shell|exec|terminal|command|powershell|run_?(?:command|shell|terminal)[a-z_]*|local_shell|execute_command)$/i;
const MEMBERS = ['command', 'cmd', 'script'];

/** The command line that a call would run, and what else it was given; undefined when the call is no shell. */
export function readCommand(
  action: Pick<Action, 'name'>,
  args: Exact | undefined,
): { command: string; rest: Exact & { kind: 'object' } } | undefined {
  if (args?.kind !== 'object' || !SHELLS.test(action.name)) return undefined;
  const found = args.members.filter(([name]) => MEMBERS.includes(name));
  const value = found[0]?.[1];
  if (found.length !== 1 || !value) return undefined;
  const command = value.kind === 'string' ? value.text : value.kind === 'array' ? argv(value.items) : undefined;
  if (command === undefined || command.trim() === '') return undefined;
  return { command, rest: { kind: 'object', members: args.members.filter((member) => member !== found[0]) } };
}

/** A line of more characters is shown as text: each of its words is an element. */
const SPLIT_MAX = 4000;

/**
 * Breaks one command line between its words, an operator leading each segment; undefined when the text
 * has several lines, is very long, or has a quote that does not close, which are shown as they are.
 */
export function splitSegments(command: string): Segment[] | undefined {
  if (command.length > SPLIT_MAX || /[\n\r]/.test(command.trim())) return undefined;
  const segments: Segment[] = [{ lead: '$', words: [] }];
  const token =
    /\s*(?:(&&|\|\||[;|&](?!>))|((?:\\.|"(?:[^"\\]|\\.)*"|'[^']*'|`[^`]*`|\$\([^()]*\)|[^\s;|&"'`\\]|(?<=[<>\d])&\d?|&(?=>))+))/y;
  const text = command.trim();
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const found = token.exec(text);
    if (!found) return start === text.length ? segments : undefined;
    const [, operator, word] = found;
    if (operator) segments.push({ lead: operator, words: [] });
    else if (word) segments.at(-1)?.words.push(word);
  }
  return segments;
}

function argv(items: Exact[]): string | undefined {
  if (!items.every((item) => item.kind === 'string')) return undefined;
  return items
    .map(({ text }) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
