import type { Inquiry } from '#shared/inquiry.ts';
import { ringsAt } from '../deliveries/push/quiet.ts';
import { batch, commitWith, statement } from '../platform/steps.ts';
import { readStored } from '../platform/stored.ts';
import type { Closing } from './inquiries.ts';
import { notifySource } from './resolve.ts';
import { inquiryById, parseEscalated, type InquiryRow } from './store.ts';

/** How long after it first rings somebody must have been reached before the source is warned (DLV2). */
export const REACH_MS = 60_000;

// Whoever takes it warns, so that the source is warned once.
export const takeWarning = statement<{ id: string }>(
  `update inquiries set reach_due_at = null where id = ?1 and resolution is null and reach_due_at is not null returning id`,
);

const warnLater = statement('update inquiries set reach_due_at = ?2 where id = ?1');

type Reached = { asked_at: number | null; preferences: string | null; accepted: number };
const reachedPeople = statement<Reached>(
  `select recipients.asked_at, people.preferences, (select count(accepted_at) from inquiry_devices
    join devices on devices.id = device_id where inquiry_id = ?1 and devices.person_id = people.id) as accepted
  from recipients join people on people.id = recipients.person_id where recipients.inquiry_id = ?1`,
);

/** When it first rings for one of those who were asked at this instant: not in their quiet hours. */
function firstRing({ source_id: sourceId, transport }: InquiryRow, preferences: string | null, at: number): number {
  const { urgency } = readStored<Inquiry>(transport);
  return ringsAt(preferences, { urgency, sourceId }, at);
}

/** Warns the source once where none of those who were asked last was reached in time: at first, or by an escalation (DLV2). */
export async function warnUnreached(inquiries: Closing, inquiryId: string): Promise<void> {
  const { database } = inquiries;
  const webhooks = await database.steps(function* () {
    const {
      due,
      rows: [row],
      people,
    } = yield* batch({ due: takeWarning(inquiryId), rows: inquiryById(inquiryId), people: reachedPeople(inquiryId) });
    if (due.length === 0 || !row) return 0;
    const { at: askedAt = null } = parseEscalated(row).at(-1) ?? {};
    const last = people.filter(({ asked_at }) => asked_at === askedAt);
    if (last.some(({ accepted }) => Number(accepted) > 0)) return 0;
    const rings = last.map(({ preferences }) => firstRing(row, preferences, askedAt ?? row.opened_at));
    const warnsAt = Math.min(...rings) + REACH_MS;
    if (last.length > 0 && warnsAt > database.clock.now()) {
      yield* commitWith({ later: warnLater(inquiryId, warnsAt) });
      return 0;
    }
    const webhooks = yield* notifySource(row, 'inquiry.unreachable', undefined, database.clock.now());
    yield* commitWith({ webhooks });
    return webhooks.length;
  });
  if (webhooks > 0) inquiries.wakeDeliveries();
}
