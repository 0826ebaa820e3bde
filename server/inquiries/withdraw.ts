import { sql } from 'kysely';
import type { Inquiry } from '#shared/inquiry.ts';
import { instant } from '../platform/clock.ts';
import { isAway } from '../platform/database.ts';
import { eachByItself, type Failed } from '../platform/failing.ts';
import { keys } from '../platform/steps.ts';
import type { WithdrawAskedOf } from '../people/remove.ts';
import { readInTurn } from '../platform/turns.ts';
import { reachOf, toReach } from '../deliveries/inquiry-devices.ts';
import { idsOf } from './asked.ts';
import type { Closing, Inquiries, Store } from './inquiries.ts';
import { giveUpOlder } from '../deliveries/settle.ts';
import { readState } from './state.ts';
import { announceResolved, resolve, type Resolved, type ResolveOptions } from './resolve.ts';
import {
  alreadyResolved,
  askedBySource,
  inquiryById,
  readAsSource,
  readIn,
  findInquiries,
  sourceView,
  unknownInquiry,
  type InquiryRow,
  type Reader,
} from './store.ts';

/**
 * Takes an inquiry back for its source. Twice is the same as once; throws 409 with the resolution
 * when somebody answered first or the deadline passed, 404 when it is not this source's.
 */
export async function withdrawInquiry(
  inquiries: Closing,
  sourceId: string,
  inquiryId: string,
  reason?: string,
): Promise<Inquiry> {
  await withdrawIfOpen(inquiries, sourceId, inquiryId, reason);
  const ended = await readState(inquiries.database, inquiryId, { sourceId });
  if (ended.outcome !== 'withdrawn')
    throw alreadyResolved(ended, 'It cannot be taken back: it is resolved already, or its deadline has passed.');
  const [[row], [reach]] = await readInTurn(() =>
    inquiries.database.rows(askedBySource(inquiryId, sourceId), reachOf(inquiryId)),
  );
  if (!row) return unknownInquiry();
  return sourceView(row, { reach: toReach(reach) });
}

/** Takes an inquiry back for its source unless somebody answered first or the deadline passed; 404 when it is not this source's. */
export async function withdrawIfOpen(
  inquiries: Closing,
  sourceId: string,
  inquiryId: string,
  reason?: string,
): Promise<void> {
  const { database } = inquiries;
  const { resolution } = await readState(database, inquiryId, { sourceId });
  if (resolution !== null) return;
  const row = await readAsSource(database, inquiryId, sourceId);
  const resolved = await database.steps(() => resolve(row, withdrawnBy(row, reason), { hub: inquiries }));
  announceWithdrawn(inquiries, [resolved]);
}

/** How an inquiry ends that its source takes back. */
export function withdrawnBy({ source_name }: InquiryRow, message: string | undefined) {
  const by = { kind: 'source' as const, label: source_name };
  return { outcome: 'withdrawn' as const, by, ...(message === undefined ? {} : { message }) };
}

const BATCH = 100;
/** So many of what cannot be withdrawn are named in one line. */
const NAMED = 10;

/**
 * Withdraws what this source, which was revoked, has open, for nobody may hear the answer, and ends what waits with its
 * key; without one what revoked sources have open, now and then, for what a crash left over.
 */
export async function withdrawRevoked(inquiries: Closing, sourceId?: string): Promise<void> {
  // Its calls that wait read again, and are refused.
  if (sourceId !== undefined) inquiries.signals.publish(sourceId);
  const rows = await open(inquiries, inquiries.database.read)
    .where('sources.revoked_at', 'is not', null)
    .$if(sourceId !== undefined, (query) => query.where('sources.id', '=', sourceId!))
    .execute();
  leave(await withdrawEach(inquiries, idsOf(rows), 'its source was revoked'));
}

/** Withdraws what nobody but this person is asked: they are about to be removed. */
export function withdrawAskedOf(inquiries: Closing): WithdrawAskedOf {
  return {
    async find(trx, personId, left) {
      const found = await open(inquiries, trx)
        .innerJoin('recipients', 'recipients.inquiry_id', 'inquiries.id')
        .where('recipients.person_id', '=', personId)
        .where('recipients.open', '=', 1)
        .where(
          sql<boolean>`not exists (select 1 from recipients as others where others.inquiry_id = inquiries.id
            and others.person_id <> ${personId})`,
        )
        .where(sql<boolean>`inquiries.id not in (select key from json_each(${keys(left)}))`)
        .limit(BATCH)
        .execute();
      return idsOf(found);
    },
    withdraw: async (ids) => idsOf(leave(await withdrawEach(inquiries, ids, 'the only person it asked was removed'))),
  };
}

function open({ database }: Store, reader: Reader) {
  return findInquiries(reader)
    .select('inquiries.id')
    .where('inquiries.resolution', 'is', null)
    .where('inquiries.deadline_at', '>', instant(database.clock));
}

/** Each by itself: one that cannot be read holds up no other. */
function withdrawEach(
  inquiries: Closing,
  ids: string[],
  reason: string,
  due?: ResolveOptions['due'],
): Promise<Failed[]> {
  return eachByItself(ids, async (id) => {
    const resolved = await inquiries.database.steps(function* () {
      const row = yield* readIn(inquiryById(id));
      return yield* resolve(row, withdrawnBy(row, reason), { hub: inquiries, ...(due ? { due } : {}) });
    });
    announceWithdrawn(inquiries, [resolved]);
  });
}

/** Warns of what stays open because it could not be read; throws where the database was away. */
function leave(failed: Failed[]): Failed[] {
  const away = failed.find(({ error }) => isAway(error));
  if (away) throw away.error;
  const some = idsOf(failed.slice(0, NAMED)).join(', ');
  if (some !== '')
    process.emitWarning(`${failed.length} cannot be withdrawn and stay open (${some}): run "beckon check".`);
  return failed;
}

function announceWithdrawn(inquiries: Closing, some: (Resolved | undefined)[]): void {
  for (const resolved of some) {
    if (!resolved) continue;
    announceResolved(inquiries, resolved);
    inquiries.count('withdrawn');
  }
}

/**
 * After a restore from a backup: withdraws what was open, because its askers have gone on since, and
 * gives up webhooks that were due, because they may have been sent. What settles by itself ends: its stop may have come since.
 * Returns how many were withdrawn.
 */
export async function restore(inquiries: Inquiries): Promise<number> {
  const { database } = inquiries;
  const now = Math.round(database.clock.now());
  await giveUpOlder(database, now);
  await inquiries.settling.endAll();
  const open = await database.read.selectFrom('inquiries').select('id').where('resolution', 'is', null).execute();
  const reason = 'the hub was restored from a backup';
  return open.length - leave(await withdrawEach(inquiries, idsOf(open), reason, 'any time')).length;
}
