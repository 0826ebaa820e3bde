import { parseArgs, type ParseArgsConfig } from 'node:util';

/** What a command sees of the world around it. */
export type Terminal = {
  env: Record<string, string | undefined>;
  out: Output;
  err: Output;
};
export type Output = { write(text: string): unknown; isTTY?: boolean };

/** One command: gets what stands after its name, returns the exit code. */
export type Command = (args: string[], terminal: Terminal) => Promise<number>;

/** `no`: somebody said no, or nobody said anything; `usage`: the call was wrong; `failed`: the hub or its data is out of reach. */
export const EXIT = { ok: 0, no: 1, usage: 2, failed: 3, interrupted: 130 } as const;

/** What ends a command that waits. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The command line was not understood; the message is one sentence. */
export class UsageError extends Error {}

/** `parseArgs` of `node:util`, whose complaints become one sentence. */
export function parse<const T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    const sentence = /^[^.]*(?:'[^']*'[^.]*)*/.exec((error as Error).message)?.[0] ?? 'The options were not understood';
    throw new UsageError(`${sentence}; see "beckon --help".`);
  }
}

/** A comma-separated list without empty members. */
export function list(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
