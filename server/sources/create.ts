import { randomBytes } from 'node:crypto';
import { lock } from '../platform/stored.ts';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { fault, invalid } from '#shared/faults.ts';
import { newId } from '#shared/ids.ts';
import { AppError } from '#shared/problem.ts';
import type { NewSource, NewSourceReply } from '#shared/wire.ts';
import { type Database, type Transaction } from '../platform/database.ts';
import type { Schema } from '../platform/schema.ts';
import { hashToken, newToken } from '../platform/secrets/secrets.ts';
import { EVERYBODY, listSources, peopleAndGroups, viewSources } from './store.ts';

const NAME_MOST = 80;

/**
 * Makes a source; its key and its webhook secret are in this reply and nowhere else. Without `mayAsk` it may
 * ask its owner; 422 with every handle nobody has. With `newName` 409 `source.taken` for the name of another.
 */
export async function createSource(
  database: Database,
  ownerId: string,
  asked: z.infer<typeof NewSource>,
  { madeBy = null, newName = false }: { madeBy?: string | null; newName?: boolean } = {},
): Promise<NewSourceReply> {
  return database.transaction(async (trx) => {
    if (newName) await claimName(trx, asked.name);
    const mayAsk = asked.mayAsk === undefined ? [ownerId] : await findIds(trx, asked.mayAsk, '/mayAsk');
    return insertSource(trx, { ...asked, ownerId, mayAsk, madeBy, now: database.clock.now() });
  });
}

/**
 * Makes a source for what asked for its key and got the yes of the device `madeBy`; it may ask its owner. Where the name is
 * taken it gets a number.
 */
export async function createAllowed(
  trx: Transaction,
  { name, ownerId, madeBy, now }: { name: string; ownerId: string; madeBy: string | null; now: number },
): Promise<NewSourceReply> {
  await lock(trx, 'sources');
  return insertSource(trx, { name: await freeName(trx, name), ownerId, mayAsk: [ownerId], madeBy, now });
}

/** The name itself where no source has it, else with the first number that none has. */
export async function freeName(db: Kysely<Schema>, name: string): Promise<string> {
  for (let at = 1; ; at++) {
    const end = at === 1 ? '' : ` (${at})`;
    const wanted = name.slice(0, NAME_MOST - end.length).toWellFormed() + end;
    const taken = db.selectFrom('sources').select('id').where('name', '=', wanted).where('revoked_at', 'is', null);
    if (!(await taken.limit(1).executeTakeFirst())) return wanted;
  }
}

/** The same for the command line's own source, which may ask everybody. */
export async function createSourceForEverybody(
  database: Database,
  ownerId: string,
  name: string,
): Promise<NewSourceReply> {
  const now = database.clock.now();
  return database.transaction((trx) => insertSource(trx, { name, ownerId, mayAsk: [EVERYBODY], madeBy: null, now }));
}

async function claimName(trx: Transaction, name: string): Promise<void> {
  await lock(trx, 'sources');
  const { items } = await listSources(trx, '', 1_000_000_000);
  const taken = items.find((one) => one.name === name);
  if (!taken) return;
  const detail = `There is a source "${name}" already (${taken.id}); choose another name.`;
  throw new AppError(409, 'source.taken', detail);
}

/** The same in a transaction, of somebody who was found allowed to be asked. */
export async function insertSource(
  trx: Kysely<Schema>,
  made: z.infer<typeof NewSource> & {
    id?: string;
    ownerId: string;
    mayAsk: string[];
    madeBy: string | null;
    now: number;
  },
): Promise<NewSourceReply> {
  const key = newToken('bks_');
  // Standard Webhooks: 24 to 64 random bytes in base64.
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const row = await trx
    .insertInto('sources')
    .values({
      id: made.id ?? newId('src', made.now),
      owner_id: made.ownerId,
      name: made.name,
      key_hash: hashToken(key),
      may_ask: JSON.stringify(made.mayAsk),
      webhook_url: made.webhookUrl ?? null,
      webhook_secret: webhookSecret,
      locale: made.locale ?? null,
      texts: made.texts ? JSON.stringify(made.texts) : null,
      created_at: made.now,
      made_by: made.madeBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const [source] = await viewSources(trx, [row]);
  if (!source) throw new Error('A source was made and is not there.');
  return { source, key, webhookSecret };
}

/** The ids behind these handles; 422 with every handle nobody has, at its place below `path`. */
export async function findIds(trx: Kysely<Schema>, handles: string[], path: string): Promise<string[]> {
  const rows = await peopleAndGroups(trx, 'handle', handles);
  const ids = new Map(rows.map((row) => [row.handle, row.id]));
  const faults = handles.flatMap((handle, at) =>
    ids.has(handle)
      ? []
      : [fault(`${path}/${at}`, 'handle.unknown', `names nobody: there is no person or group "${handle}"`)],
  );
  if (faults.length > 0) throw invalid(faults);
  return [...new Set(ids.values())];
}
