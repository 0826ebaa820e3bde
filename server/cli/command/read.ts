import { parseArgs } from 'node:util';
import type { Command, Given } from './command.ts';
import { nearest } from './nearest.ts';
import { UsageError } from './terminal.ts';

/** How a command is called, on one line. */
export function writeUsage({ name, args = [], options = {}, json, runs }: Command): string {
  const optional = json || Object.keys(options).length > 0 ? ['[OPTIONS]'] : [];
  return ['beckon', name, ...args, ...optional, ...(runs ? ['-- COMMAND [ARGS]'] : [])].join(' ');
}

/** The command that the first words name and what stands after them; `UsageError` with the nearest name for none. */
export function findCommand(commands: Command[], words: string[]): { found: Command; args: string[] } {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const found = words.length >= length && commands.find((one) => one.name === name);
    if (found) return { found, args: words.slice(length) };
  }
  const [first, second] = words;
  if (first === undefined) throw new UsageError('Name a command; "beckon --help" lists them.');
  const inside = findGroup(commands, first);
  if (inside.length > 0 && second === undefined)
    throw new UsageError(`Write one of: ${inside.map(({ name }) => `beckon ${name}`).join(', ')}.`);
  const [wrong, names] =
    inside.length > 0
      ? [`${first} ${second}`, inside.map(({ name }) => name)]
      : [first, [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))]];
  const near = nearest(wrong, names);
  const meant = near === undefined ? '' : ` Did you mean "beckon ${near}"?`;
  throw new UsageError(`There is no command "${wrong}"; "beckon --help" lists them.${meant}`);
}

/** The commands of two words that begin with this one. */
export function findGroup(commands: Command[], word: string): Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `));
}

/** Reads what stands after a command's name; `UsageError` for all that the command does not know. */
export function readGiven(command: Command, words: string[]): Given {
  const { args: names = [], options = {}, json, runs } = command;
  const end = runs && words.includes('--') ? words.indexOf('--') : words.length;
  const known: NonNullable<Command['options']> = {
    ...options,
    ...(json ? { json: { type: 'boolean', means: '' } } : {}),
  };
  // commander would take the next option for a missing value, and its refusals would have to be taken apart.
  const { tokens, values, positionals } = parseArgs({
    args: words.slice(0, end),
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const refuse = (sentence: string): never => {
    throw new UsageError(`${sentence} See "beckon ${command.name} --help".`);
  };
  const order: Given['order'] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const option = Object.hasOwn(known, name) && rawName.startsWith('--') ? known[name] : undefined;
    if (!option) {
      const near = nearest(
        rawName,
        Object.keys(known).map((one) => `--${one}`),
      );
      return refuse(
        `"beckon ${command.name}" has no option ${rawName}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
      );
    }
    if (option.type === 'boolean' && value !== undefined) return refuse(`${rawName} takes no value.`);
    if (
      option.type === 'string' &&
      (value === undefined || (!inlineValue && /^-./.test(value) && Number.isNaN(Number(value))))
    )
      return refuse(`${rawName} needs a value; write one that begins with "-" as ${rawName}=VALUE.`);
    order.push([name, value ?? '']);
  }
  const least = names.filter((name) => !name.startsWith('[')).length;
  if (positionals.length < least || positionals.length > names.length || (runs && end + 1 >= words.length))
    return refuse(`Write "${writeUsage(command)}".`);
  const { json: asJson, ...own } = values;
  return {
    values: own as Given['values'],
    args: positionals,
    order,
    rest: words.slice(end + 1),
    json: asJson === true,
  };
}
