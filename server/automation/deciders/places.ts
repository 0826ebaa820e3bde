/** How many runs of one decider a node has at once; further ones wait, and hold up nothing of another. */
const AT_ONCE = 4;

/** The runs that are under way on this node; `freed` is called when one has ended. */
export function createPlaces(freed: () => void) {
  const running = new Map<string, { deciderId: string; ended: Promise<void> }>();

  async function end(id: string, ran: Promise<unknown>): Promise<void> {
    // What it throws is for whoever runs it.
    await ran.catch(() => undefined);
    running.delete(id);
    freed();
  }

  return {
    ids: (): string[] => [...running.keys()],
    has: (id: string): boolean => running.has(id),
    /** The deciders that have no place left. */
    full: (): string[] =>
      [...Map.groupBy(running.values(), ({ deciderId }) => deciderId)].flatMap(([id, own]) =>
        own.length >= AT_ONCE ? [id] : [],
      ),
    take: (id: string, deciderId: string, ran: Promise<unknown>): void =>
      void running.set(id, { deciderId, ended: end(id, ran) }),
    ended: async (): Promise<void> => void (await Promise.all(Array.from(running.values(), ({ ended }) => ended))),
  };
}
