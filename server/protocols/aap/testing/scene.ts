import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Decision } from '#shared/answer.ts';
import { endpoint, sendDue } from '../../../deliveries/testing/scene.ts';
import { composeBy } from '../../../dialects/open.ts';
import { callerIn } from '../../../devices/find.ts';
import { addDevice } from '../../../devices/admit.ts';
import { readOpen } from '../../../inquiries/read.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { createHttp } from '../../../platform/http/http.ts';
import { createLog } from '../../../platform/log.ts';
import { createOutbound } from '../../../platform/outbound/post.ts';
import type { PostOnce } from '../../../deliveries/worker.ts';
import { changeSource } from '../../../sources/change.ts';
import { createSource } from '../../../sources/create.ts';
import { resumePutOff } from '../../../deliveries/pause.ts';
import { aap, openAap } from '../aap.ts';
import type { Seen } from './peer.ts';

export const CALL = { tool: 'issue_refund', arguments: { amount: 4900 }, timeout: '30m' };
export const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
/** A name on the internet, which the scene sends to its own loopback. */
export const RECEIVER = 'https://receiver.example.com/aap';

type Body = Partial<Seen> & {
  error?: { type: string; code: string; message: string; param?: string; request_id: string };
  instance?: { id: string; name: string; delivery?: object };
  credential?: { token: string };
  name?: string;
};
export type Reply = { status: number; text: string; body: Body; headers: Headers };
type Calling = { key?: string | undefined; body?: unknown; as?: string | undefined; headers?: Record<string, string> };
export type Message = {
  id: string;
  type: string;
  instance_id: string;
  challenge?: string;
  registration_id?: string;
  request_id?: string;
  created_at: string;
};

/** `test` on a scene of its own. */
export function testsOn(openOn: (t: TestContext) => Promise<Place>) {
  return (title: string, work: (s: Scene) => Promise<void>): void =>
    void test(title, async (t) => work(await openScene(t, await openOn(t))));
}

/** Calls the protocol below `base`, by default with one credential. */
function callerOf(base: string, credential: string) {
  return async (route: string, { key, body, as = credential, headers = {} }: Calling = {}): Promise<Reply> => {
    const [method = '', path = ''] = route.split(' ');
    const reply = await fetch(base + path, {
      method,
      headers: {
        ...(as === '' ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await reply.text();
    return { status: reply.status, text, body: (text === '' ? {} : JSON.parse(text)) as Body, headers: reply.headers };
  };
}

/** A receiver that says what the test wants, and what posts to it whatever public name an address has. */
async function openReceiver() {
  const outbound = createOutbound({ permit: () => true });
  const says: { reply: (message: Message) => [status: number, body?: string, headers?: Record<string, string>] } = {
    reply: ({ challenge }) => (challenge ? [200, JSON.stringify({ challenge })] : [204]),
  };
  const receiver = await endpoint((response) => {
    const [status, body, headers] = says.reply(JSON.parse(receiver.heard.at(-1)?.body ?? '{}') as Message);
    response.writeHead(status, headers).end(body);
  });
  const urls: string[] = [];
  const post: PostOnce = (request) => {
    urls.push(request.url);
    const url = request.url.replace(/^https:\/\/[^/]*\//, receiver.url);
    return outbound.post({ ...request, url, timeoutMs: 10_000 });
  };
  const closeReceiver = async (): Promise<void> => {
    await outbound.close();
    await receiver.close();
  };
  return { says, receiver, urls, post, closeReceiver };
}

/** A hub with the protocol's border, an instance, a provisioner and a receiver that says what the test wants. */
export async function openScene(t: TestContext, place: Place) {
  const { database, inquiries, phone } = place;
  const log = createLog('silent');
  inquiries.composeReply = composeBy([aap], log);
  const http = await createHttp({
    log,
    findCaller: callerIn(database),
    origins: () => [],
    trustProxy: 0,
    rateLimit: 100_000,
  });
  const { says, receiver, urls, post, closeReceiver } = await openReceiver();
  await openAap(http, { inquiries, post, log });
  await http.listen({ port: 0, host: '127.0.0.1' });
  t.after(async () => {
    inquiries.waiters.stop();
    await http.close();
    await closeReceiver();
  });
  const base = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/aap`;
  const source = async (name: string) => createSource(database, phone.personId, { name });
  const [instance, other, provisioner] = [await source('CI'), await source('Other'), await source('Fleet')];
  await changeSource(database, provisioner.source.id, { mayProvision: true });

  const call = callerOf(base, instance.key);

  return {
    place,
    database,
    base,
    asks: http.asks,
    call,
    says,
    urls,
    keys: { instance: instance.key, other: other.key, provisioner: provisioner.key },
    sourceId: instance.source.id,
    provisionerId: provisioner.source.id,
    change: (id: string, change: Parameters<typeof changeSource>[2]) => changeSource(database, id, change),
    /** The key of another provisioner. */
    async rival() {
      const { source: made, key } = await source(`Rival ${randomUUID()}`);
      await changeSource(database, made.id, { mayProvision: true });
      return key;
    },
    /** The token of a person's device. */
    device: async () => (await addDevice(database, phone.personId, 'Tablet')).accessToken,
    /** Creates a request. */
    ask: (body: unknown = CALL, key: string = randomUUID(), as?: string) =>
      call('POST /v1/requests', { key, body, as }),
    /** What is open on the phone, newest first. */
    open: async () => (await readOpen(database.read, phone, { limit: 100, now: database.clock.now() })).items,
    /** A person decides about what is newest. */
    async decide(decision: Decision = { type: 'approve' }) {
      const [inquiry] = (await readOpen(database.read, phone, { limit: 1, now: database.clock.now() })).items;
      return place.answer(inquiry?.id ?? '', { decisions: [decision], digest: inquiry?.digest });
    },
    /** Provisions an instance. */
    provision: (body: unknown = {}, key: string = randomUUID(), as = provisioner.key) =>
      call('POST /v1/instances', { key, body, as }),
    /** Sends the events that are due. */
    async send() {
      await resumePutOff(database);
      await sendDue(database, { post: (request) => post(request), clock: database.clock });
    },
    /** What the receiver was sent, checked with the secret. */
    heard: (secret = SECRET) =>
      receiver.heard.map(({ body, headers }) => {
        const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp']) * 1000];
        const good = new Webhook(secret).sign(id, new Date(at), body) === headers['webhook-signature'];
        return { ...(JSON.parse(body) as Message), good: good && JSON.parse(body).id === id, body };
      }),
    receiver,
  };
}
export type Scene = Awaited<ReturnType<typeof openScene>>;

export const delivery = (more: object = {}) => ({
  type: 'webhook',
  url: RECEIVER,
  registration_id: randomUUID(),
  signing_secret: SECRET,
  ...more,
});
