import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { canonical, type Json } from '#shared/json.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import { seal, unseal } from '../../platform/secrets/secrets.ts';
import { deleteInParts } from '../../platform/repeat.ts';
import { sql } from 'kysely';
import { Refused } from './errors.ts';

/** Longer than a receiver may take to be verified. */
const CLAIM_MS = 15_000;
const LOOK_MS = 200;
const KEPT_MS = 8 * DAY_MS;

export type Operation = { provisionerId: string; operation: string; idempotencyKey: string; input: Json };
type Parts = { database: Database; sealingKey: Buffer };
/** `before` is done outside of the transaction that `work` is done in. */
type Work<Reply> = { before: () => Promise<void>; work: (trx: Transaction) => Promise<Reply> };

/**
 * Does an operation once for its key, on whichever nodes it is called: who calls meanwhile waits and has the reply, sealed
 * for at least seven days, which may hold a credential. Throws 409 for a key that was used with other input; what the
 * work throws leaves the key free.
 */
export async function once<Reply extends object>(
  { database, sealingKey }: Parts,
  operation: Operation,
  { before, work }: Work<Reply>,
): Promise<{ reply: Reply; again: boolean }> {
  const own = {
    provisioner_id: operation.provisionerId,
    operation: operation.operation,
    key: hash('sha256', operation.idempotencyKey),
  };
  const digest = hash('sha256', canonical(operation.input));
  for (;;) {
    const claimed = await database.transaction((trx) => claim(trx, own, digest, database.clock.now()));
    if (claimed === undefined) {
      await pause(LOOK_MS);
      continue;
    }
    if (typeof claimed === 'string') return { reply: JSON.parse(unseal(sealingKey, claimed)) as Reply, again: true };
    const mine = (db: Transaction) =>
      db.updateTable('aap_operations').where((row) => row.and({ ...own, claimed_until: claimed }));
    try {
      await before();
      const reply = await database.transaction(async (trx) => {
        const made = await work(trx);
        const sealed = seal(sealingKey, JSON.stringify(made));
        const set = { reply: sealed, claimed_until: null, created_at: database.clock.now() };
        const { numUpdatedRows } = await mine(trx).set(set).executeTakeFirstOrThrow();
        // Another call took it over meanwhile.
        if (numUpdatedRows === 0n) throw new Refused(503, 'operation_took_too_long', 'Send the same call again.');
        return made;
      });
      return { reply, again: false };
    } catch (error) {
      await database.transaction((trx) => mine(trx).set({ claimed_until: 0 }).execute());
      throw error;
    }
  }
}

type Own = { provisioner_id: string; operation: string; key: string };

/** The reply that stands, else until when the caller has the operation; undefined while another one has. */
async function claim(trx: Transaction, own: Own, digest: string, now: number): Promise<string | number | undefined> {
  const claimed_until = now + CLAIM_MS;
  const claimed = { digest, claimed_until, created_at: now };
  const taken = await trx
    .insertInto('aap_operations')
    .values({ ...own, ...claimed })
    .onConflict((conflict) =>
      conflict
        .columns(['provisioner_id', 'operation', 'key'])
        .doUpdateSet(claimed)
        .where('aap_operations.claimed_until', '<=', now),
    )
    .returning('key')
    .executeTakeFirst();
  if (taken) return claimed_until;
  const standing = await trx
    .selectFrom('aap_operations')
    .select(['digest', 'reply'])
    .where((row) => row.and(own))
    .executeTakeFirst();
  if (standing && standing.digest !== digest)
    throw new Refused(409, 'idempotency_conflict', 'The idempotency key was already used with other input.');
  return standing?.reply ?? undefined;
}

/** Forgets what was done under keys so long ago that nobody may rely on them any more. */
export function forgetOperations(database: Database): Promise<number> {
  const before = database.clock.now() - KEPT_MS;
  const key = ['provisioner_id', 'operation', 'key'];
  return deleteInParts(database, 'aap_operations', key, sql`created_at < ${before}`);
}
