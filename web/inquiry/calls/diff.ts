import type { Action } from '#shared/inquiry.ts';
import { commonEnds, stepsBetween } from '../steps.ts';

/** One mark in a patch; `alike` holds lines folded away, which are told by their number. */
export type DiffLine = { kind: 'same' | 'cut' | 'add'; text: string } | { kind: 'alike'; lines: string[] };

const CONTEXT = 3;
const MOST_CELLS = 4_000_000;

/** The lines of `before` and `after` as proof marks, long alike stretches folded. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  const { head, tail } = commonEnds(a, b);
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return folded([
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ]);
}

function middle(a: string[], b: string[]): DiffLine[] {
  return stepsBetween(a, b, MOST_CELLS).map((step) => ({
    kind: step.kind,
    text: (step.kind === 'add' ? b[step.b] : a[step.a]) ?? '',
  }));
}

function folded(lines: DiffLine[]): DiffLine[] {
  const near = lines.map(() => false);
  lines.forEach((line, at) => {
    if (line.kind !== 'same') near.fill(true, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  });
  const out: DiffLine[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && !near[end]) end++;
    const stretch = lines.slice(at, end).flatMap((line) => (line.kind === 'same' ? [line.text] : []));
    if (stretch.length > 1) out.push({ kind: 'alike', lines: stretch });
    else out.push(...lines.slice(at, end));
    if (end === at) out.push(lines[at++] as DiffLine);
    else at = end;
  }
  return out;
}

/** For each line the one it was changed into or from: the same place in the run of lines on the other side. */
export function counterparts(lines: DiffLine[]): (string | undefined)[] {
  const out: (string | undefined)[] = lines.map(() => undefined);
  const lineText = (at: number) => {
    const line = lines[at];
    return line && line.kind !== 'alike' ? line.text : undefined;
  };
  for (let at = 0; at < lines.length;) {
    let cuts = at;
    while (lines[cuts]?.kind === 'cut') cuts++;
    let adds = cuts;
    while (lines[adds]?.kind === 'add') adds++;
    for (let i = 0; i < Math.min(cuts - at, adds - cuts); i++) {
      out[at + i] = lineText(cuts + i);
      out[cuts + i] = lineText(at + i);
    }
    at = Math.max(adds, at + 1);
  }
  return out;
}

/** The words of a line that its counterpart does not have there; undefined when the two have no word in common. */
export function changedPart(other: string, line: string): { head: string; changed: string; tail: string } | undefined {
  const a = splitWords(other);
  const b = splitWords(line);
  const { head, tail } = commonEnds(a, b);
  const same = [...b.slice(0, head), ...b.slice(b.length - tail)];
  if (!same.some((word) => /[\p{L}\p{N}]/u.test(word))) return undefined;
  return {
    head: b.slice(0, head).join(''),
    changed: b.slice(head, b.length - tail).join(''),
    tail: b.slice(b.length - tail).join(''),
  };
}

function splitWords(line: string): string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|./gsu) ?? [];
}

type Diff = NonNullable<Action['diff']>[number];

/** One file that a call changes, with every stretch of it that was told. */
export type ChangedFile = { path: string; isNew: boolean; stretches: Omit<Diff, 'path'>[] };

/** The files of a call's patches in their order; what was told of one path in several pieces is one file. */
export function toFiles(diff: readonly Diff[] = []): ChangedFile[] {
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
export function toHunks({ stretches }: ChangedFile): { hunks: Hunk[]; added: number; cut: number } {
  const hunks = stretches.flatMap(({ oldText, newText }) => hunksIn(diffLines(oldText, newText)));
  const count = (kind: DiffLine['kind']) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return { hunks, added: count('add'), cut: count('cut') };
}

/** The hunks up to so many lines, and the lines past those as text with their marks, none left out. */
export function cutHunks(hunks: readonly Hunk[], most: number): [drawn: Hunk[], rest: string] {
  const drawn: Hunk[] = [];
  const rest: string[] = [];
  let left = most;
  for (const hunk of hunks) {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    if (lines.length > 0) drawn.push({ ...hunk, lines });
    rest.push(...hunk.lines.slice(lines.length).flatMap(toText));
    left -= hunk.lines.length;
  }
  return [drawn, rest.join('\n')];
}

/** A text up to so many lines, and what follows. */
export function cutLines(text: string, most: number): [first: string, rest: string] {
  const first = text.split('\n', most).join('\n');
  return [first, text.slice(first.length + 1)];
}

const MARKS = { same: '  ', add: '+ ', cut: '− ' };

function toText(line: DiffLine): string[] {
  return line.kind === 'alike' ? line.lines.map((text) => MARKS.same + text) : [MARKS[line.kind] + line.text];
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
