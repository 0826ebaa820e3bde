import { deepStrictEqual } from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Contact } from '#shared/connections/contact.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { SubscriptionState } from '#shared/push.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import type { Deliveries } from '#shared/schemas/deliveries.ts';
import { all, must } from '../hub/call.ts';
import { addPerson, addSource } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import {
  CALLBACK_HOST,
  damageRows,
  pour,
  startEndpoints,
  type Endpoints,
  type Fault,
  type Standing,
} from './faulty.ts';
import { openScene, type Scene } from './scene.ts';

/** Half of the 10 s that an endpoint has, so that waiting for one that hangs is seen, and far above what a busy machine needs. */
const SOON_MS = 5_000;
/** More than the 2 s after which a queue counts as slow. */
const SLOW_MS = 2_500;

/** Reads how far the hub is with what it owes. */
type Owed = () => Promise<Standing | undefined>;
type Duty = {
  name: string;
  rule: string;
  /** The webhook's type, or another word where a reply counts whatever its body is; none: no endpoint is told. */
  type?: string;
  done: string;
  /** Makes it owed once to this endpoint. */
  owe(scene: Scene, url: string): Promise<Owed>;
};

/** What the hub owes. A new webhook or sender is put through every fault by a line here. */
const DUTIES: Duty[] = [
  {
    name: 'webhook of a resolution',
    ...webhookOf('inquiry.resolved'),
    async owe(scene, webhookUrl) {
      const source = await asker(scene, { webhookUrl });
      const asked = await scene.ask({ prompt: 'Resolved?' }, source);
      await scene.answer(asked);
      return webhook(scene, source, asked, this.type);
    },
  },
  {
    name: "ask's own callback",
    ...webhookOf('inquiry.resolved'),
    async owe(scene, url) {
      const source = await asker(scene);
      const callback = { url: url.replace('127.0.0.1', CALLBACK_HOST) };
      const asked = await scene.ask({ prompt: 'Called back?', callback }, source);
      await scene.answer(asked);
      return webhook(scene, source, asked, this.type);
    },
  },
  {
    name: 'webhook of a late answer',
    ...webhookOf('inquiry.late_answer'),
    async owe(scene, webhookUrl) {
      const source = await asker(scene, { webhookUrl });
      const asked = await scene.ask({ prompt: 'Late?' }, source);
      await must(scene.hub, `POST /v1/inquiries/${asked.id}/withdraw`, { token: source.key, body: {} });
      await scene.answer(asked, { text: 'yes', late: true });
      return webhook(scene, source, asked, this.type);
    },
  },
  {
    name: 'webhook that nobody can be reached',
    ...webhookOf('inquiry.unreachable'),
    async owe(scene, webhookUrl) {
      const source = await asker(scene, { webhookUrl });
      const asked = await scene.ask({ prompt: 'Reached?', to: ['nobody'] }, source);
      return webhook(scene, source, asked, this.type);
    },
  },
  {
    name: "answer to a connection's platform",
    ...webhookOf('inquiry.resolved'),
    async owe(scene, answerUrl) {
      const body = { name: 'Flow', kind: 'inbound', answerUrl };
      const made = await must<NewConnectionReply>(scene.hub, 'POST /v1/connections', {
        token: scene.owner.token,
        body,
      });
      const asked = { method: 'POST', body: JSON.stringify({ prompt: 'Posted?' }) };
      const headers = { 'content-type': 'application/json' };
      const { id } = (await (await fetch(made.url, { ...asked, headers })).json()) as { id: string };
      await scene.answer({ id });
      return async () => {
        const path = `GET /v1/connections/${made.connection.id}/contacts`;
        const { items } = await must<{ items: Contact[] }>(scene.hub, path, { token: scene.owner.token });
        const answer = items[0]?.inquiries[0]?.answer;
        return answer?.at === undefined ? undefined : standing(answer.state, answer);
      };
    },
  },
  {
    name: 'Web Push to a device',
    rule: 'DLV2',
    type: 'push',
    done: 'sent',
    async owe(scene, url) {
      const { handle, subscribe, addAsker } = await pushed(scene, url);
      await subscribe();
      const source = await addAsker();
      return push(scene, source, await scene.ask({ prompt: 'Pushed?', to: [handle] }, source));
    },
  },
  {
    name: 'reminder of what was set apart',
    rule: 'DLV4',
    type: 'push',
    done: 'sent',
    async owe(scene, url) {
      const { handle, token, subscribe, addAsker } = await pushed(scene, url);
      const source = await addAsker();
      const asked = await scene.ask({ prompt: 'Reminded?', to: [handle] }, source);
      const at = new Date(Date.now() + 1_000).toISOString();
      await must(scene.hub, `POST /v1/inquiries/${asked.id}/later`, { token, body: { at } });
      // It was asked before there was anything to push it to.
      await subscribe();
      return push(scene, source, asked);
    },
  },
  {
    name: "blocking caller's reply",
    rule: 'ASK1',
    done: 'answered',
    async owe(scene) {
      const source = await asker(scene);
      const body = { prompt: 'Blocked?' };
      const reply = must<Inquiry>(scene.hub, 'POST /v1/inquiries?wait=60', { token: source.key, body });
      const [asked] = await until('the ask', async () => {
        const list = await all<Inquiry>(scene.hub, '/v1/inquiries', source.key);
        return list.length > 0 && list;
      });
      await scene.answer(asked!);
      let state: string | undefined;
      void reply.then(({ resolution }) => (state = resolution?.outcome));
      return async () => (state === undefined ? undefined : { state });
    },
  },
];

const both = (seen: Standing) => ({ webhook: seen, push: seen });

/** What may be wrong with one endpoint or row. */
const FAULTS: Fault[] = [
  {
    name: 'an endpoint that answers slowly',
    reply: (response) => void setTimeout(() => response.writeHead(204).end(), SLOW_MS),
    ...both({ state: 'done', status: 204 }),
  },
  { name: 'an endpoint that hangs', reply: () => {}, ...both({ state: 'pending', error: 'timeout' }) },
  {
    name: 'an endpoint that cuts the connection',
    reply: (response) => response.destroy(),
    ...both({ state: 'pending', error: 'connection closed' }),
  },
  {
    name: 'an endpoint that fails',
    reply: (response) => response.writeHead(500).end(),
    ...both({ state: 'pending', status: 500 }),
  },
  {
    name: 'an endpoint that redirects',
    reply: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    webhook: { state: 'pending', status: 307, error: 'refused: redirect' },
    push: { state: 'failed', status: 307, error: 'refused: redirect' },
  },
  {
    name: 'an endpoint whose reply never ends',
    reply: (response) => pour(response.writeHead(200)),
    ...both({ state: 'done', status: 200 }),
  },
  {
    name: 'a row with user info in its address',
    rows: {
      deliveries: `url = replace(url, '//', '//user:pw@')`,
      subscriptions: `endpoint = replace(endpoint, '//', '//user:pw@')`,
    },
    ...both({ state: 'failed', error: 'refused: credentials in the address' }),
  },
  {
    name: 'a row whose address cannot be read',
    rows: { deliveries: `url = 'no address'`, subscriptions: `endpoint = 'no address ' || device_id` },
    webhook: { state: 'failed', error: 'refused: not an address' },
    push: { state: 'pending', error: 'internal error' },
  },
  {
    name: 'a row whose key fits nothing',
    rows: { deliveries: `queue = 'fits nothing'`, subscriptions: `p256dh = 'fits nothing'` },
    webhook: { state: 'done', status: 204 },
    push: { state: 'pending', error: 'internal error' },
  },
  {
    name: 'a row with an unusable secret',
    rows: { sources: `webhook_secret = ''`, subscriptions: `auth = ''` },
    ...both({ state: 'pending', error: 'internal error' }),
  },
];

describe('one bad endpoint or row, and everyone else', { timeout: 120_000 }, () => {
  let scene: Scene;
  let endpoints: Endpoints;
  before(async () => {
    endpoints = await startEndpoints(FAULTS);
    scene = await openScene('SQLite', 1, { PUSH_HOSTS: `${endpoints.bad},${endpoints.good}` });
    await must(scene.hub, 'POST /v1/people', { token: scene.owner.token, body: { handle: 'nobody' } });
    damageRows(scene.hub, FAULTS);
  });
  after(async () => {
    await scene?.remove();
    endpoints?.close();
  });

  for (const [at, fault] of FAULTS.entries()) {
    describe(fault.name, { concurrency: true }, () => {
      const told = DUTIES.filter(({ type }) => type !== undefined);
      let owed: Map<Duty, Owed[]>;
      // Two each, and those of every duty at once, while everybody else goes on.
      before(async () => {
        const owe = (duty: Duty) => duty.owe(scene, `${endpoints.bad}/${at}/${duty.type}/duty${told.indexOf(duty)}`);
        owed = new Map(
          await Promise.all(told.map(async (duty) => [duty, await Promise.all([owe(duty), owe(duty)])] as const)),
        );
        const met = () => [...endpoints.met].filter((path) => path.startsWith(`/${at}/`)).length === told.length;
        if (fault.reply) await until('every bad endpoint to be met', met, SOON_MS);
      });
      for (const duty of DUTIES) {
        test(`[${duty.rule}] ${fault.name} holds up no other ${duty.name}`, async () => {
          const neighbour = await duty.owe(scene, `${endpoints.good}/good`);
          await until('that of a neighbour', async () => (await neighbour())?.state === duty.done, SOON_MS);
          const bad = owed.get(duty) ?? [];
          const seen = await Promise.all(bad.map((one) => until('an attempt', one, 3 * SOON_MS)));
          const { state, ...rest } = duty.type === 'push' ? fault.push : fault.webhook;
          const expected = { state: state === 'done' ? duty.done : state, ...rest };
          deepStrictEqual(
            seen,
            bad.map(() => expected),
          );
        });
      }
    });
  }
});

/** A person, how their device begins to take pushes, and a source that may ask them. */
async function pushed({ hub, owner }: Scene, url: string) {
  const handle = `p${randomBytes(6).toString('hex')}`;
  // No two devices have one endpoint.
  const endpoint = `${url}/${handle}`;
  const { token } = await addPerson(hub, owner, handle);
  async function subscribe(): Promise<void> {
    const { vapidPublicKey } = await must<SubscriptionState>(hub, 'GET /v1/devices/me/subscription', { token });
    const keys = {
      p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    };
    await must(hub, 'PUT /v1/devices/me/subscription', { token, body: { endpoint, keys, vapidPublicKey } });
  }
  return { handle, token, subscribe, addAsker: () => addSource(hub, owner, 'Pusher', { mayAsk: [handle] }) };
}

function push(scene: Scene, source: NewSourceReply, asked: Inquiry): Owed {
  return async () => {
    const told = (await deliveries(scene, source, asked)).items[0]?.push;
    const [tried] = told?.attempts ?? [];
    return tried && tried.error !== 'not finished' ? standing(told?.state, tried) : undefined;
  };
}

function webhookOf<T extends string>(type: T) {
  return { rule: 'DLV1', type, done: 'delivered' };
}

function asker({ hub, owner }: Scene, more: { webhookUrl?: string } = {}): Promise<NewSourceReply> {
  return addSource(hub, owner, 'Asker', { mayAsk: ['owner', 'nobody'], ...more });
}

function deliveries({ hub }: Scene, { key }: NewSourceReply, { id }: Inquiry): Promise<Deliveries> {
  return must(hub, `GET /v1/inquiries/${id}/deliveries`, { token: key });
}

function webhook(scene: Scene, source: NewSourceReply, asked: Inquiry, type: string | undefined): Owed {
  return async () => {
    const { webhooks = [] } = await deliveries(scene, source, asked);
    const row = webhooks.find((one) => one.type === type);
    return row?.attempts[0] && standing(row.state, row.attempts[0]);
  };
}

function standing(state = '', { status, error }: Omit<Standing, 'state'>): Standing {
  return { state, ...(status === undefined ? {} : { status }), ...(error === undefined ? {} : { error }) };
}
