import { AppError } from '#shared/problem.ts';
import type { Database } from '../../platform/database.ts';
import { within } from '../../platform/steps.ts';
import { hasSpare } from './store.ts';
import { spend, type Verified } from './verify.ts';

/** From now on calls of this scope need a passkey; 409 `passkey.too_few` where the owner would stand before a closed door. */
export async function requireFor(
  database: Database,
  scope: string,
  owner: { personId: string; deviceId: string },
): Promise<void> {
  const row = { scope, made_at: database.clock.now(), made_by: owner.deviceId };
  await database.transaction(async (trx) => {
    if (!(await hasSpare(trx, owner.personId)))
      throw new AppError(
        409,
        'passkey.too_few',
        'Add two passkeys first, or one and printed codes: with one alone you could lose the only one.',
      );
    const scopes = trx.insertInto('passkey_scopes').values(row);
    await scopes.onConflict((conflict) => conflict.doNothing()).execute();
  });
}

/** Ends what `requireFor` began, on what the owner has proved. */
export async function release(database: Database, scope: string, verified: Verified): Promise<void> {
  await database.transaction(async (trx) => {
    await within(trx, spend(verified, database.clock.now()));
    await trx.deleteFrom('passkey_scopes').where('scope', '=', scope).execute();
  });
}
