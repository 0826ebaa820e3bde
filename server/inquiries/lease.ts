import { iso } from '../platform/clock.ts';
import { batch, commitWith, statement } from '../platform/steps.ts';
import type { Closing, Store, Telling } from './inquiries.ts';
import { readRecipients } from './versions.ts';
import { withdrawnBy } from './withdraw.ts';
import type { InquiryRow } from './store.ts';

type Asking = Store & Pick<Telling, 'announce'>;

/** A lease outlives its wait by this: it runs out by itself only when the node that held it is gone. */
const SPARE_MS = 60_000;
/** A client that closed may come back: so long its inquiry waits for it. */
const GRACE_MS = { withoutKey: 2_000, withKey: 60_000 };
/** So often a node renews the leases of what waits on it: a call that waits as long as people take asks for so much each time. */
export const WAITING_MS = 15_000;
/**
 * A minute of it is always left, for an outage that long. Not much more is: nobody is to answer for long what a node asked
 * that is gone.
 */
export const LEASE_MS = WAITING_MS + SPARE_MS;
/** What ends within this is renewed by the sweep as well, before it lets go of what ended. */
export const SOON_MS = 2_000;

/** The end of the lease of a call that asks; null where it does not wait, or can be found by its key. */
export function leaseEnd(
  { waitMs, ask, leased }: { waitMs: number; ask: { key?: string | undefined }; leased?: boolean },
  now: number,
): number | null {
  return waitMs > 0 && (ask.key === undefined || leased) ? now + waitMs + SPARE_MS : null;
}

/** The same call came again: it takes the lease, for its own time; with `?3` of all that this ask has open. */
export const takeLease = statement(
  'update inquiries set lease_until = ?2, asker_gone_at = null where (id = ?1 or ask_id = ?3) and resolution is null',
);

/** Keeps an open inquiry for so long whether or not anybody waits: its client is about to come back. */
export function renewLease(inquiries: Asking, inquiryId: string, ms: number): Promise<void> {
  return setLease(inquiries, inquiryId, { withoutKey: ms, withKey: ms });
}

/**
 * The client of a call that waits is gone: unless it, or the same call, comes back within `graceMs` (by default 2 s, 60 s
 * with a key), the sweep of any node withdraws the inquiry as "its asker is gone". Its people are told at once. A stopping
 * hub releases nothing.
 */
export async function releaseLease(inquiries: Closing, inquiryId: string, graceMs?: number): Promise<void> {
  const { waiters } = inquiries;
  if (waiters.stopping()) return;
  if (waiters.count(inquiryId) > 0) return renewLease(inquiries, inquiryId, LEASE_MS);
  const grace = graceMs === undefined ? GRACE_MS : { withoutKey: graceMs, withKey: graceMs };
  await setLease(inquiries, inquiryId, grace, true);
}

/** The client of a call now knows the inquiry's id: from here on it waits for its deadline alone. */
export function endLease(inquiries: Asking, inquiryId: string): Promise<void> {
  return setLease(inquiries, inquiryId, undefined);
}

const goneSince = statement<{ asker_gone_at: number | null }>(
  'select asker_gone_at from inquiries where id = ?1 and resolution is null',
);
const setUntil = statement(
  `update inquiries set asker_gone_at = cast(?4 as bigint),
    lease_until = case when key is null then cast(?2 as bigint) else cast(?3 as bigint) end
  where id = ?1 and resolution is null`,
);

async function setLease(
  inquiries: Asking,
  inquiryId: string,
  ms: typeof GRACE_MS | undefined,
  gone = false,
): Promise<void> {
  const { database } = inquiries;
  const changed = await database.steps(function* () {
    // Read in the transaction, so that a step of the clock comes before it or moves what it writes.
    const now = Math.round(database.clock.now());
    const {
      rows: [before],
    } = yield* batch({ rows: goneSince(inquiryId) });
    if (!before) return undefined;
    const since = gone ? (before.asker_gone_at ?? now) : null;
    yield* commitWith({
      set: setUntil(inquiryId, ms ? now + ms.withoutKey : null, ms ? now + ms.withKey : null, since),
    });
    return gone === (before.asker_gone_at === null) ? { since } : undefined;
  });
  if (changed) await tellAsker(inquiries, inquiryId, changed.since ?? undefined);
}

/** Tells those who were asked that whoever asked is gone, or back. */
export async function tellAsker(
  { database, announce }: Asking,
  inquiryId: string,
  goneAt: number | undefined,
): Promise<void> {
  const personIds = await database.steps(() => readRecipients(inquiryId));
  announce.asker({ inquiryId, personIds, ...(goneAt === undefined ? {} : { goneAt: iso(goneAt) }) });
}

const renew = statement(
  `update inquiries set lease_until = ?2, asker_gone_at = null
  where id in {keys ?1} and resolution is null and lease_until is not null`,
);

/** Renews the leases of what waits on this node and would run out within so long: the same call may have come again, here or elsewhere. */
export async function renewAwaited(inquiries: Closing, withinMs = LEASE_MS): Promise<void> {
  const { database, waiters } = inquiries;
  const now = database.clock.now();
  const ending = await database.read
    .selectFrom('inquiries')
    .select(['id', 'asker_gone_at'])
    .where('resolution', 'is', null)
    .where('lease_until', '<=', now + withinMs)
    .execute();
  const awaited = ending.filter(({ id }) => waiters.count(id) > 0);
  if (awaited.length === 0) return;
  const renewed = await database.steps(function* () {
    // Who left since it was read is gone.
    const still = awaited.filter(({ id }) => waiters.count(id) > 0);
    const ids = still.map(({ id }) => id);
    if (ids.length > 0) yield* commitWith({ renewed: renew(ids, database.clock.now() + LEASE_MS) });
    return still;
  });
  for (const { id, asker_gone_at } of renewed) if (asker_gone_at !== null) await tellAsker(inquiries, id, undefined);
}

/**
 * While no node ran nobody renewed a lease: for a minute from now the calls may come back. Who was gone before stays gone.
 */
export async function spareLeases({ database }: Store): Promise<void> {
  const until = database.clock.now() + SPARE_MS;
  await database.transaction((trx) =>
    trx
      .updateTable('inquiries')
      .set({ lease_until: until })
      .where('resolution', 'is', null)
      .where('lease_until', '<', until)
      .where('asker_gone_at', 'is', null)
      .execute(),
  );
}

/** How an inquiry ends whose lease nobody took again. */
export function asAbandoned(row: InquiryRow) {
  return withdrawnBy(row, 'its asker is gone');
}
