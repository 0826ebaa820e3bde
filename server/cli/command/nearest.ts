/** The one of these names that a mistyped one probably stands for, or nothing; at most this many letters differ. */
export function nearest(typed: string, names: readonly string[], most = Infinity): string | undefined {
  const near = names
    .map((name) => ({ name, steps: steps(typed, name) }))
    .filter(({ name, steps: far }) => far <= Math.min(most, Math.max(1, Math.floor(name.length / 3))));
  return near.toSorted((a, b) => a.steps - b.steps)[0]?.name;
}

/** How many letters must be added, taken away or replaced to make one word of the other (Levenshtein). */
function steps(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[to.length] ?? 0;
}
