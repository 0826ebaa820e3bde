import type { AppError } from '#shared/problem.ts';
import type { Command } from './command.ts';

const SHOWN = 3;

/** A refusal with the options and arguments of the command in place of the members of the wire. */
export function inWordsOf(command: Command, { message, faults }: AppError): string {
  if (!faults || faults.length === 0) return message;
  const first = faults.slice(0, SHOWN).map(({ path, message: why }) => `${nameOf(command, path)} ${why}`);
  const rest = faults.length - first.length;
  return `${first.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

function nameOf({ says = {}, options = {}, args = [] }: Command, path: string): string {
  const [, member = '', ...inside] = path.split('/');
  const option = member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const within = inside.some((step) => !/^\d+$/.test(step)) ? ` (${inside.join('/')})` : '';
  if (says[member] !== undefined) return says[member] + within;
  if (Object.hasOwn(options, option)) return `--${option}${within}`;
  return args.includes(member.toUpperCase()) ? member.toUpperCase() : path.slice(1) || 'The call';
}
