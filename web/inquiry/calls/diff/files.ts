import type { Action } from '#shared/inquiry.ts';
import { type DiffLine, diffOf } from './diff.ts';

type Diff = NonNullable<Action['diff']>[number];

/** One file that a call changes, with every stretch of it that was told. */
export type ChangedFile = { path: string; isNew: boolean; stretches: Omit<Diff, 'path'>[] };

/** The files of a call's patches in their order; what was told of one path in several pieces is one file. */
export function filesOf(diff: readonly Diff[] = []): ChangedFile[] {
  const paths = [...new Set(diff.map(({ path }) => path))];
  return paths.map((path) => {
    const pieces = diff.filter((piece) => piece.path === path);
    return {
      path,
      isNew: pieces.length === 1 && pieces[0]?.oldText === '',
      stretches: pieces.map(({ oldText, newText }) => ({ oldText, newText })),
    };
  });
}

/** Lines that stand together in the page: one change with what is around it, or lines without any. */
export type Hunk = { lines: DiffLine[]; changes: boolean };

/** A file's patch as it is drawn: its hunks, and how many lines it adds and cuts. */
export function hunksOf({ stretches }: ChangedFile): { hunks: Hunk[]; added: number; cut: number } {
  const hunks = stretches.flatMap(({ oldText, newText }) => hunksIn(diffOf(oldText, newText)));
  const count = (kind: DiffLine['kind']) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return { hunks, added: count('add'), cut: count('cut') };
}

// A fold parts two changes.
function hunksIn(lines: DiffLine[]): Hunk[] {
  const hunks: Hunk[] = [];
  let open: DiffLine[] = [];
  const close = () => {
    if (open.length > 0)
      hunks.push({ lines: open, changes: open.some(({ kind }) => kind === 'cut' || kind === 'add') });
    open = [];
  };
  for (const line of lines) {
    if (line.kind !== 'alike') open.push(line);
    else {
      close();
      hunks.push({ lines: [line], changes: false });
    }
  }
  close();
  return hunks;
}
