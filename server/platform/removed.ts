import type { Transaction } from './database.ts';

/** Notes for the sealed log, with the removal itself, that these are gone and were not taken out of the database by hand. */
export async function noteRemoved(
  trx: Transaction,
  kind: 'decider' | 'device' | 'gate' | 'policies' | 'yolo',
  ids: string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  const at = Math.round(now);
  await trx
    .insertInto('audit_removals')
    .values(ids.map((id) => ({ kind, id, at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
