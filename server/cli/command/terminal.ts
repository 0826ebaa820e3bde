import { createInterface } from 'node:readline/promises';

/** What a command sees of the world around it. */
export type Terminal = {
  env: Record<string, string | undefined>;
  /** What stands in `env` though nobody set it: programs that are run do not get it. */
  presets?: Record<string, string>;
  out: Output;
  err: Output;
};
export type Output = { write(text: string): unknown; isTTY?: boolean };

/**
 * The exit codes, as the help has them. `failed`: the hub or its data is out of reach; `usage`: the call was wrong or
 * refused; `key`: the hub does not know the key; the others say what became of a question.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, no: 3, expired: 4, withdrawn: 5, key: 6, interrupted: 130 } as const;

/** What ends a command that waits. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `stop` when this process is told to end, and returns what ends listening. The same stop comes twice where a group
 * is told and a parent passes it on; a later one ends the process at once.
 */
export function onStopSignal(stop: () => void): () => void {
  let since: number | undefined;
  const onSignal = (): void => {
    if (since !== undefined && performance.now() - since >= 1_000) process.exit(EXIT.interrupted);
    if (since !== undefined) return;
    since = performance.now();
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => SIGNALS.forEach((signal) => process.off(signal, onSignal));
}

/** The command line was not understood; the message is one sentence. */
export class UsageError extends Error {}

/** A comma-separated list without empty members. */
export function list(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Prints what a script reads, or the same as a sentence. */
export function print({ out }: Terminal, json: boolean, value: object, sentence: string): void {
  out.write(`${json ? JSON.stringify(value) : sentence}\n`);
}

/** Prints rows as columns under their heads, or what they were made of as JSON. */
export function printList<Row extends object>(
  out: Output,
  items: Row[],
  { json, columns }: { json: boolean; columns: Record<string, (row: Row) => string> },
): void {
  if (json) return void out.write(`${JSON.stringify({ items })}\n`);
  const rows = [Object.keys(columns), ...items.map((row) => Object.values(columns).map((cell) => cell(row)))];
  const widths = Object.keys(columns).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  for (const row of rows)
    out.write(
      `${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
}

/** The line that is typed after these words; an empty one where the input ends first. */
export async function askLine(
  words: string,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<string> {
  const prompt = createInterface({ input, output });
  // A question whose input ends never settles.
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  return await Promise.race([prompt.question(words), ended]).finally(() => prompt.close());
}
