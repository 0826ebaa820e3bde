import type { Inquiry } from '#shared/inquiry.ts';
import { whenDue } from '../deliveries/push/remind.ts';
import { wantReminder } from '../deliveries/push/want.ts';
import { batch, commitWith, keys, statement } from '../platform/steps.ts';
import { readStored } from '../platform/stored.ts';
import type { Closing } from './inquiries.ts';
import { inquiryById, lockInquiry } from './store.ts';

const due = statement<{ person_id: string; later: number; asked_at: number | null; preferences: string | null }>(
  `select person_id, later, asked_at, preferences from recipients join people on people.id = person_id
  where inquiry_id = ?1 and open = 1 and remind_at <= cast(?2 as bigint)`,
);
const setNext = statement(
  'update recipients set later = 0, remind_at = cast(?3 as bigint) where inquiry_id = ?1 and person_id in {keys ?2}',
);

/**
 * Rings an inquiry again, while it is open, for those for whom that is due, and writes down when the next time is.
 * Whichever node comes first does it, once (DLV4, DLV5).
 */
export async function remind({ database, wakePushes }: Closing, inquiryId: string): Promise<void> {
  const pushes = await database.steps(function* () {
    yield* batch({ locked: lockInquiry(inquiryId) });
    const now = Math.round(database.clock.now());
    const {
      rows: [row],
      people,
    } = yield* batch({ rows: inquiryById(inquiryId), people: due(inquiryId, now) });
    if (!row || people.length === 0) return 0;
    const { source_id: sourceId, opened_at: openedAt, deadline_at: deadlineAt } = row;
    const { urgency } = readStored<Inquiry>(row.transport);
    const isOpen = row.resolution === null && deadlineAt > now;
    const reminders = people.map((one) => ({
      personId: one.person_id,
      ...(isOpen
        ? whenDue(one, { urgency, sourceId, openedAt: one.asked_at ?? openedAt, deadlineAt }, now)
        : { rings: false, next: null }),
    }));
    const ringing = reminders.filter(({ rings }) => rings).map(({ personId }) => personId);
    const alike = [...Map.groupBy(reminders, ({ next }) => next)];
    const { wanted } = yield* commitWith({
      next: alike.map(([next, some]) => setNext(inquiryId, keys(some.map(({ personId }) => personId)), next)),
      wanted: wantReminder({ subjectId: inquiryId, personIds: ringing, giveUpAt: deadlineAt, now }),
    });
    return wanted.length;
  });
  if (pushes > 0) wakePushes();
}
