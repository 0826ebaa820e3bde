import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { invalid } from '#shared/faults.ts';
import { newId } from '#shared/ids.ts';
import type { NewSource, NewSourceReply } from '#shared/wire.ts';
import type { Database } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { hashToken, newToken } from '../platform/secrets/secrets.ts';
import { EVERYBODY, sourcesOf } from './store.ts';

/**
 * Makes a source; its key and its webhook secret are in this reply and nowhere else. Without `mayAsk` it may
 * ask its owner; 422 with every handle nobody has.
 */
export async function createSource(
  database: Database,
  ownerId: string,
  asked: z.infer<typeof NewSource>,
  madeBy: string | null = null,
): Promise<NewSourceReply> {
  return database.transaction(async (trx) => {
    const mayAsk = asked.mayAsk === undefined ? [ownerId] : await idsOf(trx, asked.mayAsk);
    return insertSource(trx, { ownerId, asked, mayAsk, madeBy, now: database.clock.now() });
  });
}

/** The same for the command line's own source, which may ask everybody. */
export async function createSourceForEverybody(
  database: Database,
  ownerId: string,
  name: string,
): Promise<NewSourceReply> {
  return database.transaction((trx) =>
    insertSource(trx, { ownerId, asked: { name }, mayAsk: [EVERYBODY], now: database.clock.now() }),
  );
}

type Insert = {
  ownerId: string;
  asked: z.infer<typeof NewSource>;
  mayAsk: string[];
  madeBy?: string | null;
  now: number;
};

async function insertSource(
  trx: Kysely<Schema>,
  { ownerId, asked, mayAsk, madeBy = null, now }: Insert,
): Promise<NewSourceReply> {
  const key = newToken('bks_');
  // Standard Webhooks: 24 to 64 random bytes in base64.
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const row = await trx
    .insertInto('sources')
    .values({
      id: newId('src', now),
      owner_id: ownerId,
      name: asked.name,
      key_hash: hashToken(key),
      may_ask: JSON.stringify(mayAsk),
      webhook_url: asked.webhookUrl ?? null,
      webhook_secret: webhookSecret,
      locale: asked.locale ?? null,
      texts: asked.texts ? JSON.stringify(asked.texts) : null,
      created_at: now,
      used_at: null,
      revoked_at: null,
      made_by: madeBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const [source] = await sourcesOf(trx, [row]);
  if (!source) throw new Error('A source was made and is not there.');
  return { source, key, webhookSecret };
}

async function idsOf(trx: Kysely<Schema>, handles: string[]): Promise<string[]> {
  if (handles.length === 0) return [];
  const rows = await trx
    .selectFrom('people')
    .select(['id', 'handle'])
    .where('handle', 'in', handles)
    .unionAll(trx.selectFrom('groups').select(['id', 'handle']).where('handle', 'in', handles))
    .execute();
  const ids = new Map(rows.map((row) => [row.handle, row.id]));
  const faults = handles.flatMap((handle, at) =>
    ids.has(handle)
      ? []
      : [
          {
            path: `/mayAsk/${at}`,
            code: 'handle.unknown',
            message: `names nobody: there is no person or group "${handle}"`,
          },
        ],
  );
  if (faults.length > 0) throw invalid(faults);
  return [...new Set(ids.values())];
}
