import { deepStrictEqual } from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { testsIn } from '../../platform/testing/tests-in.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { type Json, parseExact } from '#shared/json.ts';
import { callerIn } from '../../devices/find.ts';
import { addDevice } from '../../devices/admit.ts';
import { TIMERS } from '../../platform/clock.ts';
import { createHttp } from '../../platform/http/http.ts';
import { createLog } from '../../platform/log.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { removeSource } from '../../sources/store.ts';
import { answerInquiry } from '../answer.ts';
import { ask } from '../ask.ts';
import type { Inquiries } from '../inquiries.ts';
import { readForSource } from '../read.ts';
import { askRoutes } from '../routes/sources.ts';
import { waitForResolution } from '../hold.ts';
import { createWaiters } from '../waiters.ts';
import { withdrawRevoked } from '../withdraw.ts';
import type { Place } from './place.ts';

/** How a source hears of an inquiry while it is open. */
export function listeningContract(open: (t: TestContext) => Promise<Place>): void {
  const test = testsIn(async (t) => scene(t, await open(t)));
  test('a stream of one inquiry says that it is open, then how it was resolved, on every node, and ends', async (s) => {
    // It hears no signal, so only its own look every 15 s finds the answer.
    const waits: [ms: number, end: () => void][] = [];
    const after = (ms: number, end: () => void) => (waits.push([ms, end]), () => undefined);
    const deaf = { ...s.p.inquiries, waiters: createWaiters(localSignals(), { ...TIMERS, after }) };
    const far = await s.node(deaf);
    const id = await s.ask({ prompt: 'Ship\r\nit?\u2028', correlation: parseExact('[9007199254740993]') as Json });
    const opened = await s.get(id);
    const [near, distant] = [await s.listen(id), await s.listen(id, { node: far })];
    deepStrictEqual(
      [near.status, near.type, await near.next(), await distant.next()],
      [200, 'text/event-stream; charset=utf-8', told('opened', opened), told('opened', opened)],
    );
    // What was answered before it waits is read at once.
    while (waits.at(-1)?.[0] !== 15_000) await new Promise((turned) => setImmediate(turned));
    await s.answer(id, { text: 'Yes' });
    const rest = await near.rest();
    deepStrictEqual(rest, told('resolved', await s.get(id)));
    const [[ms, look] = [0, () => undefined]] = waits.splice(-1);
    look();
    deepStrictEqual([ms, await distant.rest()], [15_000, rest]);
  });

  test('whoever comes back to an inquiry that is resolved is told both again, or that nothing more comes', async (s) => {
    const id = await s.ask({ prompt: 'Ship?' });
    await s.answer(id, { text: 'Yes' });
    const both = told('opened', await s.get(id)) + told('resolved', await s.get(id));
    for (const lastId of ['', 'opened', 'x', '🙈'])
      deepStrictEqual(await (await s.listen(id, { lastId })).rest(), both);
    const { status, rest } = await s.listen(id, { lastId: 'resolved' });
    deepStrictEqual([status, await rest()], [204, '']);
    // Only the end of this very inquiry has nothing after it.
    const next = await s.listen(await s.ask({ prompt: 'And now?' }), { lastId: 'resolved' });
    deepStrictEqual([next.status, (await next.next()).slice(0, 11)], [200, 'id: opened\n']);
    next.leave();
  });

  test('a comment keeps the stream alive while nothing happens', async (s, t) => {
    const id = await s.ask({ prompt: 'Ship?' });
    t.mock.timers.enable({ apis: ['setInterval'] });
    const stream = await s.listen(id);
    await stream.next();
    t.mock.timers.tick(15_000);
    deepStrictEqual(await stream.next(), ':\n\n');
    stream.leave();
  });

  test('[RES5] nobody but its own source hears of an inquiry', async (s) => {
    const id = await s.ask({ prompt: 'Ship?' });
    const other = await createSourceForEverybody(s.p.database, s.p.phone.personId, 'Other');
    const { accessToken } = await addDevice(s.p.database, s.p.phone.personId, 'Tablet');
    const codes = [other.key, accessToken, 'bks_none'].map(async (key) => {
      const { status, rest } = await s.listen(id, { key });
      return [status, (JSON.parse(await rest()) as { code: string }).code];
    });
    deepStrictEqual(await Promise.all(codes), [
      [404, 'inquiry.unknown'],
      [403, 'credential.wrong_kind'],
      [401, 'credential.unknown'],
    ]);
  });

  test('[SEC1] the stream of a source that is revoked ends without another word', async (s) => {
    const stream = await s.listen(await s.ask({ prompt: 'Ship?' }));
    await stream.next();
    await removeSource(s.p.database, s.source.id);
    await withdrawRevoked(s.p.inquiries, s.source.id);
    deepStrictEqual(await stream.rest(), '');
  });

  test('a node that stops ends its streams, which go on at another one', async (s) => {
    const stopping = { ...s.p.inquiries, waiters: createWaiters(s.p.inquiries.signals) };
    const id = await s.ask({ prompt: 'Ship?' });
    const first = await s.listen(id, { node: await s.node(stopping) });
    await first.next();
    stopping.waiters.stop();
    deepStrictEqual(await first.rest(), '');
    const again = await s.listen(id, { lastId: 'opened' });
    await again.next();
    await s.answer(id, { text: 'Yes' });
    deepStrictEqual(await again.rest(), told('resolved', await s.get(id)));
  });

  test('[ASK5] a stream keeps no inquiry open that its asker takes back, and hears of that', async (s) => {
    const { inquiries } = s.p;
    const asking = { sourceId: s.source.id, ask: { prompt: 'Ship?' }, waitMs: 60_000 };
    const { inquiryId } = await ask(inquiries, asking);
    const stream = await s.listen(inquiryId);
    await stream.next();
    const gone = new AbortController();
    const read = () => readForSource(inquiries, inquiryId, s.source.id);
    const wait = { inquiryId, read, callerId: s.source.id, by: 'asker', ms: Infinity, signal: gone.signal } as const;
    const waited = waitForResolution(inquiries, { ...wait, cancelled: () => 'The call was cancelled.' });
    while (inquiries.waiters.count(inquiryId) === 0) await pause(5);
    gone.abort();
    deepStrictEqual((await waited).ended, 'gone');
    const { resolution } = await s.get(inquiryId);
    deepStrictEqual(
      [await stream.rest(), resolution?.outcome, resolution?.message],
      [told('resolved', await s.get(inquiryId)), 'withdrawn', 'The call was cancelled.'],
    );
  });

  test('[ASK5] a stream collects no resolution and has no secret answer: both are for a read by the id', async (s) => {
    const id = await s.ask({ questions: [{ id: 'pin', type: 'text', secret: true, prompt: 'PIN?' }] });
    const stream = await s.listen(id);
    await stream.next();
    await s.answer(id, { values: { pin: '1234' } });
    const inquiry = dataIn(await stream.rest());
    await s.p.inquiries.collected.stop();
    const row = await s.p.database.read.selectFrom('inquiries').select('collected_at').executeTakeFirstOrThrow();
    deepStrictEqual([inquiry.resolution?.answer, row.collected_at], [{ values: {} }, null]);
    deepStrictEqual((await s.get(id)).resolution?.answer, { values: { pin: '1234' } });
  });
}

const told = (event: string, inquiry: Inquiry): string =>
  `id: ${event}\nevent: ${event}\ndata: ${JSON.stringify(inquiry)}\n\n`;

const dataIn = (event: string): Inquiry => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as Inquiry;

/** A source with its key, and a node with the calls of sources. */
async function scene(t: TestContext, p: Place) {
  const { source, key } = await createSourceForEverybody(p.database, p.phone.personId, 'Agent');

  async function node(inquiries: Inquiries): Promise<string> {
    const http = await createHttp({
      log: createLog('silent'),
      findCaller: callerIn(p.database),
      origins: () => ['http://127.0.0.1'],
      trustProxy: 0,
      rateLimit: 100_000,
    });
    askRoutes(http, inquiries);
    await http.listen({ port: 0, host: '127.0.0.1' });
    t.after(() => http.close());
    return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  }
  const near = await node(p.inquiries);

  async function listen(id: string, more: { node?: string; key?: string; lastId?: string } = {}) {
    const left = new AbortController();
    const response = await fetch(`${more.node ?? near}/v1/inquiries/${id}/events`, {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${more.key ?? key}`,
        ...(more.lastId === undefined ? {} : { 'last-event-id': encodeURIComponent(more.lastId) }),
      },
      signal: left.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const further = async (): Promise<boolean> => {
      const { done, value } = (await reader?.read()) ?? { done: true };
      text += value ?? '';
      return !done;
    };
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      /** The next event, as it was written. */
      async next(): Promise<string> {
        while (!text.includes('\n\n') && (await further()));
        const end = text.indexOf('\n\n') + 2;
        const event = text.slice(0, end);
        text = text.slice(end);
        return event;
      },
      /** All that follows until the stream ends. */
      async rest(): Promise<string> {
        while (await further());
        return text;
      },
      leave: () => left.abort(),
    };
  }

  return {
    p,
    source,
    node,
    listen,
    ask: async (asked: Parameters<Place['ask']>[0]) =>
      (await ask(p.inquiries, { sourceId: source.id, ask: asked, waitMs: 0 })).inquiryId,
    answer: (id: string, body: Parameters<typeof answerInquiry>[3]) => answerInquiry(p.inquiries, p.phone, id, body),
    get: (id: string): Promise<Inquiry> => readForSource(p.inquiries, id, source.id),
  };
}
