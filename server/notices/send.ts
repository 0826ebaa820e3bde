import { newId } from '#shared/ids.ts';
import { canonical } from '#shared/json.ts';
import type { Notice } from '#shared/wire.ts';
import { AppError } from '#shared/problem.ts';
import { wantShown } from '../deliveries/push/want.ts';
import type { Announce } from '../devices/admit.ts';
import { DAY_MS, HOUR_MS, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { batch, within } from '../platform/steps.ts';
import { recipientsFor } from '../sources/recipients.ts';
import { viewNotice, selectNotices, type NewNotice } from './store.ts';

/** Notices of one source to one person in an hour. */
const AN_HOUR = 60;
/** News older than this is not pushed to a device that comes back. */
const PUSH_LIFE_MS = 7 * DAY_MS;

/** What notices need from the rest of the hub. */
export type Notices = {
  database: Database;
  announce: Pick<Announce, 'toPerson'>;
  /** Looks for due pushes now; called after the commit. */
  wakePushes: () => void;
};

/**
 * Keeps a notice for the people it is for and tells their devices. The same key from the same source returns
 * the first notice and tells nobody again; with another notice it is refused: 409 `notice.key_reused`. Of one source a
 * person gets 60 in an hour; what is more is refused for all: 429 `notice.too_many`.
 */
export async function sendNotice(
  { database, announce, wakePushes }: Notices,
  sourceId: string,
  given: NewNotice,
): Promise<{ notice: Notice; isNew: boolean }> {
  const now = database.clock.now();
  const { notice, people } = await database.transaction(async (trx) => {
    const { title, key = null, ...content } = given;
    const row = {
      id: newId('ntc', now),
      source_id: sourceId,
      key,
      title,
      content: canonical(content),
      created_at: now,
    };
    const people = (await within(trx, recipientsFor(sourceId, given.to))).personIds;
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('notices')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    const standing = await selectNotices(trx)
      .where(inserted ? 'notices.id' : 'key', '=', inserted ? row.id : key)
      .where('source_id', '=', sourceId)
      .executeTakeFirstOrThrow();
    if (!inserted) {
      if (standing.title !== title || standing.content !== row.content)
        throw new AppError(
          409,
          'notice.key_reused',
          'This key was used for another notice; choose a new key for a new notice.',
        );
      return { notice: viewNotice(standing), people: undefined };
    }
    await refuseFlood(trx, { sourceId, personIds: people, now });
    await bringTo(trx, row.id, people, now);
    return { notice: viewNotice(standing), people };
  });
  if (people) {
    for (const personId of people) announce.toPerson(personId, 'notice', { notice });
    wakePushes();
  }
  return { notice, isNew: people !== undefined };
}

/** Puts a notice before these people, and has it pushed to their devices. */
export async function bringTo(trx: Transaction, noticeId: string, personIds: string[], now: number): Promise<void> {
  const recipients = personIds.map((personId) => ({ person_id: personId, notice_id: noticeId }));
  await trx.insertInto('notice_recipients').values(recipients).execute();
  const subject = { subjectId: noticeId, personIds, giveUpAt: now + PUSH_LIFE_MS, now };
  await within(trx, batch({ shown: wantShown(subject) }));
}

async function refuseFlood(
  trx: Transaction,
  { sourceId, personIds, now }: { sourceId: string; personIds: string[]; now: number },
): Promise<void> {
  const full = await trx
    .selectFrom('notice_recipients')
    .innerJoin('notices', 'notices.id', 'notice_id')
    .innerJoin('people', 'people.id', 'person_id')
    .select(['handle', ({ fn }) => fn.min('notices.created_at').as('first')])
    .where('person_id', 'in', personIds)
    // Ids begin with their time: nobody's older notices are read.
    .where('notice_id', '>', newId('ntc', now - HOUR_MS))
    .where('source_id', '=', sourceId)
    .groupBy('handle')
    .having(({ fn }) => fn.countAll(), '>=', AN_HOUR)
    .limit(1)
    .executeTakeFirst();
  if (full)
    throw new AppError(
      429,
      'notice.too_many',
      `This source sent "${full.handle}" ${AN_HOUR} notices within an hour; the next one is taken at ${iso(Number(full.first) + HOUR_MS)}. Gather several in one.`,
    );
}
