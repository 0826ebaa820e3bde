/** A stretch of a text, from its first place to the one after its last. */
export type Span = { from: number; to: number };

const MOST_CELLS = 1_000_000;

/** The stretches of `text` that a person wrote into `original`: whole new lines, and the changed words of others. */
export function ownSpans(original: string, text: string): Span[] {
  if (original === text) return [];
  const before = original.split('\n');
  const after = text.split('\n');
  const starts = startsOf(after);
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
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const least = Math.min(before.length, after.length) - head;
  while (tail < least && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  const runs: { cut: string[]; from: number; to: number }[] = [];
  let run: { cut: string[]; from: number; to: number } | undefined;
  for (const step of steps(a, b)) {
    if (step.kind === 'same') run = undefined;
    else {
      if (!run) runs.push((run = { cut: [], from: head + step.b, to: head + step.b }));
      if (step.kind === 'cut') run.cut.push(a[step.a] ?? '');
      else run.to = head + step.b + 1;
    }
  }
  return runs;
}

type Step = { kind: 'same' | 'cut' | 'add'; a: number; b: number };

// Longest common subsequence; past what a phone can do at each key, everything between the ends counts as changed.
function steps(a: string[], b: string[]): Step[] {
  const width = b.length + 1;
  const all = (kind: 'cut' | 'add', count: number): Step[] =>
    Array.from({ length: count }, (_, at) => ({ kind, a: kind === 'cut' ? at : a.length, b: kind === 'cut' ? 0 : at }));
  if (a.length * b.length > MOST_CELLS) return [...all('cut', a.length), ...all('add', b.length)];
  const longest = new Uint32Array((a.length + 1) * width);
  const value = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? value(i + 1, j + 1) + 1 : Math.max(value(i + 1, j), value(i, j + 1));
  }
  const out: Step[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) out.push({ kind: 'same', a: i++, b: j++ });
    else if (i < a.length && (j >= b.length || value(i + 1, j) >= value(i, j + 1)))
      out.push({ kind: 'cut', a: i++, b: j });
    else out.push({ kind: 'add', a: i, b: j++ });
  }
  return out;
}

// From the first changed word to the last; a line that has little in common with the one before is new.
function changedWords(before: string, after: string): Span {
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (head + tail < before.length / 3 || head + tail === 0) return { from: 0, to: after.length };
  let to = after.length - tail;
  while (head > 0 && isInside(after, head)) head--;
  while (to < after.length && isInside(after, to)) to++;
  return { from: head, to };
}

// In the middle of a word, or of a character of two units.
function isInside(text: string, at: number): boolean {
  const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;
  return (letter.test(text[at - 1] ?? '') && letter.test(text[at] ?? '')) || /[\uDC00-\uDFFF]/.test(text[at] ?? '');
}

function startsOf(lines: string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    const here = start;
    start += line.length + 1;
    return here;
  });
}
