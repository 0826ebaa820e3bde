import { createECDH } from 'node:crypto';
import { putSubscription } from '../devices/subscription/store.ts';
import type { TestDevice } from '../live/testing/hub.ts';
import type { Database } from '../platform/database.ts';
import { createSourceForEverybody } from '../sources/create.ts';
import type { SimHub } from './hub.ts';
import { MANNERS, type Manner } from './outside.ts';
import type { Must } from './page.ts';
import type { Call } from './storm.ts';

/** A delivery may wait for the lease of a node that died, and for a standstill. */
const PROMPT_MS = 60_000;
/** What a wall clock may be wrong by before it counts as stepped. */
export const TOLERATED_MS = 2_500;
/** 2 s for a client that closed, and what sweeps, standstills and slow transactions add. */
const LET_GO_MS = 12_000;
/** What a standstill, a node that died and a step of the clock within what is tolerated add. */
const ESCALATES_WITHIN_MS = 15_000;

/** A source for each manner of endpoint, one with an address that no request can be made of, and one that only blocks. */
export async function openSources(hub: SimHub, { sourceId, sourceKey }: { sourceId: string; sourceKey: string }) {
  const { id: ownerId } = await hub.database.read.selectFrom('people').select('id').executeTakeFirstOrThrow();
  const ids = [sourceId];
  for (const manner of [...MANNERS, 'poison'] as const) {
    const { source } = await createSourceForEverybody(hub.database, ownerId, manner);
    const webhook_url = manner === 'poison' ? 'http://user:pw@healthy.example/' : `http://${manner}.example/hook`;
    await hub.database.transaction((trx) =>
      trx.updateTable('sources').set({ webhook_url }).where('id', '=', source.id).execute(),
    );
    ids.push(source.id);
  }
  return { ids, key: sourceKey };
}

const PUSHED: Record<string, Manner> = { Phone: 'healthy', Laptop: 'cutting', Tablet: 'hanging', Watch: 'gone' };

/** Gives a device a push service of some manner; the desktop has none. */
export async function subscribe(database: Database, { id, name }: TestDevice & { name: string }): Promise<void> {
  const manner = PUSHED[name];
  if (manner === undefined) return;
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys('base64url'), auth: Buffer.alloc(16, 1).toString('base64url') };
  const endpoint = `https://${manner}.example/${name}`;
  await putSubscription(database, id, { endpoint, keys, vapidPublicKey: '' });
}

const sentBy = (hub: SimHub) =>
  hub.database.read
    .selectFrom('deliveries')
    .innerJoin('sources', 'sources.id', 'deliveries.source_id')
    .select(['deliveries.id', 'inquiry_id', 'name', 'type', 'state', 'attempt_count', 'due_at'])
    .orderBy('deliveries.id')
    .execute();

/**
 * Every webhook as it stands at the end, for the trace. Pushes are left out: of several that are due at one moment, their
 * random ids pick the first.
 */
export async function whatWasSent(hub: SimHub): Promise<string[]> {
  return (await sentBy(hub)).map(({ name, state }) => `${name} ${state}`).toSorted();
}

export async function checkWebhooks(hub: SimHub, must: Must): Promise<void> {
  const rows = await sentBy(hub);
  const told = new Set(rows.filter(({ type }) => type === 'inquiry.resolved').map(({ inquiry_id }) => inquiry_id));
  const owed = await hub.database.read
    .selectFrom('inquiries')
    .innerJoin('sources', 'sources.id', 'source_id')
    .select(['inquiries.id', 'sources.name'])
    .where('resolution', 'is not', null)
    .where('webhook_url', 'is not', null)
    .execute();
  for (const { id, name } of owed) must(told.has(id), `DLV1: a resolution is not owed to ${name}`);
  for (const { id, inquiry_id, name, type, state, attempt_count } of rows) {
    // Behind what hangs everything of the same source waits.
    must(attempt_count > 0 || name === 'hanging', `DLV1: a webhook of ${name} was never tried`);
    must(name !== 'gone' || attempt_count === 0 || state === 'gone', `DLV1: gone is ${state}`);
    if (name !== 'healthy') continue;
    must(state === 'delivered', `DLV1: a webhook of ${name} is ${state}`);
    const { resolvedAt = Infinity } = hub.lives.get(inquiry_id) ?? {};
    const waited = type === 'inquiry.resolved' ? (hub.outside.told.get(id) ?? 0) - resolvedAt : 0;
    must(waited <= PROMPT_MS || hub.faults.isUnlimited, `DLV1: ${name} waited ${waited} ms for its webhook`);
  }
}

export async function checkPushes(hub: SimHub, must: Must): Promise<void> {
  const late = hub.database.clock.now() - PROMPT_MS;
  const rows = await hub.database.read
    .selectFrom('pushes')
    .innerJoin('devices', 'devices.id', 'pushes.device_id')
    .innerJoin('subscriptions', 'subscriptions.device_id', 'devices.id')
    .innerJoin('inquiries', 'inquiries.id', 'pushes.subject_id')
    .select(['devices.name', 'wanted', 'sent', 'pushes.due_at', 'outcome'])
    .execute();
  for (const { name, wanted, sent, due_at, outcome } of rows) {
    must(due_at === null || due_at >= late, `WDR1: a push to ${name} was due and nobody sent it`);
    const stays = name === 'Phone' && outcome !== null && sent === 'ask' && wanted === 'ask';
    must(!stays, `WDR1: ${name} still shows what was ${outcome}`);
  }
}

export async function checkEscalations(hub: SimHub, must: Must): Promise<void> {
  const rows = await hub.database.read
    .selectFrom('recipients')
    .innerJoin('inquiries', 'inquiries.id', 'inquiry_id')
    .select(['inquiry_id as id', 'outcome', 'open', 'escalated'])
    .execute();
  for (const { id, outcome, open, escalated } of rows) {
    must((open === 1) === (outcome === null), 'APR5: what was resolved was asked of somebody', id);
    must((JSON.parse(escalated ?? '[]') as object[]).length <= 1, 'APR5: one step asked twice', id);
  }
  for (const [id, { escalates, escalatedAt, resolvedAt }] of hub.lives) {
    if (!escalates) continue;
    const early = escalates.from - (escalatedAt ?? Infinity);
    must(early <= TOLERATED_MS + hub.faults.skewMs, `APR5: it was asked of others ${early} ms early`, id);
    // Of a resolution that was committed as its node died nobody is told when it was.
    const over = rows.some((row) => row.id === id && (row.escalated !== null || (row.outcome && !resolvedAt)));
    const openFor = (resolvedAt ?? hub.schedule.now) - escalates.until;
    must(over || hub.faults.isUnlimited || openFor <= ESCALATES_WITHIN_MS, 'APR5: nobody else was asked', id);
  }
}

export async function checkCalls(
  { database, faults, killedAt, lives }: SimHub,
  calls: Call[],
  must: Must,
): Promise<void> {
  const rows = await database.read.selectFrom('inquiries').select(['id', 'asked']).execute();
  const wasKilled = (from: number, to: number) => killedAt.some((at) => at >= from && at < to);
  for (const { prompt, leftAt, beganAt } of calls) {
    const row = rows.find(({ asked }) => (JSON.parse(asked) as { prompt?: string }).prompt === prompt);
    if (row === undefined || leftAt === undefined || wasKilled(beganAt, leftAt + LET_GO_MS)) continue;
    const stayed = (lives.get(row.id)?.resolvedAt ?? Infinity) - leftAt;
    must(faults.isUnlimited || stayed <= LET_GO_MS, `RES6: what a gone caller asked stayed open for ${stayed} ms`);
  }
}
