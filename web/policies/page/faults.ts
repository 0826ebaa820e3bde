import type { Fault } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { checkWords } from './words.ts';

/** The field of the form that a fault is about: "/rules/0/when/shell/1" is about the commands. */
export function fieldOf(path: string): string {
  const [, , , member = '', condition] = path.split('/');
  return member === 'when' && condition !== undefined ? condition : member;
}

/** What is wrong and what to do, as a sentence; `shell` are the commands as they are written. */
export function sentenceOfFault(
  { path, code, message }: Pick<Fault, 'path' | 'code' | 'message'>,
  shell: readonly string[],
): string {
  const t = checkWords();
  if (code === 'rule.question') return t.otherName;
  if (code !== 'rule.shell') return message.startsWith('approves everything') ? t.tooMuch : sentence(message);
  const text = visible(shell[Number(path.split('/').at(-1))] ?? '');
  const [, program = '', subcommands] = /may follow only (\S+) (.*)$/.exec(message) ?? [];
  if (subcommands !== undefined) return t.tooWide(text, program, subcommands);
  if (message.includes('name every word')) return t.tooWide(text);
  return message.includes('more than one command') ? t.oneCommand(text) : t.noCommand(text);
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
