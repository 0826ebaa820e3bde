import type { Inquiry } from '#shared/inquiry.ts';
import { readReach } from '../deliveries/inquiry-devices.ts';
import { wantShownAgain } from '../deliveries/push/want.ts';
import { instant, iso, type Clock } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { within } from '../platform/steps.ts';
import type { PersonVersion } from './announce.ts';
import type { Answerer } from './answerer.ts';
import type { Closing } from './inquiries.ts';
import { alreadyResolved, askedOfPerson, deviceView, readIn, type InquiryRow } from './store.ts';
import { refuseEnded } from './state.ts';
import { raiseVersions } from './versions.ts';

const OVER = 'It can no longer be extended: it is resolved, or its deadline has passed.';

export type Extended = { view: Inquiry; versions: PersonVersion[] };

/**
 * Moves the deadline later by `seconds`, never past `latestAt`, and returns where it stands now
 * (ASK4, DESIGN 4). Throws 409 when the inquiry is resolved or its deadline has passed.
 */
export async function extendInquiry(
  inquiries: Closing,
  answerer: Answerer,
  inquiryId: string,
  seconds: number,
): Promise<{ deadlineAt: string }> {
  const { database, announce } = inquiries;
  await refuseEnded(database, inquiryId, answerer, OVER);
  const { row, extended, open, pushes } = await database.transaction(async (trx) => {
    const before = await within(trx, readIn(askedOfPerson(inquiryId, answerer.personId)));
    const now = database.clock.now();
    const extended = await moveDeadline(trx, before, before.deadline_at + seconds * 1000, database.clock);
    const row = await within(trx, readIn(askedOfPerson(inquiryId, answerer.personId)));
    const again = { subjectId: inquiryId, giveUpAt: row.deadline_at, now };
    const open = extended !== undefined || (await isOpen(trx, inquiryId, database.clock));
    return { extended, open, row, pushes: extended ? await wantShownAgain(trx, again) : 0 };
  });
  if (pushes > 0) inquiries.wakePushes();
  if (extended) announce.inquiry({ inquiry: extended.view, versions: extended.versions });
  if (!open) throw alreadyResolved(row, OVER);
  return { deadlineAt: iso(row.deadline_at) };
}

async function isOpen(trx: Transaction, inquiryId: string, clock: Clock): Promise<boolean> {
  const open = await trx
    .selectFrom('inquiries')
    .select('id')
    .where('id', '=', inquiryId)
    .where('resolution', 'is', null)
    .where('deadline_at', '>', instant(clock))
    .executeTakeFirst();
  return open !== undefined;
}

/** Raises the deadline to `until`, at most `latestAt`; undefined when that raises nothing or it is too late. */
export async function moveDeadline(
  trx: Transaction,
  before: InquiryRow,
  until: number,
  clock: Clock,
): Promise<Extended | undefined> {
  const deadlineAt = Math.round(Math.min(until, before.latest_at));
  const moved = await trx
    .updateTable('inquiries')
    .set(({ eb }) => ({ deadline_at: deadlineAt, revision: eb('revision', '+', 1) }))
    .where('id', '=', before.id)
    .where('resolution', 'is', null)
    .where('deadline_at', '>', instant(clock))
    .where('deadline_at', '<', deadlineAt)
    .returning('revision')
    .executeTakeFirst();
  if (!moved) return undefined;
  const view = deviceView(
    { ...before, deadline_at: deadlineAt, revision: moved.revision },
    { reach: (await readReach(trx, [before.id]))(before.id) },
  );
  return { view, versions: await within(trx, raiseVersions(before.id)) };
}
