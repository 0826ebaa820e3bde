const ENDS = /\r\n?|\n/g;

/** CR LF where every line of a text ends so, else LF; a text with both keeps its CRs as characters of their lines. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  const all = text.match(ENDS) ?? [];
  return all.length > 0 && all.every((end) => end === '\r\n') ? '\r\n' : '\n';
}

/** A text with LF alone, as text areas hold it. */
export function withLf(text: string): string {
  return text.replace(ENDS, '\n');
}

/** What was typed in a text area, with the line ends that `original` has: those of a line that is still there, else its most common one. */
export function withLineEnds(original: string, typed: string): string {
  const before = original.split(/\r\n?|\n/);
  const ends = original.match(ENDS) ?? [];
  const after = typed.split('\n');
  const usual = mostCommon(ends);
  let head = 0;
  while (head < after.length - 1 && head < ends.length && before[head] === after[head]) head++;
  const fromEnd = ends.length - after.length + 1;
  let tail = after.length - 1;
  while (tail > head && before[tail + fromEnd] === after[tail] && tail - 1 + fromEnd >= head) tail--;
  return after
    .map((line, at) => {
      if (at === after.length - 1) return line;
      return line + (at < head ? ends[at] : at >= tail ? (ends[at + fromEnd] ?? usual) : usual);
    })
    .join('');
}

function mostCommon(ends: readonly string[]): string {
  const count = (end: string) => ends.filter((one) => one === end).length;
  return ['\n', '\r\n', '\r'].toSorted((a, b) => count(b) - count(a))[0] ?? '\n';
}
