import type { z } from 'zod';
import { newId } from '#shared/ids.ts';
import type { NewPerson, NewPersonReply, PersonLink } from '#shared/wire.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { claimHandle, viewPerson, readPerson } from './store.ts';

/** A link that lets one device of a person in, once, while the device that made it is not revoked; `devices` makes it. */
export type MakeLink = (
  trx: Transaction,
  whose: { personId: string; issuerId: string | null },
) => Promise<z.infer<typeof PersonLink>>;

/** Adds a person and gives their first link; 409 `handle.taken`. */
export async function invite(
  database: Database,
  makeLink: MakeLink,
  asked: z.infer<typeof NewPerson>,
  issuerId: string | null,
): Promise<NewPersonReply> {
  return database.transaction(async (trx) => {
    await claimHandle(trx, asked.handle);
    const now = database.clock.now();
    const row = await trx
      .insertInto('people')
      .values({
        id: newId('per', now),
        handle: asked.handle,
        name: asked.name ?? asked.handle,
        locale: asked.locale ?? null,
        created_at: now,
        made_by: issuerId,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { person: viewPerson(row), ...(await makeLink(trx, { personId: row.id, issuerId })) };
  });
}

/** Another one-time link for a person, for instance after a lost phone; 404 `person.unknown`. */
export async function linkPerson(
  database: Database,
  makeLink: MakeLink,
  personId: string,
  issuerId: string | null,
): Promise<z.infer<typeof PersonLink>> {
  return database.transaction(async (trx) => {
    await readPerson(trx, personId);
    return makeLink(trx, { personId, issuerId });
  });
}
