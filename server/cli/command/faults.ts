import type { AppError } from '#shared/problem.ts';
import type { Command } from './command.ts';

const SHOWN = 3;

/** A refusal with the options and arguments of the command in place of the members of the wire. */
export function explainFaults(command: Command, { message, faults }: AppError): string {
  if (!faults || faults.length === 0) return message;
  const first = faults.slice(0, SHOWN).map(({ path, message: why }) => `${nameMember(command, path)} ${why}`);
  const rest = faults.length - first.length;
  return `${first.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`;
}

function nameMember({ says = {}, options = {}, args = [] }: Command, path: string): string {
  const place = path.slice(1);
  const said = Object.keys(says).find((start) => place === start || place.startsWith(`${start}/`));
  if (said !== undefined) return `${says[said]}${inside(place.slice(said.length + 1))}`;
  const [member = '', ...steps] = place.split('/');
  const option = member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (Object.hasOwn(options, option)) return `--${option}${inside(steps.join('/'))}`;
  return args.includes(member.toUpperCase()) ? member.toUpperCase() : place || 'The call';
}

// The place in a list of commas is plain to see.
function inside(place: string): string {
  return /^\d*$/.test(place) ? '' : ` (${place})`;
}
