import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import type { Contact } from '#shared/connections/contact.ts';
import { addSource, dispatcherFor, endpoint } from '../../deliveries/testing/scene.ts';
import { listForSource } from '../../inquiries/read.ts';
import { TooMany } from '../../platform/http/rate-limits.ts';
import { openScene } from '../testing/scene.ts';
import type { Receipt } from './inbound.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENT = { specversion: '1.0', id: 'e-1', source: '/flows/7', type: 'com.example.asked' };
const SECRET = `whsec_${Buffer.from('a secret of twenty-four bytes').toString('base64')}`;

/** A connection that a platform posts to, and what its answer address hears. */
async function connected(t: TestContext, more: object = {}) {
  const scene = await openScene(t);
  const answers = await endpoint();
  t.after(answers.close);
  const dispatcher = dispatcherFor(scene.database, {});
  t.after(() => dispatcher.stop());
  const made = await scene.connect({ name: 'Flow', kind: 'inbound', answerUrl: `${answers.url}answer`, ...more });
  return {
    ...scene,
    ...made,
    answers,
    dispatcher,
    async post(sent: unknown, headers: Record<string, string> = JSON_TYPE) {
      const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
      const reply = await fetch(made.url, { method: 'POST', headers, body: text });
      const retryAfter = reply.headers.get('retry-after') ?? undefined;
      const body = (await reply.json()) as Receipt & { code?: string };
      return { status: reply.status, body, ...(retryAfter === undefined ? {} : { retryAfter }) };
    },
    async all() {
      const { items } = await listForSource(scene.database.read, made.connection.id, { limit: 100 });
      return items.toReversed();
    },
  };
}

const placesOf = ({ body }: { body: object }) =>
  (body as { faults?: { path: string }[] }).faults?.map(({ path }) => path);

test('[ASK1] [DLV1] what is posted to an address is asked once by its key, and its answer goes to the answer address', async (t) => {
  const { post, all, answer, answers, dispatcher, webhookSecret, place } = await connected(t);
  const ask = { prompt: 'Ship it?', key: 'run-7', correlation: { step: 3 } };
  const first = await post(ask);
  const [inquiry] = await all();
  const receipt = { id: inquiry!.id, key: 'run-7', state: 'open', deadlineAt: inquiry!.deadlineAt };
  deepStrictEqual(
    [first, await post(ask), (await all()).length],
    [{ status: 201, body: receipt }, { status: 200, body: receipt }, 1],
  );
  strictEqual(Date.parse(inquiry!.deadlineAt) - place.database.clock.now() <= 300_000, true);
  await answer(inquiry!.id, { response: 'yes' });
  deepStrictEqual(await post(ask), { status: 200, body: { ...receipt, state: 'resolved' } });
  await dispatcher.runDue();
  const [told] = answers.heard;
  const { type, data } = new Webhook(webhookSecret).verify(told!.body, told!.headers as Record<string, string>) as {
    type: string;
    data: object;
  };
  deepStrictEqual([type, data], ['inquiry.resolved', (await all())[0]]);
});

test('[LIV4] a node with too much to do refuses what is posted to ask, and takes back what stands', async (t) => {
  const { post, all, asks } = await connected(t);
  await post({ prompt: 'Ship it?', key: 'run-7' });
  asks.enter = () => {
    throw new TooMany('hub.overloaded', 'Too much.', 3, 503);
  };
  const refused = await post({ prompt: 'Refused?' });
  deepStrictEqual([refused.status, refused.body.code, refused.retryAfter], [503, 'hub.overloaded', '3']);
  deepStrictEqual((await post({ withdraw: 'run-7' })).status, 200);
  deepStrictEqual(
    (await all()).map(({ resolution }) => resolution?.outcome),
    ['withdrawn'],
  );
});

test('[ASK3] an ask is refused with every fault where it stands, and nothing is stored', async (t) => {
  const { post, all } = await connected(t);
  const secret = { id: 'pin', type: 'text', prompt: 'PIN?', secret: true };
  const cases: [unknown, string[]][] = [
    [{ prompt: 'A', nonsense: 1 }, ['/nonsense']],
    [{}, ['/prompt']],
    [[{ prompt: 'A' }], ['']],
    [{ prompt: 'A', callback: { url: 'https://elsewhere.example/' } }, ['/callback']],
    [{ prompt: 1, questions: [secret], callback: 7 }, ['/prompt', '/questions/0/secret', '/callback']],
    [{ prompt: 'A', to: ['ben'] }, ['/to/0']],
    [{ prompt: 'A', key: '' }, ['/key']],
    [{ withdraw: 'a', reason: 7, prompt: 'A' }, ['/reason', '/prompt']],
    [{ ...EVENT, data: { prompt: 'A', to: ['ben'] } }, ['/data/to/0']],
    [{ ...EVENT, data: { prompt: 'A', callback: null } }, ['/data/callback']],
    [{ ...EVENT, data: JSON.stringify({ prompt: 'A' }) }, ['/data']],
    [{ ...EVENT, data_base64: 'eyJwcm9tcHQiOiJBIn0=' }, ['/data_base64']],
    [{ ...EVENT, specversion: '0.3', id: '', source: 'a b', type: 1 }, ['/specversion', '/id', '/source', '/type']],
    [{ ...EVENT, id: 'x'.repeat(200), data: { prompt: 'A' } }, ['/data/key']],
  ];
  for (const [body, places] of cases) {
    const reply = await post(body);
    deepStrictEqual([body, reply.status, placesOf(reply)], [body, 422, places]);
  }
  const callback = await post({ prompt: 'A', callback: { url: 'https://elsewhere.example/' } });
  match(JSON.stringify(callback.body), /\/callback is not for this address: its owner typed where answers go\./);
  const refused = [
    await post('{"prompt": "A"', JSON_TYPE),
    await post({ prompt: 'A' }, { 'content-type': 'text/plain' }),
    await post([{ ...EVENT, data: { prompt: 'A' } }], { 'content-type': 'application/cloudevents-batch+json' }),
    await post({ prompt: 'A'.repeat(262_144) }),
  ];
  deepStrictEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [
      [400, 'request.malformed'],
      [415, 'request.unsupported_media'],
      [415, 'request.unsupported_media'],
      [413, 'request.too_large'],
    ],
  );
  deepStrictEqual(await all(), []);
});

test('who is asked is whom the owner typed, unless an ask names some of them', async (t) => {
  const { post, all, call, connection, database } = await connected(t);
  const { personId } = await addSource(database, null);
  const handle = personId.slice(-12);
  const path = `/v1/connections/${connection.id}`;
  const asks = async (to?: string[]) => {
    const { status } = await post({ prompt: 'A', to });
    return [status, (await all()).at(-1)?.to.join(' ')] as const;
  };
  deepStrictEqual(await asks([handle]), [422, undefined]);
  await call('PATCH', path, { to: [handle, 'owner'] });
  deepStrictEqual(await asks(['owner']), [201, 'owner']);
  deepStrictEqual((await asks())[1]?.split(' ').toSorted(), [handle, 'owner'].toSorted());
  await call('PATCH', path, { to: [handle] });
  deepStrictEqual([(await asks(['owner']))[0], await asks()], [422, [201, handle]]);
  // As after whoever it was is removed.
  await database.transaction((trx) =>
    trx.updateTable('sources').set({ may_ask: '[]' }).where('id', '=', connection.id).execute(),
  );
  const gone = await post({ prompt: 'B' });
  deepStrictEqual([gone.status, placesOf(gone)], [422, ['/to']]);
});

test('each call of an address leaves a contact, with what was asked', async (t) => {
  const { post, call, connection } = await connected(t);
  const { body } = await post({ prompt: 'Ship it?', key: 'run-7' });
  await post({ prompt: 7 });
  await post({ withdraw: 'run-7' });
  for (;;) {
    const reply = await call('GET', `/v1/connections/${connection.id}/contacts`);
    const { items } = reply.body as { items: Contact[] };
    if (items.length < 3) continue;
    const about = { id: body.id, key: 'run-7', text: 'Ship it?', outcome: 'withdrawn' };
    deepStrictEqual(
      items.map(({ id: _id, at: _at, ms: _ms, inquiries, ...rest }) => ({
        ...rest,
        inquiries: inquiries.map(({ answer: _answer, ...one }) => one),
      })),
      [
        { what: 'webhook', status: 200, inquiries: [about] },
        {
          what: 'webhook',
          status: 422,
          problem: { code: 'inbound.refused', detail: 'The hub refused what was posted, with status 422.' },
          inquiries: [],
        },
        { what: 'webhook', status: 201, inquiries: [about] },
      ],
    );
    return;
  }
});

test('[DLV1] an answer address is not taken away while questions wait whose answers it is to take', async (t) => {
  const { post, call, answer, all, connection } = await connected(t);
  await post({ prompt: 'Ship it?' });
  const away = () => call('PATCH', `/v1/connections/${connection.id}`, { answerUrl: null });
  const refused = await away();
  deepStrictEqual([refused.status, (refused.body as { code: string }).code], [409, 'connection.has_open_questions']);
  await answer((await all())[0]!.id, { response: 'yes' });
  strictEqual((await away()).status, 200);
});

test('a connection without an answer address asks nobody', async (t) => {
  const { post, all } = await connected(t, { answerUrl: undefined });
  const { status, body } = await post({ prompt: 'A' });
  deepStrictEqual([status, body.code, await all()], [409, 'connection.no_answer_url', []]);
});

test('[RES5] the holder of an address takes back what was asked there, by key or id, and reads no answer', async (t) => {
  const { post, all, answer, connect, place } = await connected(t);
  await post({ prompt: 'One?', key: 'one' });
  const { body: two } = await post({ prompt: 'Two?' });
  await post({ prompt: 'Three?', key: 'three' });
  const [one, , three] = await all();
  const taken = { state: 'withdrawn' };
  const oneTaken = { status: 200, body: { id: one!.id, key: 'one', deadlineAt: one!.deadlineAt, ...taken } };
  deepStrictEqual(await post({ withdraw: 'one', reason: 'The run was stopped' }), oneTaken);
  deepStrictEqual(await post({ withdraw: 'one' }), oneTaken);
  deepStrictEqual(await post({ withdraw: two.id }), { status: 200, body: { ...two, ...taken } });
  await answer(three!.id, { response: 'A word for the platform alone' });
  const threeEnded = {
    status: 200,
    body: { id: three!.id, key: 'three', deadlineAt: three!.deadlineAt, state: 'resolved' },
  };
  deepStrictEqual(await post({ withdraw: 'three' }), threeEnded);
  deepStrictEqual(
    (await all()).map(({ resolution }) => [resolution?.outcome, resolution?.message]),
    [
      ['withdrawn', 'The run was stopped'],
      ['withdrawn', undefined],
      ['answered', undefined],
    ],
  );

  const superseding = await post({ prompt: 'Four?', supersedes: three!.id });
  deepStrictEqual([superseding.status, superseding.body.code], [409, 'inquiry.already_resolved']);
  const reused = await post({ prompt: 'Other?', key: 'three' });
  deepStrictEqual([reused.status, reused.body.code], [409, 'inquiry.key_reused']);
  strictEqual(JSON.stringify([superseding, reused]).includes('A word'), false);

  const other = await connect({ name: 'Other', kind: 'inbound', answerUrl: 'https://other.example/' });
  const theirs = await place.ask({ prompt: 'Theirs?', key: 'theirs' });
  for (const withdraw of [one!.id, 'one', 'theirs', theirs, 'nothing', 'inq_']) {
    const body = JSON.stringify({ withdraw });
    const reply = await fetch(other.url, { method: 'POST', headers: JSON_TYPE, body });
    deepStrictEqual([reply.status, ((await reply.json()) as { code: string }).code], [404, 'inquiry.unknown']);
  }
});

test('a CloudEvent is asked once by its source and id, structured or binary, and takes back as well', async (t) => {
  const { post, all } = await connected(t);
  const structured = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
  const data = { prompt: 'Ship it?' };
  const binary = (id: string): Record<string, string> => ({
    ...JSON_TYPE,
    'ce-specversion': '1.0',
    'ce-id': id,
    'ce-source': '/flows/%E4%BD%A0',
    'ce-type': 'com.example.asked',
  });
  const replies = [
    await post({ ...EVENT, data }, structured),
    await post({ ...EVENT, data }),
    await post({ ...EVENT, id: 'e-2', data, datacontenttype: 'application/json', traceparent: '00-1' }),
    await post(data, binary('e-1')),
    await post({ ...EVENT, source: '/flows/你', data }),
    await post({ ...EVENT, data: { ...data, key: 'mine' } }),
    await post({ ...EVENT, id: 'e-9', data: { withdraw: '/flows/7 e-1' } }),
    await post({ withdraw: 'mine' }, binary('e-8')),
  ];
  deepStrictEqual(
    replies.map(({ status, body }) => [status, body.key, body.state]),
    [
      [201, '/flows/7 e-1', 'open'],
      [200, '/flows/7 e-1', 'open'],
      [201, '/flows/7 e-2', 'open'],
      [201, '/flows/你 e-1', 'open'],
      [200, '/flows/你 e-1', 'open'],
      [201, 'mine', 'open'],
      [200, '/flows/7 e-1', 'withdrawn'],
      [200, 'mine', 'withdrawn'],
    ],
  );
  strictEqual((await all()).length, 4);
  const nameless = await post(data, { ...JSON_TYPE, 'ce-specversion': '1.0', 'ce-id': 'e-1' });
  deepStrictEqual([nameless.status, placesOf(nameless)], [422, ['/source', '/type']]);
});

test('whatever bytes and headers come are answered with a receipt or a refusal', async (t) => {
  const { url } = await connected(t);
  const known = [
    { prompt: 'A', key: 'a' },
    { withdraw: 'a' },
    { ...EVENT, data: { prompt: 'B' } },
    { ...EVENT, data: { withdraw: '/flows/7 e-1' }, data_base64: 'AA==' },
  ];
  // A known message with one member replaced, or nothing like one.
  const mutated = fc
    .tuple(fc.constantFrom(...known), fc.constantFrom('prompt', 'key', 'withdraw', 'data', 'id', 'to'), fc.jsonValue())
    .map(([message, member, value]) => JSON.stringify({ ...message, [member]: value }));
  const body = fc.oneof(mutated, fc.json(), fc.string({ unit: 'binary' }), fc.uint8Array());
  const word = fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[^\x21-\x7e]/g, '%'));
  const headers = fc.record(
    {
      'content-type': fc.constantFrom('application/json', 'application/cloudevents+json', 'application/x+json', 'a'),
      'ce-specversion': fc.constantFrom('1.0', '0.3'),
      'ce-id': word,
      'ce-source': word,
      'ce-type': word,
      'webhook-id': word,
      'webhook-timestamp': word,
      'webhook-signature': word,
    },
    { requiredKeys: ['content-type'] },
  );
  await fc.assert(
    fc.asyncProperty(body, headers, async (sent, given) => {
      const reply = await fetch(url, { method: 'POST', headers: given as Record<string, string>, body: sent });
      const { status } = reply;
      const said = (await reply.json()) as object;
      if (status < 300) deepStrictEqual(Object.keys(said).toSorted().join().replace('key,', ''), 'deadlineAt,id,state');
      else deepStrictEqual([400, 404, 409, 415, 422].includes(status) && 'code' in said, true);
    }),
    { numRuns: 100 },
  );
});

test('where a connection has a secret, what is not signed with it changes nothing', async (t) => {
  const { post, all, call, connection } = await connected(t, { inboundSecret: SECRET });
  const body = '{ "prompt":"Ship it?", "n": 1 }'.replace(', "n": 1', '');
  const wire = new Webhook(SECRET);
  const at = new Date();
  const signed = (id: string, over = body, when = at, by = wire) => ({
    ...JSON_TYPE,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(when.getTime() / 1000)),
    'webhook-signature': by.sign(id, when, over),
  });
  const ago = (ms: number) => new Date(at.getTime() - ms);
  const other = new Webhook(`whsec_${Buffer.from('another secret, of 24 bytes').toString('base64')}`);
  const { 'webhook-id': _id, ...nameless } = signed('m-1');
  const bad: [string, Record<string, string>][] = [
    [body, JSON_TYPE],
    [body, nameless],
    [body, signed('m-1', body, at, other)],
    [`${body} `, signed('m-1')],
    [body, signed('m-1', body, ago(301_000))],
    [body, signed('m-1', body, ago(-302_000))],
    [body, { ...signed('m-1'), 'webhook-id': 'm-2' }],
    [body, { ...signed('m-1'), 'webhook-signature': 'v1' }],
    [body, { ...signed('m-1'), 'webhook-signature': signed('m-1')['webhook-signature'].replace('v1,', 'v2,') }],
    [body, signed('m-1.2')],
    [body, signed('.')],
    ['{"withdraw":"m-1"}', JSON_TYPE],
    ['not JSON', { 'content-type': 'text/plain' }],
  ];
  for (const [text, headers] of bad) {
    const reply = await post(text, headers);
    deepStrictEqual([text, headers, reply.status, reply.body.code], [text, headers, 401, 'signature.refused']);
  }
  deepStrictEqual(await all(), []);

  const several = { ...signed('m-1'), 'webhook-signature': `v1,AAAA v1a,BBBB ${signed('m-1')['webhook-signature']}` };
  const good = [
    await post(body, several),
    await post(body, signed('m-1', body, ago(60_000))),
    await post(body, signed('m-2')),
    await post('{"withdraw":"m-2"}', signed('m-3', '{"withdraw":"m-2"}')),
    await post({ prompt: 'Other?' }, signed('m-1', '{"prompt":"Other?"}')),
    await post('not JSON', signed('m-4', 'not JSON')),
  ];
  deepStrictEqual(
    good.map(({ status, body: said }) => [status, said.key ?? said.code]),
    [
      [201, 'm-1'],
      [200, 'm-1'],
      [201, 'm-2'],
      [200, 'm-2'],
      [409, 'inquiry.key_reused'],
      [400, 'request.malformed'],
    ],
  );
  strictEqual((await all()).length, 2);

  const path = `/v1/connections/${connection.id}`;
  const read = (await call('PATCH', path, { name: 'Flow 2' })).body as { hasInboundSecret: boolean };
  deepStrictEqual([read.hasInboundSecret, JSON.stringify(read).includes('whsec_')], [true, false]);
  strictEqual((await post({ prompt: 'A' })).status, 401);
  await call('PATCH', path, { inboundSecret: null });
  deepStrictEqual((await post({ prompt: 'A' }, { ...JSON_TYPE, 'webhook-id': 'static' })).body.key, undefined);
});
