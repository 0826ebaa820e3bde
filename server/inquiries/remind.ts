import { wantReminder } from '../deliveries/push/want.ts';
import { batch, commitWith, keys, statement } from '../platform/steps.ts';
import type { Closing } from './inquiries.ts';
import { inquiryById, lockInquiry } from './store.ts';

const due = statement<{ person_id: string }>(
  `select person_id from recipients where inquiry_id = ?1 and open = 1 and remind_at <= cast(?2 as bigint)`,
);
const reminded = statement(
  'update recipients set later = 0, remind_at = null where inquiry_id = ?1 and person_id in {keys ?2}',
);

/** Rings an inquiry again, while it is open, for those for whom that is due. Whichever node comes first does it, once (DLV4). */
export async function remind({ database, wakePushes }: Closing, inquiryId: string): Promise<void> {
  const pushes = await database.steps(function* () {
    yield* batch({ locked: lockInquiry(inquiryId) });
    const now = database.clock.now();
    const {
      rows: [row],
      people,
    } = yield* batch({ rows: inquiryById(inquiryId), people: due(inquiryId, now) });
    if (!row || people.length === 0) return 0;
    const personIds = people.map(({ person_id }) => person_id);
    const isOpen = row.resolution === null && row.deadline_at > now;
    const { wanted } = yield* commitWith({
      reminded: reminded(inquiryId, keys(personIds)),
      wanted: isOpen ? wantReminder({ subjectId: inquiryId, personIds, giveUpAt: row.deadline_at, now }) : undefined,
    });
    return wanted.length;
  });
  if (pushes > 0) wakePushes();
}
