import type { z } from 'zod';
import { newId } from '#shared/ids.ts';
import type { NewPerson, NewPersonReply } from '#shared/wire.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { claimHandle } from './handles.ts';
import { personOf, readPerson } from './store.ts';

/** Makes one-time links; the devices, which own enrolments, implement it. */
export type PersonLinks = {
  /** A link that lets one device of this person in, once, while the device that made it is not revoked. */
  make(
    trx: Transaction,
    whose: { personId: string; issuerId: string | null },
  ): Promise<{ link: string; expiresAt: string }>;
};

/** Adds a person and gives their first link; 409 `handle.taken`. */
export async function invite(
  database: Database,
  links: PersonLinks,
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
    const { link, expiresAt } = await links.make(trx, { personId: row.id, issuerId });
    return { person: personOf(row), link, expiresAt };
  });
}

/** Another one-time link for a person, for instance after a lost phone; 404 `person.unknown`. */
export async function linkPerson(
  database: Database,
  links: PersonLinks,
  personId: string,
  issuerId: string | null,
): Promise<{ link: string; expiresAt: string }> {
  return database.transaction(async (trx) => {
    const person = await readPerson(trx, personId);
    const { link, expiresAt } = await links.make(trx, { personId: person.id, issuerId });
    return { link, expiresAt };
  });
}
