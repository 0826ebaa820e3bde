import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { newId } from '#shared/ids.ts';
import type { Decider } from '#shared/policies/decider.ts';
import type { Fault } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { addDevice } from '../../../devices/admit.ts';
import { openScene, type Scene } from '../../../devices/testing/scene.ts';
import type { Database } from '../../../platform/database.ts';
import { chatServer } from '../model/testing/chat-server.ts';
import { deciderRoutes } from './routes.ts';

type Reply = Decider & { detail?: string; faults?: Fault[]; items?: unknown[] };

const ADA = {
  kind: 'chat',
  name: 'Ada',
  url: 'https://api.example.com/v1',
  model: 'small',
  instructions: 'Answer as Ada would.',
};

/** What must hold of stored deciders on either engine. */
export function decidersContract(database: (t: TestContext) => Promise<Database>): void {
  const open = async (t: TestContext) =>
    openScene(t, {
      opened: await database(t),
      routes: (app, moved) => deciderRoutes(app, { database: moved, sealingKey: Buffer.alloc(32, 7) }),
    });
  const call = async (s: Scene, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', body?: object) => {
    const reply = await s.call<Reply>(method, `/v1/deciders${path}`, {
      token: s.owner.token,
      ...(body ? { body } : {}),
    });
    if (reply.status === 204) return 'gone';
    const faults = reply.body.faults?.map((one) => `${one.path} ${one.message}`);
    return reply.status < 300 ? reply.body : [reply.status, faults ?? reply.body.detail];
  };
  const make = async (s: Scene, more: object = {}) => (await call(s, 'POST', '', { ...ADA, ...more })) as Decider;
  const list = async (s: Scene) => ((await call(s, 'GET')) as { items: Decider[] }).items;

  test('the key of a decider is sealed, read by nobody, and stays where none is sent', async (t) => {
    const s = await open(t);
    const { id, changedAt, ...made } = await make(s, { key: 'sk-secret' });
    deepStrictEqual(made, { ...ADA, hasKey: true, holdSeconds: 20, timeoutSeconds: 30 });
    const changed = (await call(s, 'PATCH', `/${id}`, { holdSeconds: 0 })) as Decider;
    deepStrictEqual(changed, { id, ...made, holdSeconds: 0, changedAt: changed.changedAt });
    deepStrictEqual(await list(s), [changed]);
    const rows = JSON.stringify(await s.database.read.selectFrom('deciders').selectAll().execute());
    deepStrictEqual([rows.includes('sk-secret'), JSON.stringify(changed).includes('sk-secret')], [false, false]);
    strictEqual(((await call(s, 'PATCH', `/${id}`, { key: null })) as Decider).hasKey, false);
    strictEqual(changedAt <= changed.changedAt, true);
  });

  test('the stored key of a decider goes to no host that it was not given for', async (t) => {
    const s = await open(t);
    const { id } = await make(s, { key: 'sk-secret' });
    const url = 'https://elsewhere.example/v1';
    deepStrictEqual(await call(s, 'PATCH', `/${id}`, { url }), [
      422,
      ['/key was not given for the new host: give it again, or null'],
    ]);
    strictEqual((await list(s))[0]?.url, ADA.url);
    strictEqual(((await call(s, 'PATCH', `/${id}`, { url, key: 'sk-2' })) as Decider).url, url);
    strictEqual(((await call(s, 'PATCH', `/${id}`, { url: `${url}/v2` })) as Decider).hasKey, true);
  });

  test('a decider that cannot be used is refused with every fault, and the old one stays', async (t) => {
    const s = await open(t);
    const made = await make(s);
    const other = await make(s, { name: 'Bo', kind: 'mcp', model: undefined, tool: 'decide' });
    const refused = [
      await call(s, 'POST', '', { ...ADA, model: undefined, tool: 'decide', url: 'https://a.example/v1?x=1' }),
      await call(s, 'POST', '', {
        kind: 'mcp',
        name: ' ',
        url: 'https://me:pw@a.example',
        key: 'a b',
        holdSeconds: 301,
      }),
      await call(s, 'PATCH', `/${other.id}`, { name: 'Ada', model: 'small' }),
      await call(s, 'PATCH', '/dcd_none', { name: 'C' }),
    ];
    deepStrictEqual(refused, [
      [
        422,
        [
          '/model is missing: a "chat" needs one',
          '/tool is not for "chat"',
          '/url ends with a query: leave out everything from "?" or "#" on',
          '/name is the name of another decider',
        ],
      ],
      [
        422,
        [
          '/name is empty',
          '/url holds a user name or password: give a key instead',
          '/instructions is missing',
          '/key is not a key: printable ASCII without spaces',
          '/holdSeconds is more than 300',
        ],
      ],
      [422, ['/model is not for "mcp"', '/name is the name of another decider']],
      [404, 'There is no such decider here.'],
    ]);
    deepStrictEqual(await list(s), [made, other]);
  });

  test('a hub has 20 deciders at most', async (t) => {
    const s = await open(t);
    for (let at = 0; at < 20; at++) await make(s, { name: `d${at}` });
    deepStrictEqual(await make(s), [409, 'This hub has 20 deciders, as many as it may: remove one first.']);
  });

  test('of deciders made at once no more are made than a hub may have', async (t) => {
    const s = await open(t);
    for (let at = 0; at < 18; at++) await make(s, { name: `d${at}` });
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) => call(s, 'POST', '', { ...ADA, name: `e${at}` })),
    );
    const full = [409, 'This hub has 20 deciders, as many as it may: remove one first.'];
    deepStrictEqual([made.filter(Array.isArray), (await list(s)).length], [Array(6).fill(full), 20]);
  });

  test('of deciders that are given one name at once one bears it, and no change made at once is lost', async (t) => {
    const s = await open(t);
    const made = [];
    for (let at = 0; at < 8; at++) made.push(await make(s, { name: `d${at}` }));
    const named = await Promise.all(made.map(({ id }) => call(s, 'PATCH', `/${id}`, { name: 'Ada' })));
    const taken = [422, ['/name is the name of another decider']];
    deepStrictEqual(named.filter(Array.isArray), Array(7).fill(taken));
    const { id } = made[0]!;
    const changes = [{ model: 'large' }, { instructions: 'Be brief.' }, { holdSeconds: 5 }, { timeoutSeconds: 9 }];
    await Promise.all(changes.map((change) => call(s, 'PATCH', `/${id}`, change)));
    const { model, instructions, holdSeconds, timeoutSeconds } = (await list(s)).find((one) => one.id === id)!;
    deepStrictEqual({ model, instructions, holdSeconds, timeoutSeconds }, Object.assign({}, ...changes));
  });

  test('[SEC1] who is not the owner reads the names of deciders, and nothing else of them', async (t) => {
    const s = await open(t);
    const { id } = await make(s, { key: 'sk-secret' });
    const bob = await s.call<{ person: { id: string } }>('POST', '/v1/people', {
      token: s.owner.token,
      body: { handle: 'bob' },
    });
    const { accessToken: token } = await addDevice(s.database, bob.body.person.id, 'Phone');
    const items = [{ id, name: 'Ada', holdSeconds: 20 }];
    deepStrictEqual((await s.call<Reply>('GET', '/v1/deciders', { token })).body, { items });
    const statuses = [];
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/test`],
    ] as const)
      statuses.push(
        (await s.call<Reply>(method, `/v1/deciders${path}`, { token, ...(method === 'DELETE' ? {} : { body: {} }) }))
          .status,
      );
    deepStrictEqual(statuses, [403, 403, 403, 403]);
  });

  test('a source has the decider that its owner chose, with what it may do, until it is taken away', async (t) => {
    const s = await open(t);
    const { token } = s.owner;
    const { source } = (await s.call<{ source: Source }>('POST', '/v1/sources', { token, body: { name: 'CI' } })).body;
    const { id } = await make(s);
    const change = async (decider: object | null) => {
      const reply = await s.call<Reply>('PATCH', `/v1/sources/${source.id}`, { token, body: { decider } });
      return reply.status === 200 ? reply.body : reply.body.faults?.map((one) => `${one.path} ${one.message}`);
    };
    const decider = { id, suggests: true, actions: false, agentMayAsk: false };
    deepStrictEqual(await change(decider), { ...source, decider });
    deepStrictEqual((await s.call<{ items: Source[] }>('GET', '/v1/sources', { token })).body.items, [
      { ...source, decider },
    ]);
    deepStrictEqual(await change({ ...decider, id: newId('dcd', 0) }), ['/decider/id is no decider of this hub']);
    deepStrictEqual(await change({ id: 'gpt', suggests: 1 }), [
      '/decider/id is not the id of a decider',
      '/decider/suggests must be a boolean',
      '/decider/actions is missing',
      '/decider/agentMayAsk is missing',
    ]);
    deepStrictEqual(await call(s, 'DELETE', `/${id}`), [
      409,
      'It is still named by the source "CI": take it away there first.',
    ]);
    deepStrictEqual(await change(null), source);
    deepStrictEqual([await call(s, 'DELETE', `/${id}`), await list(s)], ['gone', []]);
  });

  test('a decider that a rule or YOLO names is not removed', async (t) => {
    const s = await open(t);
    const { id } = await make(s);
    const now = s.database.clock.now();
    const rule = { name: 'nights', when: {}, then: { decider: id } };
    const yolo = { questions: { decider: id } };
    await s.database.transaction(async (trx) => {
      const list = { version: 1, rules: JSON.stringify([rule]), changed_at: now, made_by: null };
      await trx
        .insertInto('policies')
        .values({ id: 'hub', person_id: null, ...list })
        .execute();
      const times = { started_at: now, until_at: now + 60_000, ended_at: null, stopped_by: null, seen_at: null };
      const whose = { person_id: s.owner.id, made_by: s.owner.deviceId };
      await trx
        .insertInto('yolos')
        .values({ id: 'yol_1', choices: JSON.stringify(yolo), ...times, ...whose })
        .execute();
    });
    deepStrictEqual(await call(s, 'DELETE', `/${id}`), [
      409,
      'It is still named by the rule "nights", a YOLO that runs: take it away there first.',
    ]);
    await s.database.transaction(async (trx) => {
      await trx.deleteFrom('policies').execute();
      await trx.updateTable('yolos').set({ ended_at: now }).execute();
    });
    deepStrictEqual(
      [await call(s, 'DELETE', `/${id}`), await call(s, 'DELETE', `/${id}`)],
      ['gone', [404, 'There is no such decider here.']],
    );
  });

  test('a test asks an example question with the stored key, and shows the run without it', async (t) => {
    const s = await open(t);
    const { decider, heard } = await chatServer(t, [{ answer: { text: 'Blue.' }, undecided: null }]);
    const { id } = await make(s, { url: decider.url, key: 'sk-secret' });
    const ran = (await call(s, 'POST', `/${id}/test`, { prompt: 'Tea?' })) as unknown as { ms: number; sent: string };
    const { ms: _, sent, ...more } = ran;
    deepStrictEqual(more, {
      answer: { text: 'Blue.' },
      received: '{"answer":{"text":"Blue."},"undecided":null}',
      tokensIn: 7,
      tokensOut: 3,
    });
    match(sent, /Tea\?/);
    deepStrictEqual(
      heard.map(({ authorization }) => authorization),
      ['Bearer sk-secret'],
    );
    strictEqual(JSON.stringify(ran).includes('sk-secret'), false);
  });
}
