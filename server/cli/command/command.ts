import type { Terminal } from './terminal.ts';

/** One option of a command: its name stands in the table, "--help" and "--json" by themselves. */
export type Option = {
  type: 'string' | 'boolean';
  /** What stands for its value in the help, e.g. "SECONDS"; the values themselves where it takes no others: "en|zh". */
  value?: string;
  multiple?: true;
  /** The rest of the line in the help. */
  means: string;
};
type Options = Record<string, Option>;

type Values<O extends Options> = {
  [Name in keyof O]?: O[Name] extends { type: 'boolean' }
    ? boolean
    : O[Name] extends { multiple: true }
      ? string[]
      : string;
};

/** What a command was called with, read and checked by the table. */
export type Given<O extends Options = Options> = {
  values: Values<O>;
  /** One for each of `args`; an optional one may be missing. */
  args: string[];
  /** The options again, in the order in which they were given. */
  order: [name: string, value: string][];
  /** What stands behind "--" of a command that runs another one. */
  rest: string[];
  json: boolean;
};

/** One command: what it is called, what the help and the completion say of it, and what it does. */
export type Command<O extends Options = Options> = {
  /** One word, or two: "source add". */
  name: string;
  /** One line in the list of commands. */
  does: string;
  /** What it takes beside options, e.g. ["HANDLE", "[NAME]"]; it takes exactly these. */
  args?: string[];
  options?: O;
  /** It has "--json". */
  json?: true;
  /** It runs the command behind "--". */
  runs?: true;
  /** Further lines of its help. */
  more?: string;
  /** What its exit codes say; 1, 2 and 6, which all have alike, are added. */
  exits?: Record<number, string>;
  examples: string[];
  /** The option or argument that a member of the wire is given by, where the two differ: { "upstream/url": "URL" }. */
  says?: Record<string, string>;
  /** Returns the exit code, if it is not that of success. */
  run(given: Given<O>, terminal: Terminal): Promise<number | void>;
};

/** A command of the table; its `run` gets the values that its options say. */
export function command<const O extends Options>(spec: Command<O>): Command {
  return spec as unknown as Command;
}
