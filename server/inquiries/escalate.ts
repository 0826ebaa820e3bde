import type { Inquiry } from '#shared/inquiry.ts';
import { addDevices, reachOf, toReach } from '../deliveries/inquiry-devices.ts';
import { wantShown } from '../deliveries/push/want.ts';
import { batch, commitWith, statement, type Steps } from '../platform/steps.ts';
import { readStored } from '../platform/stored.ts';
import { allowedPeople, eachOnce, namedBy, type Named } from '../sources/recipients.ts';
import type { Inquiries } from './inquiries.ts';
import { REACH_MS } from './reach.ts';
import { notifySource } from './resolve.ts';
import {
  deviceView,
  earlierTo,
  pickEarlier,
  inquiryById,
  lockInquiry,
  type Escalated,
  type InquiryRow,
} from './store.ts';
import { insertRecipients, lockPeople, raised, raisePeople } from './versions.ts';

const askedPeople = statement<{ id: string; handle: string }>(
  'select id, handle from recipients join people on people.id = person_id where inquiry_id = ?1',
);
const setNext = statement(
  'update inquiries set escalate_at = cast(?2 as bigint), escalated = cast(?3 as text) where id = ?1',
);
const setAsked = statement(
  `update inquiries set people = ?2, reach_due_at = cast(?3 as bigint), revision = revision + 1 where id = ?1`,
);

/**
 * Asks an inquiry that is open of those whom the step that is due names and who were not asked yet, as if it was asked of
 * them at this moment. Whoever is gone, or may not be asked by this source any more, is left out; a group stands for its
 * members of now. Whichever node comes first does it, once (APR5).
 */
export async function escalate(inquiries: Inquiries, inquiryId: string): Promise<void> {
  const { database, announce, settling } = inquiries;
  const done = await database.steps(function* () {
    yield* batch({ locked: lockInquiry(inquiryId) });
    const now = Math.round(database.clock.now());
    const {
      rows: [row],
      asked,
      decider: [decider],
    } = yield* batch({
      rows: inquiryById(inquiryId),
      asked: askedPeople(inquiryId),
      decider: settling.decider(inquiryId),
    });
    if (!row || !isDue(row, now)) return undefined;
    const { step, next } = readStep(row);
    const fresh = yield* namedNow(row.source_id, step.to, new Set(asked.map(({ id }) => id)));
    const added = eachOnce(fresh);
    const to = [...new Set(step.to)].filter((handle) => fresh.some((one) => one.handle === handle));
    const escalated = JSON.stringify([...readSteps(row), { at: now, to, people: added.people }]);
    const moved = setNext(inquiryId, next, escalated);
    if (added.personIds.length === 0) {
      yield* commitWith({ moved });
      return undefined;
    }
    const quiet = decider?.spares === 1 || readStored<Inquiry>(row.transport).quiet === true;
    const first = row.people === null ? asked.map(({ handle }) => handle) : readStored<string[]>(row.people);
    const people = JSON.stringify([...new Set([...first, ...added.people])].toSorted());
    const current = { ...row, escalated, people, revision: row.revision + 1 };
    const told = yield* ask(current, added.personIds, { now, quiet });
    const everybody = [...asked.map(({ id }) => id), ...added.personIds];
    const { versions } = yield* commitWith({
      moved,
      asked: setAsked(inquiryId, people, told.reachDueAt),
      webhooks: told.webhooks,
      locks: lockPeople(everybody, ''),
      versions: raisePeople(everybody),
    });
    return { ...told, personIds: added.personIds, versions: raised(versions), decider: decider !== undefined };
  });
  if (!done) return;
  const { view, versions, personIds, decider } = done;
  const isNew = ({ personId }: { personId: string }): boolean => personIds.includes(personId);
  announce.inquiry({ inquiry: view, versions: decider ? versions.filter((one) => !isNew(one)) : versions });
  // What a decider proposes comes with a snapshot alone.
  if (decider) announce.moved(versions.filter(isNew));
  if (done.webhooks.length > 0) inquiries.wakeDeliveries();
  if (done.pushes > 0) inquiries.wakePushes();
}

/** What is resolved, has no asker left or whose source is revoked asks nobody else. */
function isDue(
  { resolution, deadline_at, lease_until, escalate_at, source_revoked_at }: InquiryRow,
  now: number,
): boolean {
  if (resolution !== null || deadline_at <= now || source_revoked_at !== null) return false;
  return escalate_at !== null && escalate_at <= now && (lease_until === null || lease_until > now);
}

/** The steps that were done, those included that found nobody to ask. */
function readSteps({ escalated }: InquiryRow): Escalated[] {
  return escalated === null ? [] : readStored<Escalated[]>(escalated);
}

/** The step that is due, and when the one after it is: counted from it, so that it moves with the clock. */
function readStep(row: InquiryRow): { step: { to: string[] }; next: number | null } {
  const { escalate: steps = [] } = readStored<Inquiry>(row.transport);
  const at = readSteps(row).length;
  const [step, after] = [steps[at], steps[at + 1]];
  if (!step || row.escalate_at === null) return { step: { to: [] }, next: null };
  return { step, next: after ? row.escalate_at + (after.after - step.after) * 1000 : null };
}

function* namedNow(sourceId: string, to: string[], asked: ReadonlySet<string>): Steps<Named[]> {
  const {
    named,
    asker: [asker],
  } = yield* batch(namedBy(sourceId, to));
  if (!asker) return [];
  const allowed = yield* allowedPeople(asker);
  return named.filter(({ id }) => allowed.has(id) && !asked.has(id));
}

/** Writes who is asked now and what their devices are to show; the warning that nobody was reached counts anew for them. */
function* ask(row: InquiryRow, personIds: string[], { now, quiet }: { now: number; quiet: boolean }) {
  const { id: inquiryId, deadline_at: giveUpAt } = row;
  const { devices, pushes } = yield* batch({
    recipients: insertRecipients(personIds, inquiryId, 1, quiet ? null : now, now),
    devices: addDevices(inquiryId, personIds, now, quiet),
    pushes: quiet ? undefined : wantShown({ subjectId: inquiryId, personIds, giveUpAt, now }),
  });
  const unreached = !quiet && devices.every(({ told_at }) => told_at === null);
  const webhooks = unreached ? yield* notifySource(row, 'inquiry.unreachable', undefined, now) : [];
  const {
    reach: [reach],
    earlier,
  } = yield* batch({ reach: reachOf(inquiryId), earlier: earlierTo([row.id]) });
  return {
    view: deviceView(row, { reach: toReach(reach), earlier: pickEarlier(earlier, row.id) }),
    webhooks,
    pushes: pushes.length,
    reachDueAt: quiet ? row.reach_due_at : webhooks.length > 0 ? null : now + REACH_MS,
  };
}
