import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { createWaiters } from '../../inquiries/waiters.ts';
import { pino } from 'pino';
import { callerIn } from '../../devices/find.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import type { Inquiries } from '../../inquiries/inquiries.ts';
import { listForSource } from '../../inquiries/read.ts';
import { askRoutes } from '../../inquiries/routes/sources.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { createHttp } from '../../platform/http/http.ts';
import { createHeldCalls } from '../../platform/held-calls.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { composeBy } from '../open.ts';
import type { Dialect } from '../dialect.ts';
import { dialectRoutes } from '../routes.ts';
import { TRIALS } from './trial.ts';
import { sweep } from '../../inquiries/expire.ts';

export type Reply = { status: number; body: unknown; text: string; headers: Headers };
/** A call under way: its headers, and its body once that is there. */
export type Call = { headers: Headers; status: number; body: Promise<unknown>; leave(): void };

export const call = (id: string, args: unknown = { n: 1 }) => ({ id, name: 'send_mail', args });
/** A body that asks so many calls. */
export const many = (count: number) => ({ calls: Array.from({ length: count }, (_, at) => call(`c${at}`)) });
export const ONE = many(1);
/** The reply once all of them were approved. */
export const ran = (count: number) => ({ runs: many(count).calls.map(({ id }) => [id, 'runs']) });
export const times = <T extends 'approve' | 'reject'>(count: number, type = 'approve' as T): T[] =>
  Array<T>(count).fill(type);

export type OpenPlace = (t: TestContext) => Promise<Place>;

/** `test` on a scene of its own. */
export function testsOn(openOn: OpenPlace) {
  return (title: string, work: (s: Scene) => Promise<void>): void =>
    void test(title, async (t) => work(await openScene(t, await openOn(t))));
}

/** A node of the hub with its HTTP border, on a place. */
export async function openNode(t: TestContext, p: Place, apart = false, dialects: Dialect[] = TRIALS) {
  const log = pino({ level: 'silent' });
  // A node apart shares the database and hears no signal.
  const inquiries: Inquiries = apart ? { ...p.inquiries, waiters: createWaiters(localSignals()) } : p.inquiries;
  inquiries.composeReply = composeBy(dialects, log);
  const http = await createHttp({
    log,
    findCaller: callerIn(p.database),
    origins: () => ['http://127.0.0.1'],
    trustProxy: 0,
    rateLimit: 100_000,
  });
  const held = createHeldCalls({ burstMs: 0, now: () => performance.now() });
  const notices = { database: p.database, announce: { toPerson() {} }, wakePushes() {} };
  askRoutes(http, inquiries);
  const hub = { inquiries, notices, dialects, held, log };
  await dialectRoutes(http, hub);
  await http.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => {
    inquiries.waiters.stop();
    return http.close();
  });
  const { port } = http.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, inquiries, hub, asks: http.asks, close: () => http.close() };
}

/** A source with its key, on a place with one node. */
export async function openScene(t: TestContext, p: Place, dialects?: Dialect[]) {
  const { ownerId } = (await p.database.read
    .selectFrom('sources')
    .select('owner_id as ownerId')
    .executeTakeFirstOrThrow())!;
  const { source, key } = await createSourceForEverybody(p.database, ownerId, 'Agent');
  const node = await openNode(t, p, false, dialects);
  const headersOf = (more: Record<string, string>) => ({ authorization: `Bearer ${key}`, ...more });

  /** Calls, and reads the reply to its end. */
  async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Reply> {
    const reply = await fetch((more['node'] ?? node.url) + path, {
      method,
      headers: headersOf({ 'content-type': 'application/json', ...more }),
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text), text, headers: reply.headers };
  }

  /** Asks and returns once the headers are there. */
  async function begin(path: string, body: unknown, more: Record<string, string> = {}): Promise<Call> {
    const left = new AbortController();
    const reply = await fetch((more['node'] ?? node.url) + path, {
      method: 'POST',
      headers: headersOf(more),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal: left.signal,
    });
    const read = reply.json();
    read.catch(() => undefined);
    return { headers: reply.headers, status: reply.status, body: read, leave: () => left.abort() };
  }

  /** What the source has open, oldest first, once it is so many. */
  async function open(count: number): Promise<Inquiry[]> {
    for (;;) {
      const { items } = await listForSource(p.database.read, source.id, { state: 'open', limit: 99 });
      if (items.length === count) return items.toReversed();
      await pause(5);
    }
  }

  /** Asks one inquiry. */
  async function ask(...asked: Parameters<typeof begin>): Promise<{ asked: Call; inquiry: Inquiry }> {
    const begun = await begin(...asked);
    return { asked: begun, inquiry: (await open(1))[0]! };
  }

  /** Until so many calls wait for an inquiry on this node. */
  async function waiting({ id }: Pick<Inquiry, 'id'>, count: 0 | 1): Promise<void> {
    while (p.inquiries.waiters.count(id) !== count) await pause(5);
  }

  async function pass(ms: number): Promise<void> {
    p.pass(ms);
    await sweep(p.inquiries);
  }

  const answer = ({ id, digest }: Inquiry, body: AnswerBody) =>
    answerInquiry(p.inquiries, p.phone, id, { digest, ...body });
  const decide = (inquiry: Inquiry, ...types: ('approve' | 'reject')[]) =>
    answer(inquiry, { decisions: types.map((type) => ({ type })) });
  const outcomes = async () =>
    (await listForSource(p.database.read, source.id, { limit: 99 })).items
      .toReversed()
      .map(({ resolution }) => resolution?.outcome);

  return { t, p, node, source, key, call, begin, ask, open, waiting, pass, answer, decide, outcomes };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
