import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { pino } from 'pino';
import { newId } from '#shared/ids.ts';
import type { Database } from '../../platform/database.ts';
import { commitWith } from '../../platform/steps.ts';
import { createOutbound } from '../../platform/outbound/post.ts';
import { createDispatcher } from '../dispatch.ts';
import { enqueueWebhook, type NewWebhook } from '../enqueue.ts';

export const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;

export type Heard = { path: string; headers: IncomingHttpHeaders; body: string };
export type Endpoint = { url: string; heard: Heard[]; close(): Promise<void> };

/** A webhook endpoint on loopback that remembers what it was sent; `reply` answers the nth request. */
export async function endpoint(
  reply: (response: ServerResponse, nth: number) => void = (response) => response.end(),
): Promise<Endpoint> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      heard.push({ path: request.url ?? '', headers: request.headers, body });
      reply(response, heard.length);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    heard,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A clock that the test moves; it starts now, because receivers check the timestamp of a signature. */
export function movableClock(at = Date.now()) {
  return {
    now: () => at,
    forward: (ms: number) => {
      at += ms;
    },
  };
}

/** Tests on a database, each with a clock of its own. */
export function testsOn(open: () => Database) {
  return (title: string, work: (database: Database, clock: ReturnType<typeof movableClock>) => Promise<void>): void =>
    void test(title, () => work(open(), movableClock(open().clock.now())));
}

/** Dispatches by a movable clock without jitter; loopback is allowed. */
export function dispatcherFor(database: Database, more: Partial<Parameters<typeof createDispatcher>[0]>) {
  const outbound = createOutbound({ permit: () => true });
  const dispatcher = createDispatcher({
    database,
    log: pino({ level: 'silent' }),
    post: outbound.post,
    chance: () => 0,
    ...more,
  });
  return {
    ...dispatcher,
    async stop(deadlineMs?: number) {
      await dispatcher.stop(deadlineMs);
      await outbound.close();
    },
  };
}

/** Sends what is due, and no more. */
export async function sendDue(...given: Parameters<typeof dispatcherFor>): Promise<void> {
  const dispatcher = dispatcherFor(...given);
  await dispatcher.runDue();
  await dispatcher.stop();
}

/** Reads of this database, of which each is told to others only after something else was done. */
export function readingSlowly({ read }: Database, meanwhile: () => Promise<void>) {
  return read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => (await meanwhile(), result),
  });
}

/** One person with a source of theirs and one inquiry. */
export async function addSource(database: Database, webhookUrl: string | null, now = Date.now()) {
  const [personId, sourceId] = [newId('per', now), newId('src', now)];
  await database.transaction(async (trx) => {
    await trx
      .insertInto('people')
      .values({ id: personId, handle: personId.slice(-12), name: 'Ada', created_at: now })
      .execute();
    const source = {
      id: sourceId,
      owner_id: personId,
      name: 'CI',
      key_hash: sourceId,
      may_ask: '[]',
      webhook_url: webhookUrl,
      webhook_secret: SECRET,
      created_at: now,
    };
    await trx.insertInto('sources').values(source).execute();
  });
  return { personId, sourceId, inquiryId: await addInquiry(database, { personId, sourceId }, now) };
}

export async function addInquiry(
  database: Database,
  { personId, sourceId }: { personId: string; sourceId: string },
  now = Date.now(),
): Promise<string> {
  const id = newId('inq', now);
  const row = {
    id,
    source_id: sourceId,
    digest: 'd',
    asked: '{}',
    transport: '{}',
    asked_of: '[]',
    opened_at: now,
    deadline_at: now + 60_000,
    latest_at: now + 60_000,
  };
  await database.transaction(async (trx) => {
    await trx.insertInto('inquiries').values(row).execute();
    await trx.insertInto('recipients').values({ person_id: personId, inquiry_id: id }).execute();
  });
  return id;
}

export async function addDevice(
  database: Database,
  personId: string,
  more: { live_until?: number; revoked_at?: number; expires_at?: number; name?: string },
  now: number,
) {
  const id = newId('dev', now);
  const row = {
    id,
    person_id: personId,
    name: 'Phone',
    token_hash: id,
    user_agent: '',
    address: '',
    created_at: now,
    seen_at: now,
    expires_at: now + 86_400_000,
  };
  await database.transaction((trx) =>
    trx
      .insertInto('devices')
      .values({ ...row, ...more })
      .execute(),
  );
  return id;
}

export function enqueueNow(
  database: Database,
  webhook: Pick<NewWebhook, 'sourceId' | 'inquiryId' | 'at'> & Partial<NewWebhook>,
): Promise<number> {
  return database.steps(function* () {
    const data = () => ({ id: webhook.inquiryId });
    const inserts = yield* enqueueWebhook({
      type: 'inquiry.resolved',
      state: 'answered',
      subscribed: false,
      data,
      ...webhook,
    });
    yield* commitWith({ inserts });
    return inserts.length;
  });
}
