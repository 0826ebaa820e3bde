/** How many lines are added and taken away; undefined where the texts are too long to count at once. */
export type Counts = { added: number; cut: number };

const MOST_CELLS = 1_000_000;

/** The lines that a change adds and takes away, as a diff would mark them. */
export function countsOf(diff: { oldText: string; newText: string }[]): Counts | undefined {
  const sum: Counts = { added: 0, cut: 0 };
  let cells = MOST_CELLS;
  for (const { oldText, newText } of diff) {
    const [a, b] = between(linesOf(oldText), linesOf(newText));
    cells -= a.length * b.length;
    if (cells < 0) return undefined;
    const same = alike(a, b);
    sum.added += b.length - same;
    sum.cut += a.length - same;
  }
  return sum;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

// What lies between the lines that both begin and both end with.
function between(a: string[], b: string[]): [string[], string[]] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
}

// The length of the longest common subsequence. Not by the package "diff", which the first page has no room for.
function alike(a: string[], b: string[]): number {
  let before = new Uint32Array(b.length + 1);
  for (const line of a) {
    const row = new Uint32Array(b.length + 1);
    for (let j = 0; j < b.length; j++)
      row[j + 1] = line === b[j] ? (before[j] ?? 0) + 1 : Math.max(before[j + 1] ?? 0, row[j] ?? 0);
    before = row;
  }
  return before[b.length] ?? 0;
}
