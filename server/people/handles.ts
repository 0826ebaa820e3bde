import { AppError } from '#shared/problem.ts';
import { lock, type Transaction } from '../platform/database.ts';

/**
 * Makes sure that nobody has this handle, or throws 409 `handle.taken`. People and groups share one
 * namespace that no unique index spans, so whoever takes a handle first takes the row of this lock.
 */
export async function claimHandle(trx: Transaction, handle: string): Promise<void> {
  await lock(trx, 'handles');
  const taken = await trx
    .selectFrom('people')
    .select('id')
    .where('handle', '=', handle)
    .unionAll(trx.selectFrom('groups').select('id').where('handle', '=', handle))
    .executeTakeFirst();
  if (taken)
    throw new AppError(409, 'handle.taken', `The handle "${handle}" is taken by a person or a group; choose another.`);
}
