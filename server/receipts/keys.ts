import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { DAY_MS } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { seal, unseal } from '../platform/secrets/secrets.ts';

/** EdDSA signs what nobody asks otherwise; ES256 is for verifiers without it. */
export const ALGORITHMS = ['EdDSA', 'ES256'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

const USED_MS = 90 * DAY_MS;
/** Whoever keeps the key set for a day has a key before anything is signed with it. */
const KNOWN_BEFORE_MS = DAY_MS;

type KeyParts = { database: Database; sealingKey: Buffer };
export type SigningKey = { kid: string; privateKey: JWK };

/** The hub's public keys, in the form of a JWK set (RFC 7517), the newest first. */
export async function readKeySet({ database }: { database: Pick<Database, 'read'> }): Promise<{ keys: JWK[] }> {
  const rows = await database.read.selectFrom('receipt_keys').select(['kid', 'alg', 'public', 'number']).execute();
  const placeOf = (alg: string): number => ALGORITHMS.indexOf(alg as Algorithm);
  return {
    keys: rows
      .toSorted((a, b) => b.number - a.number || placeOf(a.alg) - placeOf(b.alg))
      .map(({ kid, alg, public: key }) => ({ ...(JSON.parse(key) as JWK), kid, alg, use: 'sig' })),
  };
}

/** The key for what was resolved then; the same one for every node and every reading. Undefined: it is kept no longer. */
export async function keyFor(
  { database, sealingKey }: KeyParts,
  alg: Algorithm,
  at: number,
): Promise<SigningKey | undefined> {
  const row = await database.read
    .selectFrom('receipt_keys')
    .select(['kid', 'sealed'])
    .where('alg', '=', alg)
    .where('used_from', '<=', at)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.sealed ? { kid: row.kid, privateKey: JSON.parse(unseal(sealingKey, row.sealed)) as JWK } : undefined;
}

/**
 * Makes the first keys, which hold for whatever was resolved before, and from 89 days on the next ones, a day before they
 * are used. A private key is erased once all that it signed is forgotten; public ones stay, for receipts that others keep.
 */
export async function renewKeys(parts: KeyParts, retainDays: number): Promise<void> {
  const { database } = parts;
  const now = database.clock.now();
  for (const alg of ALGORITHMS) {
    const [newest] = await database.read
      .selectFrom('receipt_keys')
      .select(['number', 'made_at', 'used_from'])
      .where('alg', '=', alg)
      .orderBy('number', 'desc')
      .limit(1)
      .execute();
    if (!newest) await addKey(parts, { alg, number: 1, made_at: now, used_from: 0 });
    else if (Math.max(newest.made_at, newest.used_from) + USED_MS - KNOWN_BEFORE_MS <= now)
      await addKey(parts, { alg, number: newest.number + 1, made_at: now, used_from: now + KNOWN_BEFORE_MS });
    await erasePrivate(database, alg, now - retainDays * DAY_MS);
  }
}

type NewKey = { alg: Algorithm; number: number; made_at: number; used_from: number };

/** Of two nodes that make one at once, the first one's stays. */
async function addKey({ database, sealingKey }: KeyParts, key: NewKey): Promise<void> {
  const made = await generateKeyPair(key.alg, { extractable: true });
  const [shown, kept] = [await exportJWK(made.publicKey), await exportJWK(made.privateKey)];
  const row = {
    ...key,
    kid: await calculateJwkThumbprint(shown),
    public: JSON.stringify(shown),
    sealed: seal(sealingKey, JSON.stringify(kept)),
  };
  await database.transaction((trx) =>
    trx
      .insertInto('receipt_keys')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** Erases what signed nothing that was resolved since then: a later key was in use by then. */
async function erasePrivate(database: Database, alg: Algorithm, since: number): Promise<void> {
  await database.transaction((trx) =>
    trx
      .updateTable('receipt_keys')
      .set({ sealed: null })
      .where('alg', '=', alg)
      .where('sealed', 'is not', null)
      .where('number', '<', (eb) =>
        eb
          .selectFrom('receipt_keys as later')
          .select(({ fn }) => fn.coalesce(fn.max('later.number'), eb.lit(0)).as('number'))
          .where('later.alg', '=', alg)
          .where('later.used_from', '<=', since),
      )
      .execute(),
  );
}
