import { commonEnds, stepsBetween } from '../steps.ts';

/** A stretch of a text, from its first place to the one after its last. */
export type Span = { from: number; to: number };

// What a phone can do at each key.
const MOST_CELLS = 1_000_000;

/** The stretches of `text` that a person wrote into `original`: whole new lines, and the changed words of others. */
export function ownSpans(original: string, text: string): Span[] {
  if (original === text) return [];
  const before = original.split('\n');
  const after = text.split('\n');
  const starts = lineStarts(after);
  return changedRuns(before, after).flatMap(({ cut, from, to }) =>
    after.slice(from, to).flatMap((line, at) => {
      const start = starts[from + at] ?? 0;
      const { from: head, to: end } = changedWords(cut[at] ?? '', line);
      return line.slice(head, end).trim() === '' ? [] : [{ from: start + head, to: start + end }];
    }),
  );
}

/** Runs of lines that differ: what stood there before, and the places of the lines that stand there now. */
function changedRuns(before: string[], after: string[]): { cut: string[]; from: number; to: number }[] {
  const { head, tail } = commonEnds(before, after);
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  const runs: { cut: string[]; from: number; to: number }[] = [];
  let run: { cut: string[]; from: number; to: number } | undefined;
  for (const step of stepsBetween(a, b, MOST_CELLS)) {
    if (step.kind === 'same') run = undefined;
    else {
      if (!run) runs.push((run = { cut: [], from: head + step.b, to: head + step.b }));
      if (step.kind === 'cut') run.cut.push(a[step.a] ?? '');
      else run.to = head + step.b + 1;
    }
  }
  return runs;
}

// From the first changed word to the last; a line that has little in common with the one before is new.
function changedWords(before: string, after: string): Span {
  const ends = commonEnds(before, after);
  let { head } = ends;
  if (head + ends.tail < before.length / 3 || head + ends.tail === 0) return { from: 0, to: after.length };
  let to = after.length - ends.tail;
  while (head > 0 && isInside(after, head)) head--;
  while (to < after.length && isInside(after, to)) to++;
  return { from: head, to };
}

// In the middle of a word, or of a character of two units.
function isInside(text: string, at: number): boolean {
  const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;
  return (letter.test(text[at - 1] ?? '') && letter.test(text[at] ?? '')) || /[\uDC00-\uDFFF]/.test(text[at] ?? '');
}

function lineStarts(lines: string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    const here = start;
    start += line.length + 1;
    return here;
  });
}
