import type { ByPerson, Decision } from '#shared/answer.ts';
import type { HandReply } from '#shared/hands.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { saysYes } from '#shared/says-yes.ts';
import { reachOf, toReach } from '../deliveries/inquiry-devices.ts';
import { iso } from '../platform/clock.ts';
import { batch, commitWith, statement, type Statement, type Steps } from '../platform/steps.ts';
import type { PersonVersion } from './announce.ts';
import type { Answerer } from './answerer.ts';
import { digestApproval, handsWanted, parseApproved, type Approved } from './approved.ts';
import type { Given } from './given.ts';
import type { Closing, Store } from './inquiries.ts';
import { refuseEnded } from './state.ts';
import {
  alreadyResolved,
  askedOfPerson,
  deviceView,
  earlierTo,
  pickEarlier,
  lockInquiry,
  toFirstId,
  unknownInquiry,
  type InquiryRow,
} from './store.ts';
import { lockPeople, raised, raisePeople } from './versions.ts';

/** An approval that counts while others are wanted; without `versions` nothing has changed by it. */
export type Held = { reply: HandReply; versions?: PersonVersion[] };
/** The last approval that was wanted: it resolves the inquiry, with all of them. */
type Complete = { row: InquiryRow; approved: string };

const askedNow = statement<{ person_id: string }>('select person_id from recipients where inquiry_id = ?1');
const at = '(coalesce(cast(?3 as bigint), {now}) - cast(?4 as bigint))';
/** While it can be answered, as an answer that resolves it: `?5` is 1 where whoever asked waits on this node. */
const setApproved = statement<{ revision: number }>(
  `update inquiries set approved = ?2, revision = revision + 1 where id = ?1 and resolution is null and deadline_at > ${at}
  and (cast(?5 as integer) = 1 or lease_until is null or lease_until > ${at}) returning revision`,
);
/** Whoever has approved it is not rung again. */
const ringNoMore = statement(
  'update recipients set remind_at = null where inquiry_id = ?1 and person_id = ?2 and later = 0',
);

/** Whether this yes is one of several that are wanted (APR4). */
export function isHand(row: Pick<InquiryRow, 'transport'>, given: Given): boolean {
  return handsWanted(row) > 0 && saysYes(given);
}

/**
 * Counts a person's yes beside those of others who approved exactly the same, once however often they send it; another one
 * starts anew. The last one that is wanted is returned to be resolved with. Undefined where it is over; throws 409 for a
 * call approved as it was asked while somebody's edit of it stands, which this person did not see (APR4).
 */
export function* countHand(
  { database }: Store,
  { personId }: Pick<Answerer, 'personId'>,
  { row: { id, ask_id }, given, by }: { row: InquiryRow; given: Given; by: ByPerson },
  { now, waitedMs, awaited, also }: { now: number; waitedMs: number; awaited: boolean; also: Statement[] },
): Steps<Held | Complete | undefined> {
  const { row, asked } = yield* lockAsked(id, ask_id, personId);
  if (row.resolution !== null) return undefined;
  const decisions = given.content.decisions ?? [];
  const digest = digestApproval(row.digest, decisions);
  const standing = standingNow(row, asked);
  if (standing && standing.digest !== digest) refuseUnseen(standing, decisions, yield* viewNow(row));
  const before = standing?.digest === digest ? standing.hands : [];
  if (before.some((one) => one.by.personId === personId)) {
    const inquiry = yield* viewNow(row);
    yield* commitWith({ also });
    return { reply: { won: false, inquiry } };
  }
  const hands = [...before, { by: { ...by, personId }, at: iso(now) }];
  const approved = JSON.stringify({ digest, decisions, hands } satisfies Approved);
  if (hands.length >= handsWanted(row)) return { row, approved };
  const judged = [database.clock.inStatement ? null : database.clock.now(), waitedMs, Number(awaited)] as const;
  const changed = yield* change(row, { approved, judged, asked, also: [...also, ringNoMore(id, personId)] });
  return changed && { reply: { won: false, inquiry: changed.view }, versions: changed.versions };
}

/**
 * Takes a person's own yes back while further ones are wanted (APR4). Throws 404 where there is none of theirs, 409 when the
 * inquiry is resolved or its deadline has passed.
 */
export async function takeBack(
  { database, announce }: Closing,
  { personId }: Pick<Answerer, 'personId'>,
  inquiryId: string,
): Promise<void> {
  const detail = 'It cannot be taken back: it is resolved, or its deadline has passed.';
  await refuseEnded(database, inquiryId, { personId }, detail);
  const { view, versions } = await database.steps(function* () {
    const { row, asked } = yield* lockAsked(inquiryId, null, personId);
    const over = () => alreadyResolved(row, detail);
    if (row.resolution !== null) throw over();
    const standing = standingNow(row, asked);
    const others = standing?.hands.filter((one) => one.by.personId !== personId);
    if (!standing || others?.length === standing.hands.length)
      throw new AppError(404, 'approval.none', 'You have not approved this, or somebody has started anew since then.');
    const approved = others?.length ? JSON.stringify({ ...standing, hands: others }) : null;
    const judged = [database.clock.inStatement ? null : database.clock.now(), 0, 1] as const;
    const changed = yield* change(row, { approved, judged, asked, also: [] });
    if (!changed) throw over();
    return changed;
  });
  announce.inquiry({ inquiry: view, versions });
}

/** The inquiry, held until the commit, and the people who are asked it at this moment; 404 where this person is none of them. */
function* lockAsked(inquiryId: string, askId: string | null, personId: string) {
  // As a resolution takes them, so that two of one ask do not wait for each other.
  yield* batch({ first: askId === null ? undefined : lockInquiry(toFirstId(askId)), locked: lockInquiry(inquiryId) });
  const {
    rows: [row],
    asked,
  } = yield* batch({ rows: askedOfPerson(inquiryId, personId), asked: askedNow(inquiryId) });
  return { row: row ?? unknownInquiry(), asked: asked.map(({ person_id }) => person_id) };
}

/** What stands, by those who are still asked; who was removed counts no longer. */
function standingNow(row: InquiryRow, asked: string[]): Approved | undefined {
  const standing = parseApproved(row);
  const hands = standing?.hands.filter((one) => asked.includes(one.by.personId)) ?? [];
  return standing && hands.length > 0 ? { ...standing, hands } : undefined;
}

function refuseUnseen(standing: Approved, decisions: Decision[], inquiry: Inquiry): void {
  const unseen = standing.decisions.some(({ type }, at) => type === 'edit' && decisions[at]?.type === 'approve');
  if (!unseen) return;
  const detail =
    'Somebody has edited a call of this: send the decisions in `standing` to approve the same, or an edit of your own.';
  throw new AppError(409, 'answer.edited', detail, { extra: { inquiry } });
}

type Judged = readonly [judgedAt: number | null, waitedMs: number, awaited: number];
type Change = { approved: string | null; judged: Judged; asked: string[]; also: Statement[] };

/** Writes it where it can still be answered, and raises the counters of everybody who is asked. */
function* change(
  row: InquiryRow,
  { approved, judged, asked, also }: Change,
): Steps<{ view: Inquiry; versions: PersonVersion[] } | undefined> {
  const {
    moved: [moved],
  } = yield* batch({ moved: setApproved(row.id, approved, ...judged) });
  if (!moved) return undefined;
  const view = yield* viewNow({ ...row, approved, revision: moved.revision });
  const { versions } = yield* commitWith({ also, locks: lockPeople(asked, ''), versions: raisePeople(asked) });
  return { view, versions: raised(versions) };
}

/** An inquiry as devices read it at this moment. */
export function* viewNow(row: InquiryRow): Steps<Inquiry> {
  const {
    reach: [reach],
    earlier,
  } = yield* batch({ reach: reachOf(row.id), earlier: earlierTo([row.id]) });
  return deviceView(row, { reach: toReach(reach), earlier: pickEarlier(earlier, row.id) });
}
