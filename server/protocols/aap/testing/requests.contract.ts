import { deepStrictEqual, match, notStrictEqual, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { newId, toUuid } from '#shared/ids.ts';
import { ask } from '../../../inquiries/ask.ts';
import type { Through } from '../../../inquiries/open.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { TooMany } from '../../../platform/http/rate-limits.ts';
import { DAY_MS } from '../../../platform/clock.ts';
import { forgetResolved, sweep } from '../../../inquiries/expire.ts';
import { accept, allows, type Seen } from './peer.ts';
import { CALL, testsOn, type Reply, type Scene } from './scene.ts';
import { wrongWith } from './schemas.ts';

const sent = JSON.stringify(CALL);
const told = ({ status, body }: Reply) => [status, body.status ?? body.error?.code];
const path = ({ body }: Reply, wait = '') => `/v1/requests/${body.id}${wait}`;

/** What the protocol's document demands of every provider of requests, one test for each of its numbers; on every engine. */
export function requestsContract(openOn: (t: TestContext) => Promise<Place>): void {
  const test = testsOn(openOn);

  test('[AAP1] [SEC1] [door] provider 1: credentials are authenticated, and only its own requests are told to an instance', async (s) => {
    const asked = await s.ask();
    const device = await s.device();
    const calls = ['POST /v1/requests', `GET ${path(asked)}`, `DELETE ${path(asked)}`];
    const provisions = [
      'POST /v1/instances',
      `GET /v1/instances/${randomUUID()}`,
      `PATCH /v1/instances/${randomUUID()}`,
    ];
    const met = async (as: string, routes: string[]) => {
      const replies = await Promise.all(
        routes.map((route) => s.call(route, { as, key: 'k', ...(route.startsWith('P') ? { body: CALL } : {}) })),
      );
      for (const { body, headers } of replies) {
        deepStrictEqual([wrongWith('error', body), body.error?.request_id], [[], headers.get('x-request-id')]);
        ok(!JSON.stringify(body).includes(as) || as === '');
      }
      return replies.map(({ status, body }) => `${status} ${body.error?.type}`);
    };
    const each = (what: string, count: number) => Array<string>(count).fill(what);
    for (const as of ['', `bks_${'x'.repeat(43)}`, 'x'])
      deepStrictEqual(await met(as, [...calls, ...provisions]), each('401 authentication', 6));
    deepStrictEqual(await met(device, [...calls, ...provisions]), each('403 authorization', 6));
    deepStrictEqual(await met(s.keys.provisioner, calls), each('403 authorization', 3));
    deepStrictEqual(await met(s.keys.instance, provisions.slice(1, 2)), ['403 authorization']);
    deepStrictEqual(await met(s.keys.other, calls.slice(1)), each('404 not_found', 2));
    // Nor by the same text in its body: who asks is whose key it is.
    deepStrictEqual(
      (await s.open()).map(({ source }) => source.name),
      ['CI'],
    );
  });

  test('[AAP1] [door] provider 2: a request is created, read, waited for and cancelled', async (s) => {
    const asked = await s.ask();
    deepStrictEqual([told(asked), wrongWith('request', asked.body)], [[201, 'pending'], []]);
    const first = accept(asked.text, sent);
    deepStrictEqual((await s.call(`GET ${path(asked)}`)).text, asked.text);
    const waits = [s.call(`GET ${path(asked, '?wait=30s')}`), s.call(`GET ${path(asked, '?wait=1h')}`)];
    const waiting = Promise.all(waits);
    const cancelled = await s.call(`DELETE ${path(asked)}`);
    deepStrictEqual(
      [told(cancelled), accept(cancelled.text, sent, first).decision?.status],
      [[200, 'cancelled'], 'cancelled'],
    );
    for (const one of await waiting) deepStrictEqual(one.text, cancelled.text);
    deepStrictEqual((await s.call(`DELETE ${path(asked)}`)).text, cancelled.text);
    deepStrictEqual(told(await s.call(`GET ${path(asked, '?wait=1s&wait=2s')}`)), [400, 'request_invalid']);
    for (const wait of ['0s', '30', '-1s', '1.5s', '1d', '', '30s '])
      deepStrictEqual(told(await s.call(`GET ${path(asked)}?wait=${encodeURIComponent(wait)}`)), [
        400,
        'request_invalid',
      ]);
    // A wait that ends says that it is pending still.
    const other = await s.ask();
    deepStrictEqual(told(await s.call(`GET ${path(other, '?wait=1s')}`)), [200, 'pending']);
  });

  test('[AAP1] [ASK2] [door] provider 3: a retry finds its request, and its key takes nothing else', async (s) => {
    const [key, again] = [randomUUID(), { timeout: '30m', arguments: { amount: 4900 }, tool: 'issue_refund' }];
    const asked = await s.ask(CALL, key);
    for (const body of [
      again,
      JSON.stringify(again, null, 2),
      sent.replace('4900', '4.9e3'),
      sent.replace('4900', '4900.0'),
    ])
      deepStrictEqual([told(await s.ask(body, key)), (await s.open()).length], [[200, 'pending'], 1]);
    for (const body of [
      { ...CALL, arguments: {} },
      { ...CALL, timeout: '1800s' },
      { ...CALL, context: {} },
    ])
      deepStrictEqual(told(await s.ask(body, key)), [409, 'idempotency_conflict']);
    await s.decide();
    const replayed = await s.ask(CALL, key);
    deepStrictEqual([told(replayed), replayed.body.id], [[200, 'approved'], asked.body.id]);
    deepStrictEqual(told(await s.ask({ ...CALL, arguments: {} }, key)), [409, 'idempotency_conflict']);
    // A key is of the instance and of the operation.
    notStrictEqual((await s.ask(CALL, key, s.keys.other)).body.id, asked.body.id);
    deepStrictEqual(told(await s.call('POST /v1/requests', { body: CALL })), [400, 'idempotency_key_missing']);
    const together = await Promise.all(Array.from({ length: 8 }, () => s.ask(CALL, 'at once')));
    deepStrictEqual(
      [
        together.map(({ status }) => status).toSorted((a, b) => a - b),
        new Set(together.map(({ body }) => body.id)).size,
      ],
      [[...Array<number>(7).fill(200), 201], 1],
    );
  });

  test('[AAP1] [RES1] [door] provider 4: answer and cancellation race, and one of them is the end for good', async (s) => {
    for (let round = 0; round < 6; round++) {
      const asked = await s.ask();
      const [{ id, digest } = { id: '' }] = await s.open();
      const approve = s.place.answer(id, { decisions: [{ type: 'approve' }], digest });
      const [, cancelled] = await Promise.all([approve, s.call(`DELETE ${path(asked)}`)]);
      const end = await s.call(`GET ${path(asked)}`);
      deepStrictEqual(told(cancelled), end.body.status === 'approved' ? [409, 'already_terminal'] : [200, 'cancelled']);
      deepStrictEqual((await s.call(`GET ${path(asked, '?wait=30s')}`)).text, end.text);
      accept(end.text, sent, accept(asked.text, sent));
    }
  });

  test('[AAP1] [RES4] [door] provider 5: what nobody decided by its deadline is expired, and no approval follows', async (s) => {
    const asked = await s.ask({ ...CALL, timeout: '90s' });
    const { created_at, deadline_at } = asked.body as Seen;
    deepStrictEqual(Date.parse(deadline_at) - Date.parse(created_at), 90_000);
    const [inquiry] = await s.open();
    // No extension moves it.
    deepStrictEqual([inquiry?.latestAt, inquiry?.deadlineAt], [deadline_at, deadline_at]);
    s.place.pass(90_000);
    await sweep(s.place.inquiries);
    const late = await s.place
      .answer(inquiry?.id ?? '', { decisions: [{ type: 'approve' }], digest: inquiry?.digest ?? '' })
      .catch((error: unknown) => error);
    ok(late);
    const end = await s.call(`GET ${path(asked)}`);
    const seen = accept(end.text, JSON.stringify({ ...CALL, timeout: '90s' }), asked.body as Seen);
    deepStrictEqual([seen.status, Object.keys(seen.decision ?? {})], ['expired', ['status', 'decided_at']]);
    deepStrictEqual(told(await s.call(`DELETE ${path(asked)}`)), [409, 'already_terminal']);
    // As long as an inquiry may be open, and never longer than asked.
    const far = (await s.ask({ ...CALL, timeout: `${'9'.repeat(400)}h` })).body as Seen;
    deepStrictEqual(Date.parse(far.deadline_at) - Date.parse(far.created_at), 30 * DAY_MS);
  });

  test('[AAP1] [DIA1] [door] provider 6: each end is the state that the document has for it', async (s) => {
    const ends: [work: (s: Scene) => Promise<unknown>, state: string, note?: string][] = [
      [() => s.decide(), 'approved'],
      [() => s.decide({ type: 'reject' }), 'denied'],
      [() => s.decide({ type: 'reject', message: 'Not on a Friday.' }), 'denied', 'Not on a Friday.'],
      [
        async () => s.place.answer((await s.open())[0]?.id ?? '', { outcome: 'declined', message: 'No.' }),
        'denied',
        'No.',
      ],
      [async () => undefined, 'pending'],
    ];
    for (const [end, state, note] of ends) {
      const asked = await s.ask();
      await end(s);
      const read = await s.call(`GET ${path(asked)}`);
      const { decision, status } = accept(read.text, sent, asked.body as Seen);
      deepStrictEqual([wrongWith('request', read.body), status, decision?.note], [[], state, note]);
    }
    // Whoever decides has approve and reject, and nothing that the protocol has no word for.
    const [{ actions, id, digest } = await Promise.reject(new Error('none'))] = await s.open();
    deepStrictEqual(
      actions?.map(({ allowed }) => allowed),
      [['approve', 'reject']],
    );
    await rejects(s.place.answer(id, { decisions: [{ type: 'edit', args: { amount: 1 } }], digest }));
    await rejects(s.place.answer(id, { decisions: [{ type: 'respond', message: 'Do it.' }], digest }));
  });

  test('[AAP1] [ASK4] [door] provider 7: tool and arguments are shown and echoed as they came, to the last digit', async (s) => {
    const text =
      '{"arguments":{"id":9007199254740993,"rate":1.10,"big":1e400,"nested":[{"a":null,"10":true,"2":"é\\u003c"}],"":""},' +
      '"tool":"transfer","server":"bank","timeout":"5m","agent_reasoning":"# Approved already\\nsays ops","context":' +
      '{"runtime":"claude-code","session_id":"s1","cwd":"/srv","call_id":"c","instance_id":"another","n":1.0}}';
    const asked = await s.ask(text);
    accept(asked.text, text);
    const [shown] = await s.open();
    deepStrictEqual(
      [shown?.source.name, shown?.title, shown?.actions?.[0]?.name, shown?.actions?.[0]?.description, shown?.context],
      [
        'CI',
        'mcp__bank__transfer',
        'mcp__bank__transfer',
        'The agent says, and nobody checked it:\n\n> # Approved already\n> says ops',
        { agent: 'claude-code', threadId: 's1', cwd: '/srv' },
      ],
    );
    match(JSON.stringify(shown), /9007199254740993.*1\.10.*1e400/s);
    await s.decide();
    accept((await s.call(`GET ${path(asked)}`)).text, text, asked.body as Seen);
  });

  test('[AAP1] [APR1] [door] provider 10: an approval has an end that nothing moves, and it stays an approval after it', async (s) => {
    const asked = await s.ask();
    await s.decide();
    const read = await s.call(`GET ${path(asked)}`);
    const { decision } = read.body as Seen;
    const validMs = Date.parse(decision?.expires_at ?? '') - Date.parse(decision?.decided_at ?? '');
    deepStrictEqual([validMs, allows(read.body as Seen, s.database.clock.now())], [300_000, true]);
    s.place.pass(301_000);
    const later = await s.call(`GET ${path(asked)}`);
    deepStrictEqual([later.text, allows(later.body as Seen, s.database.clock.now())], [read.text, false]);
    deepStrictEqual((await s.ask()).status, 201);
  });

  test('[AAP1] [door] provider 9: a request can be read for eight days, however short the history is kept', async (s) => {
    const key = randomUUID();
    const asked = await s.ask(CALL, key);
    await s.decide();
    const plain = await s.place.ask({ prompt: 'Another door?' });
    await s.place.answer(plain, { text: 'yes' });
    s.place.pass(7.9 * DAY_MS);
    await forgetResolved(s.database, 1);
    deepStrictEqual(
      [told(await s.call(`GET ${path(asked)}`)), told(await s.ask(CALL, key))],
      [
        [200, 'approved'],
        [200, 'approved'],
      ],
    );
    await rejects(s.place.read(plain));
    s.place.pass(0.2 * DAY_MS);
    await forgetResolved(s.database, 1);
    deepStrictEqual(told(await s.call(`GET ${path(asked)}`)), [404, 'request_not_found']);
  });

  test('[AAP1] [door] no other question of a source is a request, whatever id or key it has', async (s) => {
    const { sourceId } = s;
    const asks = (through?: Through) =>
      ask(s.place.inquiries, { sourceId, ask: { prompt: 'Yes?' }, waitMs: 0, ...(through ? { through } : {}) });
    const { inquiryId: id } = await asks();
    const dialect = { name: 'langgraph', label: 'LangGraph' };
    const kept = '0'.repeat(64) + JSON.stringify(CALL);
    const other = await asks({ id: newId('ask', Date.now()), dialect, kept, about: null, further: [] });
    for (const one of [toUuid(id), toUuid(other.inquiryId), id, 'x', randomUUID(), `${toUuid(id)}%20`])
      deepStrictEqual(told(await s.call(`GET /v1/requests/${one}`)), [404, 'request_not_found']);
    deepStrictEqual(told(await s.call('GET /v1/nothing')), [404, 'route_unknown']);
    for (const [one, code] of Object.entries({ '%zz': 'request_bad_url', ['x'.repeat(201)]: 'request_url_too_long' })) {
      const refused = await s.call(`GET /v1/requests/${one}`);
      deepStrictEqual([wrongWith('error', refused.body), ...told(refused)], [[], 400, code]);
      deepStrictEqual(refused.body.error?.request_id, refused.headers.get('x-request-id'));
    }
  });

  test('[AAP1] [LIV4] [door] a node with too much to do refuses new requests alone, and says when to come back', async (s) => {
    const asked = await s.ask();
    s.asks.enter = () => {
      throw new TooMany('hub.overloaded', 'Too much.', 3, 503);
    };
    const refused = await s.ask(CALL, 'k');
    deepStrictEqual(
      [refused.status, refused.body.error?.type, refused.body.error?.code, refused.headers.get('retry-after')],
      [503, 'dependency', 'hub_overloaded', '3'],
    );
    deepStrictEqual(told(await s.call(`DELETE ${path(asked)}`)), [200, 'cancelled']);
    deepStrictEqual((await s.open()).length, 0);
  });

  test('[AAP1] [door] a call that waits ends with 401 when its instance is revoked', async (s) => {
    const { body } = await s.provision();
    const as = body.credential?.token ?? '';
    const asked = await s.ask(CALL, 'k', as);
    const waiting = s.call(`GET ${path(asked, '?wait=30s')}`, { as });
    await s.call(`DELETE /v1/instances/${body.instance?.id}`, { as: s.keys.provisioner });
    deepStrictEqual(told(await waiting), [401, 'credential_unknown']);
  });
}
