import type { Inquiry } from '#shared/inquiry.ts';
import { instant } from '../platform/clock.ts';
import type { WithdrawAskedOf } from '../people/remove.ts';
import { within } from '../platform/steps.ts';
import { readInTurn } from '../platform/turns.ts';
import { reachOf, toReach } from '../deliveries/inquiry-devices.ts';
import { idsOf } from './asked.ts';
import type { Closing, Inquiries, Store } from './inquiries.ts';
import { giveUpOlder } from '../deliveries/settle.ts';
import { announceResolved, resolve, type Resolved } from './resolve.ts';
import { readState } from './state.ts';
import {
  alreadyResolved,
  askedBySource,
  inquiryById,
  readAsSource,
  readIn,
  readInquiries,
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

/**
 * Withdraws what revoked sources have open, for nobody may hear the answer, and ends what waits with the key of
 * `sourceId`. Called after each revoke, and now and then for what a crash left over.
 */
export async function withdrawRevoked(inquiries: Closing, sourceId?: string): Promise<void> {
  const { database } = inquiries;
  // Its calls that wait read again, and are refused.
  if (sourceId !== undefined) inquiries.signals.publish(sourceId);
  for (let found = BATCH; found === BATCH;) {
    const some = await open(inquiries, database.read).where('sources.revoked_at', 'is not', null).execute();
    for (const { id, source_id } of some) await withdrawIfOpen(inquiries, source_id, id, 'its source was revoked');
    found = some.length;
  }
}

/** Withdraws what nobody but this person is asked: they are about to be removed. */
export function withdrawAskedOf(inquiries: Closing): WithdrawAskedOf {
  return async (trx, personId) => {
    const found = await open(inquiries, trx)
      .innerJoin('recipients', 'recipients.inquiry_id', 'inquiries.id')
      .where('recipients.person_id', '=', personId)
      .where('recipients.open', '=', 1)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('recipients as others')
              .select('others.person_id')
              .whereRef('others.inquiry_id', '=', 'inquiries.id')
              .where('others.person_id', '<>', personId),
          ),
        ),
      )
      .execute();
    const rows = await readInquiries(trx, idsOf(found));
    const resolved: (Resolved | undefined)[] = [];
    for (const row of rows) {
      const withdrawn = withdrawnBy(row, 'the only person it asked was removed');
      resolved.push(await within(trx, resolve(row, withdrawn, { hub: inquiries })));
    }
    return { more: rows.length === BATCH, announce: () => announceWithdrawn(inquiries, resolved) };
  };
}

function open({ database }: Store, reader: Reader) {
  return findInquiries(reader)
    .select(['inquiries.id', 'inquiries.source_id'])
    .where('inquiries.resolution', 'is', null)
    .where('inquiries.deadline_at', '>', instant(database.clock))
    .limit(BATCH);
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
  for (const { id } of open) {
    const resolved = await database.steps(function* () {
      const row = yield* readIn(inquiryById(id));
      const withdrawn = withdrawnBy(row, 'the hub was restored from a backup');
      return yield* resolve(row, withdrawn, { hub: inquiries, due: 'any time' });
    });
    if (resolved) announceResolved(inquiries, resolved);
  }
  return open.length;
}
