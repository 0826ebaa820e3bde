import { fault, invalid } from '#shared/faults.ts';
import { RINGS_AGAIN_MS } from '../deliveries/push/remind.ts';
import { iso } from '../platform/clock.ts';
import { batch, commitWith, keys, readRows, statement } from '../platform/steps.ts';
import type { Answerer } from './answerer.ts';
import type { Closing } from './inquiries.ts';
import { alreadyResolved, askedOfPerson, lockInquiry, readIn, type Reader } from './store.ts';
import { refuseEnded } from './state.ts';
import { lockPeople, raisePeople } from './versions.ts';

/** What was set apart comes back at least so long before its deadline. */
const LEFT_MS = 15 * 60_000;

const OVER = 'It cannot be set apart: it is resolved, or its deadline has passed.';
const setLater = statement(
  `update recipients set later = ?3, remind_at = coalesce(cast(?4 as bigint),
    cast(?5 as bigint) + (select ${RINGS_AGAIN_MS} from people where people.id = person_id))
  where inquiry_id = ?1 and person_id = ?2`,
);

/**
 * Sets an inquiry apart for one of those who were asked, on all of their devices, until an instant (ms) at which it rings
 * again; without one it stands among the others again. It stays open, and nobody else is told (DLV4). Throws 409 when it is
 * resolved or its deadline has passed, 422 for an instant that is past or later than 15 minutes before its deadline.
 */
export async function setApart(
  inquiries: Closing,
  { personId }: Pick<Answerer, 'personId'>,
  inquiryId: string,
  until: number | undefined,
): Promise<void> {
  const { database, announce } = inquiries;
  const people = [personId];
  await refuseEnded(database, inquiryId, { personId }, OVER);
  const version = await database.steps(function* () {
    yield* batch({ locked: lockInquiry(inquiryId) });
    const row = yield* readIn(askedOfPerson(inquiryId, personId));
    const now = database.clock.now();
    if (row.resolution !== null || row.deadline_at <= now) throw alreadyResolved(row, OVER);
    if (until !== undefined && until <= now) throw invalid([fault('/at', 'later.past', 'is past')]);
    if (until !== undefined && !(until <= row.deadline_at - LEFT_MS))
      throw invalid([fault('/at', 'later.too_late', 'must be at least 15 minutes before the deadline')]);
    const {
      raised: [raised],
    } = yield* commitWith({
      set: setLater(inquiryId, personId, until === undefined ? 0 : 1, until ?? null, Math.round(now)),
      locks: lockPeople(people, ''),
      raised: raisePeople(people),
    });
    return raised?.version ?? 0;
  });
  announce.later({ personId, version, inquiryId, ...(until === undefined ? {} : { at: iso(until) }) });
}

type LaterRow = { inquiry_id: string; person_id: string; remind_at: number };
const later = statement<LaterRow>(
  `select inquiry_id, person_id, remind_at from recipients
  where inquiry_id in {keys ?1} and person_id in {keys ?2} and later = 1 and open = 1`,
);

/** Until when (ISO 8601) these people set these inquiries apart, each as `inquiry person`. */
export async function readLater(read: Reader, inquiryIds: string[], personIds: string[]): Promise<Map<string, string>> {
  const rows = inquiryIds.length > 0 ? await readRows(read, later(keys(inquiryIds), keys(personIds))) : [];
  return new Map(rows.map((row) => [`${row.inquiry_id} ${row.person_id}`, iso(row.remind_at)]));
}
