import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { findDevice } from '../../devices/find.ts';
import { addDevice } from '../../devices/admit.ts';
import { readOpen } from '../../inquiries/read.ts';
import { answerAlone, openPlace, type Place } from '../../inquiries/testing/place.ts';
import { createWaiters } from '../../inquiries/waiters.ts';
import { createHttp } from '../../platform/http/http.ts';
import { createLog } from '../../platform/log.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import { takeInbound } from '../inbound/inbound.ts';
import { createLangGraph } from '../langgraph/langgraph.ts';
import { inRoutes } from '../in/in.ts';
import { createOpenCalls } from '../in/open-calls.ts';
import { createRelay, type Listen } from '../relay/relay.ts';
import { listenForQuestions } from '../relay/questions.ts';
import { connectionRoutes } from '../routes.ts';

export type Reply = { status: number; body: unknown };

/** As `openScene`, where streams are read for questions. */
export const openListening = (t: TestContext, databaseUrl?: string) =>
  openScene(t, ({ inquiries }) => listenForQuestions({ inquiries, log: createLog('silent') }), databaseUrl);

/** A hub with the routes of connections, on loopback. */
export async function openScene(
  t: TestContext,
  listening: (place: Place) => Listen = () => () => undefined,
  databaseUrl?: string,
) {
  const { place, close } = await openPlace(databaseUrl);
  const { database, inquiries, phone } = place;
  const listen = listening(place);
  const { accessToken } = await addDevice(database, phone.personId, 'Tablet');
  const revoked: string[] = [];
  const http = await openHttp(database);
  const publicUrl = (): string => `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  const { sealingKey } = inquiries;
  connectionRoutes(http, {
    database,
    sealingKey,
    publicUrl,
    revoked: (id) => {
      revoked.push(id);
      inquiries.signals.publish(id);
    },
    changed: (id) => inquiries.signals.publish(id),
  });
  const log = createLog('silent');
  const calls = createOpenCalls({ database, signals: inquiries.signals, log });
  const relay = createRelay({ log, listen, publicUrl });
  const langgraph = createLangGraph({ inquiries, log });
  const { places } = inquiries.waiters;
  await inRoutes(http, { database, places, relay, calls, take: takeInbound(inquiries), hint: langgraph.hint });
  await http.listen({ port: 0, host: '127.0.0.1' });
  t.after(async () => {
    await langgraph.stop();
    await http.close();
    await close();
  });
  const call = async (method: string, path: string, body?: object): Promise<Reply> => {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
    const reply = await fetch(publicUrl() + path, { method, headers, body: body ? JSON.stringify(body) : null });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    place,
    database,
    langgraph,
    asks: http.asks,
    revoked,
    call,
    /** Makes a connection; its address ends without a slash. */
    async connect(asked: object): Promise<NewConnectionReply> {
      const { status, body } = await call('POST', '/v1/connections', asked);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body as NewConnectionReply;
    },
    open: (): Promise<Inquiry[]> => openOf(place),
    answer: (inquiryId: string, body: AnswerBody) => answerAlone(inquiries, phone, inquiryId, body),
  };
}

/** Another node of this hub, which reads streams for questions and hears no signal. */
export async function openOtherNode(t: TestContext, place: Place) {
  const { database } = place;
  const inquiries = { ...place.inquiries, waiters: createWaiters(localSignals()) };
  const http = await openHttp(database);
  const log = createLog('silent');
  const calls = createOpenCalls({ database, signals: localSignals(), log });
  const relay = createRelay({
    log,
    publicUrl: () => 'http://other.test',
    listen: listenForQuestions({ inquiries, log }),
  });
  await inRoutes(http, {
    database,
    places: inquiries.waiters.places,
    relay,
    calls,
    take: takeInbound(inquiries),
    hint() {},
  });
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => {
    inquiries.waiters.stop();
    return http.close();
  });
  return { inquiries, url };
}

function openHttp(database: Place['database']) {
  return createHttp({
    log: createLog('silent'),
    findCaller: (token) => findDevice(database, token),
    origins: () => ['http://127.0.0.1'],
    trustProxy: 0,
    rateLimit: 1_000_000,
  });
}

async function openOf({ database, phone }: Place): Promise<Inquiry[]> {
  const { items } = await readOpen(database.read, phone, { limit: 100, now: database.clock.now() });
  return items.toReversed();
}
