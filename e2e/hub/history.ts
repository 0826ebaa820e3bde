import type { Resolution } from '#shared/answer.ts';

/** What somebody was told of an inquiry by a call that ran from then to then, on the clock of the test. */
export type Told = { id: string; by: string; from: number; to: number; decided: string | undefined };

/** Everything that was acknowledged and told under faults. */
export type History = { asked: Set<string>; won: Map<string, string>; told: Told[] };

export const newHistory = (): History => ({ asked: new Set(), won: new Map(), told: [] });

/** A resolution as one value: two of them are the same decision only where all of it is. */
export function decisionOf(resolution: Resolution | undefined): string | undefined {
  return resolution && JSON.stringify([resolution.outcome, resolution.answer, resolution.at]);
}

/** Notes what a reply told of an inquiry. */
export async function noting<T>(
  { told }: History,
  by: string,
  work: () => Promise<T>,
  says: (reply: T) => { id: string; resolution: Resolution | undefined } | undefined,
): Promise<T> {
  const from = performance.now();
  const reply = await work();
  const said = says(reply);
  if (said) told.push({ id: said.id, by, from, to: performance.now(), decided: decisionOf(said.resolution) });
  return reply;
}

/**
 * What is not as if each inquiry were one register that is decided once, at one instant: two decisions, or a reading
 * that began after somebody was told the decision and does not know it.
 */
export function unlikeOneRegister({ told }: Pick<History, 'told'>): string[] {
  return [...Map.groupBy(told, ({ id }) => id)].flatMap(([id, all]) => {
    const decisions = new Set(all.flatMap(({ decided }) => decided ?? []));
    if (decisions.size > 1) return [`${id} was decided as ${[...decisions].join(' and as ')}`];
    const known = all.filter(({ decided }) => decided).toSorted((a, b) => a.to - b.to)[0];
    const blind = known && all.find(({ decided, from }) => !decided && from > known.to);
    return blind ? [`${id}: ${blind.by} knew nothing ${Math.round(blind.from - known.to)} ms after ${known.by}`] : [];
  });
}
