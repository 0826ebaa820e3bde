/** What a commit of the hub always leaves behind; each is looked at where it is written, in production too. */
const INVARIANTS = {
  resolved_once: 'RES1: a resolution changed one row',
  in_time: 'RES1, RES4: what expired was past its deadline, what was answered before it',
  webhook_owed: 'DLV1: a webhook stands for each resolution whose source has an address',
  enough_hands: 'APR4: as many people as are wanted stand beside what may run',
} as const;
export type Invariant = keyof typeof INVARIANTS;

const failures = new Map(Object.keys(INVARIANTS).map((name) => [name as Invariant, 0]));

/** Counts an invariant that does not hold and says on the error output of which inquiry; it changes nothing else. */
export function invariant(name: Invariant, holds: boolean, inquiryId: string): void {
  if (holds) return;
  failures.set(name, (failures.get(name) ?? 0) + 1);
  process.emitWarning(`${INVARIANTS[name]}: not of ${inquiryId}`, { code: 'BECKON_INVARIANT' });
}

/** How often each has failed since this process started, with 0 for those that never did. */
export function invariantFailures(): ReadonlyMap<Invariant, number> {
  return failures;
}
