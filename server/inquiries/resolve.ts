import type { Resolution } from '#shared/answer.ts';
import { textOf } from '#shared/text.ts';
import { instant, iso, type Clock } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { enqueueWebhook, type DeliveryType } from '../deliveries/enqueue.ts';
import { wantWithdrawn } from '../deliveries/push/want.ts';
import type { Inquiries, PersonVersion } from './inquiries.ts';
import { askedOf, raiseVersions, readReach, sourceView, wordingOf, type InquiryRow } from './store.ts';

export type Resolved = {
  inquiryId: string;
  resolution: Resolution;
  versions: PersonVersion[];
  /** Devices to which a withdraw is to be pushed. */
  pushes: number;
  /** Webhooks that are due now. */
  webhooks: number;
};

export type ResolveOptions = {
  clock: Clock;
  /** The instant that is stored; what is due is judged by the clock. */
  now?: number | undefined;
  due: 'before deadline' | 'after deadline' | 'lease over' | 'any time';
  /** So long before this moment it still has to be before the deadline. */
  waitedMs?: number;
  sealed?: string | null;
};

/**
 * Makes a resolution the one final state of an inquiry, with everything that follows from it in the
 * same transaction: recipients closed, counters raised, drafts gone, pushes withdrawn, webhooks enqueued (RES1). Returns
 * undefined, and changes nothing, when the inquiry is resolved already or `due` does not hold at this moment.
 */
export async function resolve(
  trx: Transaction,
  row: InquiryRow,
  outcome: Omit<Resolution, 'at' | 'text'>,
  { clock, now = clock.now(), due, waitedMs = 0, sealed = null }: ResolveOptions,
): Promise<Resolved | undefined> {
  const { language, texts } = wordingOf(row);
  const resolution: Resolution = { ...outcome, at: iso(now), text: textOf(askedOf(row), outcome, language, texts) };
  let update = trx
    .updateTable('inquiries')
    .set(({ eb }) => ({
      outcome: outcome.outcome,
      resolution: JSON.stringify(resolution),
      resolved_at: now,
      sealed,
      lease_until: null,
      reach_due_at: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', row.id)
    .where('resolution', 'is', null);
  if (due === 'after deadline') update = update.where('deadline_at', '<=', instant(clock));
  else if (due !== 'any time') update = update.where('deadline_at', '>', instant(clock, -waitedMs));
  if (due === 'lease over') update = update.where('lease_until', '<=', instant(clock));
  const changed = await update.returning(['revision', 'deadline_at', 'latest_at']).executeTakeFirst();
  if (!changed) return undefined;

  const closed = await trx
    .updateTable('recipients')
    .set({ open: 0 })
    .where('inquiry_id', '=', row.id)
    .returning('person_id')
    .execute();
  await trx.deleteFrom('drafts').where('inquiry_id', '=', row.id).execute();
  const pushes = await wantWithdrawn(trx, { subjectId: row.id, now, expired: outcome.outcome === 'expired' });
  const webhooks = await notifySource(trx, { ...row, ...changed }, 'inquiry.resolved', resolution, now);
  return {
    inquiryId: row.id,
    resolution,
    pushes,
    webhooks,
    versions: await raiseVersions(
      trx,
      closed.map((recipient) => recipient.person_id),
    ),
  };
}

/** Enqueues a webhook with the inquiry's present state for its source and its own callback (DLV1); returns how many. */
export async function notifySource(
  trx: Transaction,
  row: InquiryRow,
  type: DeliveryType,
  resolution: Resolution | undefined,
  now: number,
  late?: Parameters<typeof sourceView>[1]['late'],
): Promise<number> {
  const callbackUrl = (JSON.parse(row.transport) as { callback?: { url: string } }).callback?.url;
  if (callbackUrl === undefined && row.source_webhook_url === null) return 0;
  return enqueueWebhook(trx, {
    sourceId: row.source_id,
    inquiryId: row.id,
    type,
    at: now,
    callbackUrl,
    data: async () => sourceView(row, { reach: (await readReach(trx, [row.id]))(row.id), resolution, late }),
  });
}

/** Warns the source, once, that nobody could be told (DLV2); returns how many webhooks that enqueues. */
export async function warnUnreachable(trx: Transaction, row: InquiryRow, now: number): Promise<number> {
  await trx.updateTable('inquiries').set({ reach_due_at: null }).where('id', '=', row.id).execute();
  return notifySource(trx, row, 'inquiry.unreachable', undefined, now);
}

/** Tells everybody what was committed; `screen` is the socket that answered, which keeps its own screen. */
export function announceResolved(inquiries: Inquiries, resolved: Resolved, screen?: string): void {
  const { pushes, webhooks, ...news } = resolved;
  inquiries.announce.withdraw({ ...news, spare: screen });
  inquiries.signals.publish(resolved.inquiryId);
  // Looking for nothing costs a transaction of its own.
  if (webhooks > 0) inquiries.wakeDeliveries();
  if (pushes > 0) inquiries.wakePushes();
}
