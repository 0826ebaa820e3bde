import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createApp } from '../../../app.ts';
import { endpoint, type Endpoint } from '../../../deliveries/testing/scene.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { openScene, type Scene } from '../../endpoint/testing/scene.ts';
import { openLegacy, resultOf, saidBy, sendModern, until } from '../../endpoint/testing/wire.ts';

const EVENTS = 'io.modelcontextprotocol/events';
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();

type Reply = (challenge: string, response: ServerResponse) => void;
type Refusal = { code: number; data?: Record<string, unknown> };
type Subscribed = {
  id: string;
  refreshBefore: string;
  cursor: null;
  truncated: boolean;
  deliveryStatus?: Record<string, unknown>;
};

describe('events over MCP', { timeout: 60_000 }, () => {
  let scene: Scene;
  let agent: Endpoint;
  /** What the agent's endpoint answers to a challenge, and to an event. */
  let verification: Reply;
  let taken: number;

  before(async () => {
    agent = await endpoint((response, nth) => {
      const { body } = agent.heard[nth - 1]!;
      const { type, challenge } = JSON.parse(body) as { type?: string; challenge: string };
      if (type === 'verification') verification(challenge, response);
      else response.writeHead(taken).end();
    });
    scene = await openScene(createApp, { pendingMs: 30, roundMs: 30 }, { EVENT_HOSTS: new URL(agent.url).origin });
  });
  beforeEach(() => {
    agent.heard.length = 0;
    verification = (challenge, response) => response.end(JSON.stringify({ challenge }));
    taken = 204;
  });
  after(async () => {
    await scene.stop();
    await agent.close();
  });

  const send = (method: string, params: object, { key = scene.keys.source, declared = false } = {}) =>
    sendModern(scene.mcp(), key, { method, params: params as Record<string, unknown>, events: declared });
  const result = async <T>(...given: Parameters<typeof send>) => resultOf<T>(await send(...given));
  async function refusal(...given: Parameters<typeof send>): Promise<Refusal> {
    const sent = await send(...given);
    await sent.done;
    const { code = 0, data } = sent.frames.at(-1)?.error ?? {};
    return { code, ...(data === undefined ? {} : { data: data as Record<string, unknown> }) };
  }
  const wanted = (path: string, { delivery, ...more }: { delivery?: object; [member: string]: unknown } = {}) => ({
    name: 'inquiry.resolved',
    arguments: {},
    delivery: { mode: 'webhook', url: `${agent.url}${path}`, secret: SECRET, ...delivery },
    cursor: null,
    ...more,
  });
  const subscribe = (...given: Parameters<typeof wanted>) => result<Subscribed>('events/subscribe', wanted(...given));
  const unsubscribe = (...given: Parameters<typeof wanted>) => result('events/unsubscribe', wanted(...given));
  const ask = (prompt: string, key = scene.keys.source) =>
    scene.call<{ id: string }>('POST', '/v1/inquiries', key, { prompt });
  const withdraw = (id: string, key = scene.keys.source) => scene.call('POST', `/v1/inquiries/${id}/withdraw`, key, {});
  const deliveriesOf = async (inquiryId: string, key = scene.keys.source) => {
    const { items } = await scene.call<{ items: WebhookDelivery[] }>('GET', '/v1/deliveries', key);
    return items.filter((one) => one.inquiryId === inquiryId);
  };
  /** The events that came to this path, once so many are there. */
  const told = (path: string, count: number) =>
    until(() => {
      const events = agent.heard.filter((one) => one.path === `/${path}` && !one.body.includes('"type"'));
      return events.length >= count ? events : undefined;
    });

  test('are announced in both spellings and both eras, to sources alone', async () => {
    const discovered = async (key: string) =>
      (await result<{ capabilities: object }>('server/discover', {}, { key })).capabilities;
    deepStrictEqual(await discovered(scene.keys.source), {
      tools: {},
      events: {},
      extensions: { 'io.modelcontextprotocol/tasks': {}, [EVENTS]: {} },
    });
    deepStrictEqual(await discovered(scene.keys.device), {
      tools: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
    strictEqual((await refusal('events/list', {}, { key: scene.keys.device })).code, -32601);
    const legacy = await openLegacy(scene.mcp(), scene.keys.source);
    const { capabilities } = await resultOf<{ capabilities: object }>(legacy.opened);
    deepStrictEqual(capabilities, { tools: {}, events: {}, extensions: { [EVENTS]: {} } });
    const { events } = await resultOf<{ events: { name: string; delivery: string[] }[] }>(
      await legacy.send({ id: 7, method: 'events/list' }),
    );
    deepStrictEqual(
      events.map(({ name, delivery }) => `${name} ${delivery.join(' ')}`),
      ['inquiry.resolved webhook poll', 'inquiry.late_answer webhook', 'inquiry.unreachable webhook'],
    );
  });

  const delivery = (changed: object) => ({ delivery: changed });
  const short = `whsec_${Buffer.alloc(23).toString('base64')}`;
  const long = `whsec_${Buffer.alloc(65).toString('base64')}`;
  type Refused = [codes: [declared: number, otherwise: number], data?: object];
  const UNREACHABLE: Refused = [[-32027, -32015], { reason: 'connection_refused' }];
  const INVALID: Refused[0] = [-32602, -32602];
  const UNKNOWN: Refused[0] = [-32023, -32011];
  const UNSUPPORTED: Refused[0] = [-32026, -32014];
  // After the scenarios of modelcontextprotocol/conformance, src/scenarios/server/events.
  const REFUSED: Record<string, [method: string, params: Record<string, unknown>, ...Refused]> = {
    'an unknown event': ['subscribe', { name: 'inquiry.gone' }, UNKNOWN, { kind: 'event' }],
    'an event called like a member of objects': ['subscribe', { name: '__proto__' }, UNKNOWN, { kind: 'event' }],
    'another way of telling': [
      'subscribe',
      delivery({ mode: 'push' }),
      UNSUPPORTED,
      { feature: 'deliveryMode', value: 'push' },
    ],
    'no secret': ['subscribe', delivery({ secret: undefined }), INVALID],
    'a secret of other words': ['subscribe', delivery({ secret: 'not-a-standard-webhooks-secret' }), INVALID],
    'a secret of 23 bytes': ['subscribe', delivery({ secret: short }), INVALID],
    'a secret of 65 bytes': ['subscribe', delivery({ secret: long }), INVALID],
    'a secret in base64url': ['subscribe', delivery({ secret: `whsec_${'-_'.repeat(16)}` }), INVALID],
    'plain http': ['subscribe', delivery({ url: 'http://conformance.invalid/insecure' }), INVALID],
    'an address with a password': ['subscribe', delivery({ url: 'https://a:b@example.com/' }), INVALID],
    'an address with a line in it': ['subscribe', delivery({ url: 'https://example.com/\nx' }), INVALID],
    'what is no address': ['unsubscribe', delivery({ url: 'nowhere' }), INVALID],
    'a long address': ['subscribe', delivery({ url: `https://example.com/${'a'.repeat(2048)}` }), INVALID],
    'no name': ['subscribe', { name: undefined }, INVALID],
    'an argument that is not there': ['subscribe', { arguments: { severity: 'P1' } }, INVALID],
    'arguments that are no object': ['subscribe', { arguments: ['inquiryId'] }, INVALID],
    'a time that is no number': ['subscribe', { ttlMs: '1h' }, INVALID],
    'a private address': ['subscribe', delivery({ url: 'https://10.0.0.1/hook' }), ...UNREACHABLE],
    'loopback that nobody listed': ['subscribe', delivery({ url: 'https://127.0.0.1:1/hook' }), ...UNREACHABLE],
    'loopback in other words': ['subscribe', delivery({ url: 'https://2130706433:1/' }), ...UNREACHABLE],
    'loopback in IPv6': ['subscribe', delivery({ url: 'https://[::ffff:7f00:1]:1/' }), ...UNREACHABLE],
    'a scheme in capitals over loopback': ['subscribe', delivery({ url: 'HTTP://127.0.0.1:1/' }), INVALID],
    'a local name': ['subscribe', delivery({ url: 'https://localhost:1/hook' }), ...UNREACHABLE],
    'no such inquiry': ['subscribe', { arguments: { inquiryId: 'inq_none' } }, UNKNOWN, { kind: 'inquiry' }],
    'no such subscription': [
      'unsubscribe',
      delivery({ url: 'https://example.com/never' }),
      UNKNOWN,
      { kind: 'subscription' },
    ],
    'polling an unknown event': ['poll', { name: 'inquiry.gone' }, UNKNOWN, { kind: 'event' }],
    'polling what is only told': [
      'poll',
      { name: 'inquiry.late_answer' },
      UNSUPPORTED,
      { feature: 'deliveryMode', value: 'poll' },
    ],
    'polling with a strange argument': ['poll', { arguments: { since: 0 } }, INVALID],
    'polling from nowhere': ['poll', { cursor: 'nowhere' }, INVALID],
  };
  for (const [what, [method, params, [declared, else_], data]] of Object.entries(REFUSED))
    test(`${what} is refused, by the number that the client reads`, async () => {
      const given = [`events/${method}`, wanted('table', params)] as const;
      const more = data ? { data } : {};
      deepStrictEqual(
        [await refusal(...given, { declared: true }), await refusal(...given)],
        [
          { code: declared, ...more },
          { code: else_, ...more },
        ],
      );
      deepStrictEqual(agent.heard, []);
    });

  const UNWILLING: Record<string, [reply: Reply, reason: string]> = {
    'echoes another challenge': [(_given, response) => response.end('{"challenge":"another"}'), 'challenge_failed'],
    'says nothing': [(_given, response) => response.end(), 'challenge_failed'],
    'says no JSON object': [(_given, response) => response.end('null'), 'challenge_failed'],
    'says far too much': [
      (given, response) => response.end(JSON.stringify({ challenge: given, more: 'a'.repeat(5_000) })),
      'challenge_failed',
    ],
    'refuses with the challenge': [
      (given, response) => response.writeHead(403).end(JSON.stringify({ challenge: given })),
      'http_4xx',
    ],
    redirects: [(_given, response) => response.writeHead(302, { location: `${agent.url}elsewhere` }).end(), 'http_4xx'],
    fails: [(_given, response) => response.writeHead(500).end('a secret of the endpoint'), 'http_5xx'],
    'hangs up': [(_given, response) => void response.destroy(), 'connection_refused'],
  };
  for (const [what, [reply, reason]] of Object.entries(UNWILLING))
    test(`[DLV6] an endpoint that ${what} gets no event, and nothing that it said comes back`, async () => {
      verification = reply;
      const refused = await refusal('events/subscribe', wanted('unwilling'), { declared: true });
      deepStrictEqual(refused, { code: -32027, data: { reason } });
      const { id } = await ask(`Unwilling: ${what}?`);
      await scene.call('POST', `/v1/inquiries/${id}/withdraw`, scene.keys.source, {});
      deepStrictEqual(
        agent.heard.map(({ path }) => path),
        ['/unwilling'],
      );
      deepStrictEqual(await deliveriesOf(id), []);
    });

  test('[DLV6] [door] what ends is told to the endpoint that agreed, by id and state alone, signed with its secret', async () => {
    const { id, refreshBefore, ...first } = await subscribe('hook?of=1');
    const [challenged] = agent.heard;
    new Webhook(SECRET).verify(challenged!.body, challenged!.headers as Record<string, string>);
    match(String(challenged!.headers['webhook-id']), /^msg_verification_[\w-]{43}$/);
    const hour = Date.parse(refreshBefore) - Date.now();
    deepStrictEqual([hour > 3_590_000 && hour <= 3_600_000, first.cursor, first.truncated], [true, null, false]);

    const inquiry = await ask('Told?');
    await scene.answer(await scene.asked('Told?'), { text: 'a word that is nobody else’s' });
    const [event] = await told('hook?of=1', 1);
    new Webhook(SECRET).verify(event!.body, event!.headers as Record<string, string>);
    const { eventId, timestamp, ...body } = JSON.parse(event!.body) as Record<string, unknown>;
    deepStrictEqual(body, { name: 'inquiry.resolved', data: { inquiryId: inquiry.id, state: 'answered' } });
    strictEqual(Number.isNaN(Date.parse(String(timestamp))), false);
    deepStrictEqual(
      [challenged, event].map((one) => [one!.headers['x-mcp-subscription-id'], one!.headers['content-type']]),
      [
        [id, 'application/json'],
        [id, 'application/json'],
      ],
    );
    strictEqual(event!.headers['webhook-id'], eventId);
    // The event holds no answer: the source has yet to read it.
    const read = await result<{ structuredContent: object }>('tools/call', {
      name: 'get_answer',
      arguments: { inquiryId: inquiry.id },
    });
    deepStrictEqual((read.structuredContent as { text: string }).text, 'a word that is nobody else’s');
    await unsubscribe('hook?of=1');
  });

  test('[DLV6] a late answer and that nobody was reached are told as well', async () => {
    const [late, unreachable] = [{ name: 'inquiry.late_answer' }, { name: 'inquiry.unreachable' }];
    await subscribe('late', late);
    await subscribe('unreached', unreachable);
    const { id } = await ask('Late?');
    const asked = await scene.asked('Late?');
    await withdraw(id);
    await scene.answer(asked, { text: 'late', late: true });
    const [event] = await told('late', 1);
    const { name, data } = JSON.parse(event!.body) as Record<string, unknown>;
    deepStrictEqual({ name, data }, { ...late, data: { inquiryId: id, state: 'withdrawn' } });
    // Neither device has a page or a subscription: nobody is told when it is asked.
    const [other] = await told('unreached', 1);
    deepStrictEqual((JSON.parse(other!.body) as { data: unknown }).data, { inquiryId: id, state: 'open' });
    await unsubscribe('late', late);
    await unsubscribe('unreached', unreachable);
  });

  test('[DLV6] each source is told of its own inquiries alone, and of the one that it wants', async () => {
    const [mine, another] = [await ask('Mine?'), await ask('Mine too?')];
    const theirs = await ask('Theirs?', scene.keys.other);
    const foreign = wanted('foreign', { arguments: { inquiryId: theirs.id } });
    deepStrictEqual((await refusal('events/subscribe', foreign)).data, { kind: 'inquiry' });
    const one = { arguments: { inquiryId: mine.id } };
    const ids = [await subscribe('own'), await subscribe('own', one), await subscribe('own2')];
    const other = await result<Subscribed>('events/subscribe', wanted('own'), { key: scene.keys.other });
    strictEqual(new Set([...ids, other].map(({ id }) => id)).size, 4);
    // One challenge for each source and address, however many subscriptions.
    deepStrictEqual(
      agent.heard.map(({ path }) => path),
      ['/own', '/own2', '/own'],
    );
    for (const { id } of [another, mine]) await withdraw(id);
    await withdraw(theirs.id, scene.keys.other);
    await told('own2', 2);
    const seen = (await told('own', 4)).map(({ headers, body }) => {
      const { data } = JSON.parse(body) as { data: { inquiryId: string } };
      return `${String(headers['x-mcp-subscription-id'])} ${data.inquiryId}`;
    });
    const expected = [
      `${ids[0]!.id} ${another.id}`,
      `${ids[0]!.id} ${mine.id}`,
      `${ids[1]!.id} ${mine.id}`,
      `${other.id} ${theirs.id}`,
    ];
    deepStrictEqual(seen.toSorted(), expected.toSorted());
    // Knowing an id gives nothing: it is no input.
    const named = await result<Subscribed>('events/subscribe', wanted('own3', { id: other.id }));
    strictEqual(named.id === other.id, false);
    deepStrictEqual((await refusal('events/unsubscribe', wanted('own3'), { key: scene.keys.other })).code, -32011);
    await unsubscribe('own');
    await unsubscribe('own', one);
    await unsubscribe('own2');
    await unsubscribe('own3');
    await result('events/unsubscribe', wanted('own'), { key: scene.keys.other });
  });

  test('[DLV6] a renewal keeps the id, tells how delivery fares, and signs with both secrets for a while', async () => {
    const { id } = await subscribe('renewed');
    const secret = newSecret();
    const renewed = { delivery: { secret }, ttlMs: 120_000 };
    taken = 413;
    const { id: refused } = await ask('Refused?');
    await withdraw(refused);
    await until(async () => (await deliveriesOf(refused))[0]?.state === 'gone');
    const again = await subscribe('renewed', renewed);
    const { lastDeliveryAt, lastError, active, failedSince } = again.deliveryStatus ?? {};
    deepStrictEqual(
      [again.id, lastDeliveryAt, lastError, active, typeof failedSince],
      [id, null, 'http_4xx', true, 'string'],
    );
    strictEqual(Date.parse(again.refreshBefore) - Date.now() <= 120_000, true);
    taken = 204;
    await withdraw((await ask('Both?')).id);
    const [, event] = await told('renewed', 2);
    for (const one of [SECRET, secret]) new Webhook(one).verify(event!.body, event!.headers as Record<string, string>);
    strictEqual(String(event!.headers['webhook-signature']).split(' ').length, 2);
    const healthy = await subscribe('renewed', renewed);
    deepStrictEqual(
      [healthy.deliveryStatus?.['lastError'], healthy.deliveryStatus?.['failedSince']],
      [null, undefined],
    );
    await unsubscribe('renewed', renewed);
    await withdraw((await ask('After it?')).id);
    strictEqual((await refusal('events/unsubscribe', wanted('renewed'))).code, -32011);
    strictEqual((await told('renewed', 2)).length, 2);
  });

  test('[DLV6] an endpoint that fails is tried again, and one that says 410 is not', async () => {
    await subscribe('tried');
    for (const [status, state] of [
      [410, 'gone'],
      [503, 'pending'],
    ] as const) {
      taken = status;
      const { id } = await ask(`Tried: ${status}?`);
      await withdraw(id);
      await until(async () => (await deliveriesOf(id))[0]?.attempts.length === 1);
      const [delivery] = await deliveriesOf(id);
      deepStrictEqual([delivery!.state, delivery!.attempts[0]!.status], [state, status]);
    }
    await unsubscribe('tried');
  });

  test('what a call that returns undecided says is that its client is told, where it subscribed', async () => {
    const send_ = (prompt: string) =>
      sendModern(scene.mcp('?wait=0.03'), scene.keys.source, {
        method: 'tools/call',
        params: { name: 'send_inquiry', arguments: { prompt } },
      });
    match((await saidBy(await send_('Untold?'))) ?? '', /Call get_answer with this inquiryId to go on waiting/);
    await subscribe('reply');
    match((await saidBy(await send_('Told of?'))) ?? '', /your client is told by the event inquiry\.resolved/);
    await unsubscribe('reply');
  });
});
