import type { Action } from '#shared/inquiry.ts';

type Diff = NonNullable<Action['diff']>[number];
type Operation = { type: string; path: string; diff?: string | null | undefined };

/** The two sides of a patch (V4A), of the lines that it shows; undefined where it shows none. */
export function diffOf({ path, diff }: Operation): Diff | undefined {
  if (!diff) return undefined;
  const lines = diff.split('\n');
  const side = (mark: string): string =>
    lines
      .flatMap((line) => (line.startsWith(mark) || !/^[+-]/.test(line) ? [line.replace(/^[ +-]/, '')] : []))
      .join('\n');
  return { path, oldText: side('-'), newText: side('+') };
}
