import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { instant } from '../platform/clock.ts';
import type { WithdrawAskedOf } from '../people/remove.ts';
import type { Transaction } from '../platform/database.ts';
import type { Inquiries } from './inquiries.ts';
import { announceResolved, resolve, type Resolved } from './resolve.ts';
import {
  readAsSource,
  readReach,
  resolutionOf,
  selectInquiries,
  sourceView,
  type InquiryRow,
  type Reader,
} from './store.ts';

/** A client that closed may come back: so long its inquiry waits for it. */
const GRACE_MS = { withoutKey: 2_000, withKey: 60_000 };

/**
 * Takes an inquiry back for its source. Twice is the same as once; throws 409 with the resolution
 * when somebody answered first or the deadline passed, 404 when it is not this source's.
 */
export async function withdrawInquiry(
  inquiries: Inquiries,
  sourceId: string,
  inquiryId: string,
  reason?: string,
): Promise<Inquiry> {
  const { database } = inquiries;
  const resolved = await database.transaction(async (trx) => {
    const row = await readAsSource(trx, inquiryId, sourceId);
    const outcome = {
      outcome: 'withdrawn' as const,
      by: { kind: 'source' as const, label: row.source_name },
      ...(reason === undefined ? {} : { message: reason }),
    };
    return resolve(trx, row, outcome, { clock: database.clock, due: 'before deadline' });
  });
  announceWithdrawn(inquiries, [resolved]);
  const row = await readAsSource(database.read, inquiryId, sourceId);
  if (row.outcome !== 'withdrawn') {
    throw new AppError(
      409,
      'inquiry.already_resolved',
      'It cannot be taken back: it is resolved already, or its deadline has passed.',
      { extra: { resolution: resolutionOf(row) } },
    );
  }
  return sourceView(row, { reach: (await readReach(database.read, [inquiryId]))(inquiryId) });
}

const BATCH = 100;

/**
 * Withdraws what revoked sources have open, for nobody may hear the answer, and ends what waits with the key of
 * `sourceId`. Called after each revoke, and now and then for what a crash left over.
 */
export async function withdrawRevoked(inquiries: Inquiries, sourceId?: string): Promise<void> {
  const { database } = inquiries;
  // Its calls that wait read again, and are refused.
  if (sourceId !== undefined) inquiries.signals.publish(sourceId);
  for (let found = BATCH; found === BATCH;) {
    const rows = await open(inquiries, database.read).where('sources.revoked_at', 'is not', null).execute();
    for (const row of rows)
      announceWithdrawn(inquiries, [
        await database.transaction((trx) => withdrawn(inquiries, trx, row, 'its source was revoked')),
      ]);
    found = rows.length;
  }
}

/** Withdraws what nobody but this person is asked: they are about to be removed. */
export function withdrawAskedOf(inquiries: Inquiries): WithdrawAskedOf {
  return async (trx, personId) => {
    const rows = await open(inquiries, trx)
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
    const resolved: (Resolved | undefined)[] = [];
    for (const row of rows) resolved.push(await withdrawn(inquiries, trx, row, 'the only person it asked was removed'));
    return { more: rows.length === BATCH, announce: () => announceWithdrawn(inquiries, resolved) };
  };
}

function open({ database }: Inquiries, reader: Reader) {
  return selectInquiries(reader)
    .where('inquiries.resolution', 'is', null)
    .where('inquiries.deadline_at', '>', instant(database.clock))
    .limit(BATCH);
}

function withdrawn(
  { database }: Inquiries,
  trx: Transaction,
  row: InquiryRow,
  message: string,
): Promise<Resolved | undefined> {
  const by = { kind: 'source' as const, label: row.source_name };
  return resolve(trx, row, { outcome: 'withdrawn', message, by }, { clock: database.clock, due: 'before deadline' });
}

function announceWithdrawn(inquiries: Inquiries, some: (Resolved | undefined)[]): void {
  for (const resolved of some) {
    if (!resolved) continue;
    announceResolved(inquiries, resolved);
    inquiries.count('withdrawn');
  }
}

/**
 * Notes that a blocking call's client closed: unless it, or the same call, comes back within `graceMs`
 * (by default 2 s, 60 s with a key), the sweep of any node withdraws the inquiry as "its asker is gone".
 */
export async function releaseLease(inquiries: Inquiries, inquiryId: string, graceMs?: number): Promise<void> {
  if (inquiries.waiters.stopping() || inquiries.waiters.count(inquiryId) > 0) return;
  const { database } = inquiries;
  const now = database.clock.now();
  await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set(({ eb }) => ({
        lease_until: eb
          .case()
          .when('key', 'is', null)
          .then(now + (graceMs ?? GRACE_MS.withoutKey))
          .else(now + (graceMs ?? GRACE_MS.withKey))
          .end(),
      }))
      .where('id', '=', inquiryId)
      .where('resolution', 'is', null)
      .execute(),
  );
}

/** Ends the lease of a call whose client now knows the inquiry's id: from here on it waits for its deadline alone. */
export async function endLease({ database, waiters }: Inquiries, inquiryId: string): Promise<void> {
  if (waiters.count(inquiryId) > 0) return;
  await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set({ lease_until: null })
      .where('id', '=', inquiryId)
      .where('resolution', 'is', null)
      .execute(),
  );
}
