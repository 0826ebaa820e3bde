import { createECDH } from 'node:crypto';
import { putSubscription } from '../devices/subscription/store.ts';
import type { TestDevice } from '../live/testing/hub.ts';
import type { Database } from '../platform/database.ts';
import { createSourceForEverybody } from '../sources/create.ts';
import type { Call } from './callers.ts';
import type { SimHub } from './hub.ts';
import { MANNERS, type Manner } from './outside.ts';

/** A delivery may wait for the lease of a node that died, and for a standstill. */
const PROMPT_MS = 60_000;
const DEAD_MS = 60_000;
/** What a wall clock may be wrong by before it counts as stepped. */
const TOLERATED_MS = 2_500;
/** 2 s for a client that closed, and what sweeps, standstills and slow transactions add. */
const LET_GO_MS = 12_000;
const FRESH_MS = 60_000;

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

/** Which promises to sources, callers and sleeping devices are broken; none is what must hold. */
export async function brokenOutside(hub: SimHub, calls: Call[]): Promise<string[]> {
  return [
    ...(await brokenWebhooks(hub)),
    ...(await brokenPushes(hub)),
    ...brokenDeadlines(hub),
    ...(await brokenCalls(hub, calls)),
  ];
}

async function brokenWebhooks(hub: SimHub): Promise<string[]> {
  const broken: string[] = [];
  const rows = await sentBy(hub);
  const told = new Set(rows.filter(({ type }) => type === 'inquiry.resolved').map(({ inquiry_id }) => inquiry_id));
  const owed = await hub.database.read
    .selectFrom('inquiries')
    .innerJoin('sources', 'sources.id', 'source_id')
    .select(['inquiries.id', 'sources.name'])
    .where('resolution', 'is not', null)
    .where('webhook_url', 'is not', null)
    .execute();
  for (const { id, name } of owed) if (!told.has(id)) broken.push(`DLV1: a resolution is not owed to ${name}`);
  for (const { id, inquiry_id, name, type, state, attempt_count } of rows) {
    // Behind what hangs everything of the same source waits.
    if (attempt_count === 0 && name !== 'hanging') broken.push(`DLV1: a webhook of ${name} was never tried`);
    if (name === 'gone' && attempt_count > 0 && state !== 'gone') broken.push(`DLV1: gone is ${state}`);
    if (name !== 'healthy') continue;
    if (state !== 'delivered') broken.push(`DLV1: a webhook of ${name} is ${state}`);
    const { resolvedAt } = hub.lives.get(inquiry_id) ?? {};
    const toldAt = hub.outside.told.get(id);
    if (type !== 'inquiry.resolved' || resolvedAt === undefined || toldAt === undefined) continue;
    const waited = toldAt - resolvedAt;
    if (waited > PROMPT_MS) broken.push(`DLV1: ${name} waited ${waited} ms for its webhook`);
  }
  return broken;
}

async function brokenPushes(hub: SimHub): Promise<string[]> {
  const late = hub.database.clock.now() - PROMPT_MS;
  const rows = await hub.database.read
    .selectFrom('pushes')
    .innerJoin('devices', 'devices.id', 'pushes.device_id')
    .innerJoin('subscriptions', 'subscriptions.device_id', 'devices.id')
    .innerJoin('inquiries', 'inquiries.id', 'pushes.subject_id')
    .select(['devices.name', 'wanted', 'sent', 'due_at', 'outcome'])
    .execute();
  return rows.flatMap(({ name, wanted, sent, due_at, outcome }) => {
    if (due_at !== null && due_at < late) return [`WDR1: a push to ${name} was due and nobody sent it`];
    const stays = name === 'Phone' && outcome !== null && sent === 'ask' && wanted === 'ask';
    return stays ? [`WDR1: ${name} still shows what was ${outcome}`] : [];
  });
}

function brokenDeadlines({ lives }: SimHub): string[] {
  return [...lives.values()].flatMap(({ dueAt, resolvedAt, outcome }) =>
    outcome === 'expired' && resolvedAt! < dueAt - TOLERATED_MS
      ? [`RES4: an inquiry expired ${dueAt - resolvedAt!} ms before its deadline`]
      : [],
  );
}

async function brokenCalls(hub: SimHub, calls: Call[]): Promise<string[]> {
  const broken: string[] = [];
  const rows = await hub.database.read.selectFrom('inquiries').select(['id', 'asked', 'outcome']).execute();
  for (const { prompt, leftAt, beganAt } of calls) {
    const row = rows.find(({ asked }) => (JSON.parse(asked) as { prompt?: string }).prompt === prompt);
    const killed = hub.killedAt.some((at) => at >= beganAt && at < (leftAt ?? 0) + LET_GO_MS);
    if (row === undefined || leftAt === undefined || killed) continue;
    const stayed = (hub.lives.get(row.id)?.resolvedAt ?? Infinity) - leftAt;
    if (stayed > LET_GO_MS) broken.push(`what a gone caller asked stayed open for ${stayed} ms`);
  }
  const used = Map.groupBy(
    calls.filter(({ handed }) => handed?.approved),
    ({ handed }) => handed!.inquiryId,
  );
  for (const [inquiryId, sharing] of used) {
    const first = Math.min(...sharing.map(({ handed }) => handed!.at));
    const lost = hub.killedAt.some((at) => at >= first && at < first + DEAD_MS);
    const resolvedAt = hub.lives.get(inquiryId)?.resolvedAt ?? Infinity;
    for (const { beganAt } of sharing) {
      if (beganAt > first && !lost) broken.push('ASK5: an approval was handed over twice');
      if (beganAt > resolvedAt + FRESH_MS + TOLERATED_MS) broken.push('ASK5: an old approval was handed over');
    }
  }
  return broken;
}
