import { canonical, withoutUndefined } from '#shared/json.ts';
import { Locale, type Notice } from '#shared/wire.ts';
import type { Transaction } from '../platform/database.ts';
import { bringTo, type Notices } from './send.ts';
import { selectNotices, viewNotice } from './store.ts';

type Sent = { ownerId: string; notice: Notice };
type Written = {
  id: string;
  sourceId: string;
  key: string | null;
  title: string;
  body: string;
  link?: string | undefined;
  now: number;
};

/** The owner with their language; nobody before the hub is set up. */
export async function findOwner(trx: Transaction): Promise<{ id: string; locale: 'en' | 'zh' } | undefined> {
  const row = await trx.selectFrom('people').select(['id', 'locale']).where('owner', '=', 1).executeTakeFirst();
  return row && { id: row.id, locale: Locale.safeParse(row.locale).data ?? 'en' };
}

/** Puts a notice of the hub's own, about a source, before the owner; nothing where there is one of this key. */
export async function writeToOwner(
  trx: Transaction,
  ownerId: string,
  { id, sourceId, key, title, body, link, now }: Written,
): Promise<Sent | undefined> {
  const content = canonical(withoutUndefined({ body, link, urgency: 'normal', privacy: 'title' }));
  const row = { id, source_id: sourceId, key, title, content, created_at: now };
  const inserting = trx.insertInto('notices').values(row);
  const { numInsertedOrUpdatedRows: inserted } = await inserting
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (!inserted) return undefined;
  await bringTo(trx, id, [ownerId], now);
  const stored = await selectNotices(trx).where('notices.id', '=', id).executeTakeFirstOrThrow();
  return { ownerId, notice: viewNotice(stored) };
}

/** Tells the owner's devices of it; called after the commit. */
export function announceToOwner({ announce, wakePushes }: Notices, { ownerId, notice }: Sent): void {
  announce.toPerson(ownerId, 'notice', { notice });
  wakePushes();
}
