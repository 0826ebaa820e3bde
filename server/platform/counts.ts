/** Counts for each key what is under way, and keeps nothing of a key that has nothing. */
export function createCounts() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** Counts so much more until the result is called, which tells whether it was so for the first time. */
    add(key: string, much = 1): () => boolean {
      counts.set(key, (counts.get(key) ?? 0) + much);
      let isCounted = true;
      return () => {
        if (!isCounted) return false;
        isCounted = false;
        const left = (counts.get(key) ?? 0) - much;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
        return true;
      };
    },
  };
}
