import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { readRoutes } from './fuzz/calls.ts';
import { complaint } from './fuzz/judge.ts';
import { send, sendRaw } from './fuzz/send.ts';
import { all, call, must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';

const BODY_LIMIT = 262_144;

for (const engine of ['SQLite', 'Postgres'] as const) edges(engine);

function edges(engine: Engine): void {
  describe(`the edges of what is taken, on ${engine}`, { timeout: 240_000 }, () => {
    let nodes: Nodes;
    let hub: Hub;
    let owner: Device;
    let source: NewSourceReply;

    before(async () => {
      nodes = await startNodes(engine);
      [hub] = nodes.nodes;
      owner = await ownerDevice(hub);
      source = await addSource(hub, owner, 'Asker');
    });
    after(() => nodes?.remove());

    const ask = (body: object) => must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body });
    const answer = (id: string, body: object) =>
      call<AnswerReply & Problem>(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body });
    const read = (id: string) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: source.key });

    async function post(
      path: string,
      token: string,
      text: string,
    ): Promise<{ status: number; text: string; code: string | undefined }> {
      const body = Buffer.from(text);
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': body.length,
      };
      const got = await send(hub, { method: 'POST', path, headers, body });
      const { status = 0, text: replied = '' } = got ?? {};
      return { status, text: replied, code: status < 400 ? undefined : (JSON.parse(replied) as Problem).code };
    }

    test('[ASK3] an ask of exactly 256 KiB is taken, one byte more is refused and not stored', async () => {
      const filled = (bytes: number): string => {
        const empty = '{"actions":[{"name":"fill","args":"","allowed":["approve"]}]}';
        return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
      };
      const before = await all<Inquiry>(hub, '/v1/inquiries', source.key);
      const taken = await post('/v1/inquiries', source.key, filled(BODY_LIMIT));
      const refused = await post('/v1/inquiries', source.key, filled(BODY_LIMIT + 1));
      deepStrictEqual([taken.status, refused.status, refused.code], [201, 413, 'request.too_large']);
      deepStrictEqual((await all<Inquiry>(hub, '/v1/inquiries', source.key)).length, before.length + 1);
    });

    test('[RES3] an answer of exactly 256 KiB is taken, one byte more is refused and the inquiry stays open', async () => {
      const { id } = await ask({ prompt: 'How long?' });
      const filled = (bytes: number): string => `{"text":"${'y'.repeat(bytes - '{"text":""}'.length)}"}`;
      const refused = await post(`/v1/inquiries/${id}/answer`, owner.token, filled(BODY_LIMIT + 1));
      const open = await read(id);
      const taken = await post(`/v1/inquiries/${id}/answer`, owner.token, filled(BODY_LIMIT));
      deepStrictEqual(
        [refused.status, refused.code, open.resolution, taken.status],
        [413, 'request.too_large', undefined, 200],
      );
    });

    test('[ASK3] 64 levels of nesting are taken, 65 are refused', async () => {
      // The ask itself is three levels: the body, the list and the action.
      const nested = (levels: number): string =>
        `{"actions":[{"name":"deep","args":${'['.repeat(levels - 3)}${']'.repeat(levels - 3)},"allowed":["approve"]}]}`;
      const [taken, refused] = [
        await post('/v1/inquiries', source.key, nested(64)),
        await post('/v1/inquiries', source.key, nested(65)),
      ];
      deepStrictEqual([taken.status, refused.status, refused.code], [201, 400, 'request.malformed']);
    });

    test('[ASK3] numbers that no double holds come back as they were written', async () => {
      const args =
        '{"id":9007199254740993,"huge":1e999,"zero":-0,"one":1.0,"tiny":1e-400,"long":0.1234567890123456789}';
      const { status, text } = await post(
        '/v1/inquiries',
        source.key,
        `{"actions":[{"name":"pay","args":${args},"allowed":["approve","edit"]}],"correlation":9007199254740993}`,
      );
      const { id, digest } = JSON.parse(text) as Inquiry;
      const body = `{"digest":"${digest}","decisions":[{"type":"edit","args":{"id":9007199254740995}}]}`;
      const won = await post(`/v1/inquiries/${id}/answer`, owner.token, body);
      const shown = await send(hub, {
        method: 'GET',
        path: `/v1/inquiries/${id}`,
        headers: { authorization: `Bearer ${source.key}` },
        body: undefined,
      });
      deepStrictEqual(
        [status, text.includes(`"args":${args}`), text.includes('"correlation":9007199254740993')],
        [201, true, true],
      );
      deepStrictEqual([won.status, shown?.text.includes('"args":{"id":9007199254740995}')], [200, true]);
    });

    test('[RES3] names that every object has are ids like any other', async () => {
      const ids = ['constructor', 'toString', 'hasOwnProperty', 'valueOf'];
      const { id } = await ask({ questions: ids.map((one) => ({ id: one, type: 'text', prompt: one })) });
      const missing = await answer(id, { values: {} });
      deepStrictEqual(
        [missing.status, missing.body.faults?.map(({ path, code }) => [path, code])],
        [422, ids.map((one) => [`/values/${one}`, 'answer.missing'])],
      );
      const values = Object.fromEntries(ids.map((one) => [one, `my ${one}`]));
      deepStrictEqual([(await answer(id, { values })).status, (await read(id)).resolution?.answer], [200, { values }]);
    });

    test('[ASK3] names that every object has are handles of nobody until somebody has them', async () => {
      const nobody = await call<Problem>(hub, 'POST /v1/inquiries', {
        token: source.key,
        body: { prompt: 'Hello?', to: ['constructor', '__proto__'] },
      });
      deepStrictEqual([nobody.status, nobody.body.faults?.map(({ path }) => path)], [422, ['/to/0', '/to/1']]);
      const person = await addPerson(hub, owner, 'constructor');
      const other = await addSource(hub, owner, 'Other', { mayAsk: ['constructor'] });
      const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', {
        token: other.key,
        body: { prompt: 'Hello?', to: ['constructor'] },
      });
      deepStrictEqual(
        (await all<Inquiry>(hub, '/v1/inbox', person.token)).map((one) => one.id),
        [id],
      );
    });

    test('[RES3] an answer to what was not shown is refused, and the inquiry stays open', async () => {
      const actions = [{ name: 'drop', args: { table: 'a' }, allowed: ['approve'] }];
      const [shown, other] = [
        await ask({ actions }),
        await ask({ actions: [{ ...actions[0], args: { table: 'b' } }] }),
      ];
      const decisions = [{ type: 'approve' }];
      const stale = await answer(shown.id, { decisions, digest: other.digest });
      const none = await answer(shown.id, { decisions });
      deepStrictEqual(
        [stale, none].map(({ status, body }) => [
          status,
          body.code,
          body.faults?.map(({ path, code }) => [path, code]),
        ]),
        [
          [422, 'answer.does_not_fit', [['/digest', 'answer.digest']]],
          [422, 'answer.does_not_fit', [['/digest', 'answer.digest_missing']]],
        ],
      );
      deepStrictEqual((await read(shown.id)).resolution, undefined);
    });

    test('[ASK3] U+0000, half a surrogate pair, __proto__ and a member twice are refused wherever they stand, other text is kept', async () => {
      const bad = [
        '{"prompt":"a\\u0000b"}',
        '{"prompt":"\\ud83d"}',
        '{"prompt":"a","correlation":{"__proto__":1}}',
        '{"prompt":"a","correlation":["\\udc00"]}',
        '{"prompt":"a","correlation":{"\\u0000":1}}',
        '{"prompt":"a","prompt":"b"}',
        '{"actions":[{"name":"x","args":{"p":1,"\\u0070":2},"allowed":["approve"]}]}',
      ];
      const refused = [];
      for (const text of bad) refused.push(await post('/v1/inquiries', source.key, text));
      deepStrictEqual(
        refused.map(({ status, code }) => [status, code]),
        bad.map(() => [422, 'request.invalid']),
      );
      const prompt = 'emoji 👩‍👩‍👧‍👦, right to left שלום \u202e‮, lines\u2028\u2029, bell \u0007, e\u0301';
      deepStrictEqual((await read((await ask({ prompt })).id)).prompt, prompt);
    });

    test('a cursor that a list did not give is refused by each list, and names the parameter', async () => {
      const routes = (await readRoutes(hub)).filter(({ query }) => query.some(({ name }) => name === 'cursor'));
      const cut = owner.personId.slice(0, -1);
      for (const { name, security } of routes) {
        const token = security.includes('device') ? owner.token : source.key;
        for (const cursor of ['', 'x', cut, `${cut}!`, owner.id, `${owner.personId}${owner.personId}`]) {
          const { status, body } = await call<Problem>(hub, `${name}?cursor=${cursor}`, { token });
          deepStrictEqual([name, status, body.faults?.map(({ path }) => path)], [name, 422, ['/cursor']]);
        }
      }
      deepStrictEqual(
        routes.map(({ path }) => path).toSorted(),
        [
          'connections/{id}/contacts',
          'deliveries',
          'groups',
          'history',
          'inbox',
          'inquiries',
          'notices',
          'people',
          'sources',
        ].map((list) => `/v1/${list}`),
      );
    });

    test('[SEC1] an address with a token that is not good meets 404 and nothing else', async () => {
      for (const method of ['GET', 'POST', 'PUT'])
        for (const path of ['/v1/in/x', '/v1/in/x/models', `/v1/in/bki_${'x'.repeat(43)}`]) {
          const got = await send(hub, { method, path, headers: {}, body: undefined });
          deepStrictEqual([method, path, got?.status, got?.text], [method, path, 404, '']);
        }
    });

    test('what cannot be read as HTTP, or stands at no address, is refused as a problem too', async () => {
      const raw = [
        'NONSENSE\r\n\r\n',
        'GET /v1/inbox HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
        'POST /v1/inquiries HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
        'POST /v1/inquiries HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
        `GET /v1/inbox HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
        'GET http://evil.example/v1/inbox HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
        'GET /v1/in\u0000box HTTP/1.1\r\nHost: a\r\n\r\n',
      ];
      const paths = [
        '/%',
        '/%ff',
        '/v1',
        '/v1/',
        '//',
        '//evil.example/x',
        '/v1/../etc/passwd',
        '/assets/..%2f..%2fpackage.json',
        '/%00',
        '/docs/%2e%2e/x',
        '/?%',
      ];
      const replies = [];
      for (const bytes of raw) replies.push({ sent: bytes.slice(0, 60), ...(await sendRaw(hub, bytes)) });
      for (const path of paths)
        for (const method of ['GET', 'POST', 'PUT'])
          replies.push({
            sent: `${method} ${path}`,
            ...(await send(hub, { method, path, headers: {}, body: undefined })),
          });
      const wrong = replies.flatMap(({ sent, status = 0, type = '', text = '' }) =>
        status === 0
          ? [`${sent}: no reply`]
          : [complaint({ status, type, text })].flatMap((told) => (told ? [`${sent}: ${told}`] : [])),
      );
      deepStrictEqual(wrong, []);
    });
  });
}
