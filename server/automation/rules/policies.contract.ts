import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Policies } from '#shared/policies/rule.ts';
import type { Fault } from '#shared/problem.ts';
import { addDevice } from '../../devices/admit.ts';
import { openScene, type Scene } from '../../devices/testing/scene.ts';
import type { Database } from '../../platform/database.ts';
import { policyRoutes } from './routes.ts';

const GIT = { name: 'git', when: { tool: 'git_*' }, then: 'approve' };
const NIGHT = { name: 'night', when: { time: { from: '22:00', to: '07:00' } }, then: 'ask-quietly' };
type Reply = Policies & { code?: string; faults?: Fault[] };

/** What must hold of lists of rules on either engine. */
export function policiesContract(database: (t: TestContext) => Promise<Database>): void {
  const open = async (t: TestContext) =>
    openScene(t, { opened: await database(t), routes: (app, moved) => policyRoutes(app, { database: moved }) });
  const put = async (s: Scene, body: object, { path = '/v1/policies', token = s.owner.token } = {}) => {
    const reply = await s.call<Reply>('PUT', path, { token, body });
    const faults = reply.body.faults?.map((one) => `${one.path} ${one.message}`);
    return reply.status === 200 ? reply.body : [reply.status, faults ?? reply.body.code];
  };
  const read = async (s: Scene, path = '/v1/policies', token = s.owner.token) => {
    const { status, body } = await s.call<Reply>('GET', path, { token });
    return status === 200 ? body : status;
  };

  test('[POL2] a list is read as it was put, and each change raises its version', async (t) => {
    const s = await open(t);
    deepStrictEqual(await read(s), { version: 0, rules: [] });
    deepStrictEqual(await put(s, { version: 0, rules: [GIT] }), { version: 1, rules: [GIT] });
    const pay = { name: 'pay', when: { args: { '/id': { equals: 1 }, '/n': { max: 5 } } }, then: { reject: 'No.' } };
    deepStrictEqual(await put(s, { version: 1, rules: [pay, GIT] }), { version: 2, rules: [pay, GIT] });
    deepStrictEqual(await read(s), { version: 2, rules: [pay, GIT] });
    deepStrictEqual(await put(s, { version: 2, rules: [] }), { version: 3, rules: [] });
  });

  test('[POL2] [race] of devices that change one list at once one has its way, and a stale version changes nothing', async (t) => {
    const s = await open(t);
    for (const version of [0, 1]) {
      const rules = Array.from({ length: 6 }, (_, at) => ({ ...GIT, name: `device ${at}` }));
      const replies = await Promise.all(rules.map((rule) => put(s, { version, rules: [rule] })));
      const refused = replies.filter(Array.isArray);
      deepStrictEqual(refused, Array(5).fill([409, 'policies.changed']));
      deepStrictEqual(
        await read(s),
        replies.find((reply) => !Array.isArray(reply)),
      );
    }
    deepStrictEqual(await put(s, { version: 7, rules: [] }), [409, 'policies.changed']);
    strictEqual(((await read(s)) as Policies).version, 2);
  });

  test('[POL2] a list with a rule that cannot be read is refused with every fault, and the old one stays', async (t) => {
    const s = await open(t);
    await put(s, { version: 0, rules: [GIT] }, { path: '/v1/policies/hub' });
    const past = { ...GIT, name: 'past', until: '2020-01-01T00:00:00Z' };
    const refused = [
      [
        { ...GIT, when: { tol: 'x' } },
        { ...GIT, name: 'b', then: { decider: 'gpt' } },
      ],
      [{ ...GIT, then: { decider: 'dcd_01kamq0000000000000000tra1' } }],
      [
        past,
        NIGHT,
        {
          name: 'c',
          when: { tool: 'Bash', shell: ['git status', 'bash x; y', 'bash *'] },
          then: { ask: ['owner', 'nobody'] },
        },
        { name: 'd', when: { tool: 'Bash', shell: ['bash *'] }, then: 'approve' },
      ],
    ];
    const replies = [];
    for (const rules of refused) replies.push(await put(s, { version: 1, rules }, { path: '/v1/policies/hub' }));
    deepStrictEqual(replies, [
      [
        422,
        [
          '/rules/0/when/tol is not a member this call knows',
          '/rules/0/when approves everything: name a source, a gate, a dialect, a tool, arguments or commands',
          '/rules/1/then/decider is not the id of a decider',
        ],
      ],
      [422, ['/rules/0/then/decider is no decider of this hub']],
      [
        422,
        [
          '/rules/0/until has passed already',
          '/rules/2/then/ask/1 names nobody',
          '/rules/2/when/shell/1 does not stand for a command: it is more than one command; write one entry for each',
          '/rules/3/when/shell/0 does not stand for a command: bash is not known to leave its words unrun, as cat and git log are; name every word instead of *',
        ],
      ],
    ]);
    deepStrictEqual(await read(s, '/v1/policies/hub'), { version: 1, rules: [GIT] });
  });

  test('[POL4] a rule for one question does not become one for all under its name, as an older page would write it', async (t) => {
    const s = await open(t);
    const kind = 'questions';
    const one = { name: 'Ship', when: { kind, question: { prompt: 'Ship?' } }, then: { answer: 'Yes' } };
    await put(s, { version: 0, rules: [GIT, one] });
    const refused = [
      422,
      ['/rules/1/when/question is gone, and it would answer other questions too: give a rule for these another name'],
    ];
    const wider = { ...one, when: { kind } };
    const whole = await read(s);
    deepStrictEqual(
      [
        await put(s, { version: 1, rules: [GIT, wider] }),
        await put(s, { version: 1, rules: [GIT, { ...one, when: { kind, question: null } }] }),
        await read(s),
      ],
      [refused, [422, ['/rules/1/when/question must be an object']], whole],
    );
    const others = [
      { ...wider, name: 'All' },
      { ...wider, then: 'ask' },
      { ...one, then: { answer: 'No' } },
    ];
    const becomes: unknown[] = [];
    for (const [at, rule] of others.entries()) {
      await put(s, { version: 1 + 2 * at, rules: [rule] });
      becomes.push(await put(s, { version: 2 + 2 * at, rules: [one] }));
    }
    deepStrictEqual(
      becomes,
      others.map((_, at) => ({ version: 3 + 2 * at, rules: [one] })),
    );
  });

  test('[POL2] a rule that ended where it stands is no reason to refuse the list', async (t) => {
    const s = await open(t);
    const until = new Date(s.database.clock.now() + 60_000).toISOString();
    const soon = { ...GIT, until };
    await put(s, { version: 0, rules: [soon] });
    s.advance(61_000);
    const other = { ...GIT, name: 'other' };
    deepStrictEqual(await put(s, { version: 1, rules: [soon, other] }), { version: 2, rules: [soon, other] });
    const renamed = { ...soon, name: 'renamed' };
    deepStrictEqual(await put(s, { version: 2, rules: [renamed] }), [422, ['/rules/0/until has passed already']]);
  });

  test('[POL2] what became wrong in a rule while it stood keeps no other from being removed', async (t) => {
    const s = await open(t);
    const path = '/v1/policies/hub';
    const { token } = s.owner;
    const jonas = await s.call<{ person: { id: string } }>('POST', '/v1/people', { token, body: { handle: 'jonas' } });
    const asks = { name: 'asks', when: {}, then: { ask: ['jonas'] } };
    await put(s, { version: 0, rules: [GIT, NIGHT, asks] }, { path });
    const runs = { name: 'runs', when: { tool: 'Bash', shell: ['bash *'] }, then: 'approve' };
    await s.database.transaction((trx) =>
      trx
        .updateTable('policies')
        .set({ rules: JSON.stringify([GIT, NIGHT, asks, runs]) })
        .execute(),
    );
    await s.call('DELETE', `/v1/people/${jonas.body.person.id}`, { token });
    const left = [NIGHT, asks, runs];
    deepStrictEqual(await put(s, { version: 1, rules: left }, { path }), { version: 2, rules: left });
    const again = left.map((rule) => ({ ...rule, name: `${rule.name} again` }));
    deepStrictEqual(await put(s, { version: 2, rules: [...left, ...again] }, { path }), [
      422,
      [
        '/rules/4/then/ask/0 names nobody',
        '/rules/5/when/shell/0 does not stand for a command: bash is not known to leave its words unrun, as cat and git log are; name every word instead of *',
      ],
    ]);
  });

  test('[POL3] [door] everybody has rules of their own, those of the hub are the owner’s, and a source has none', async (t) => {
    const s = await open(t);
    const { body } = await s.call<{ person: { id: string } }>('POST', '/v1/people', {
      token: s.owner.token,
      body: { handle: 'jonas' },
    });
    const { accessToken: token } = await addDevice(s.database, body.person.id, 'Phone');
    const source = await s.call<{ key: string }>('POST', '/v1/sources', {
      token: s.owner.token,
      body: { name: 'Agent' },
    });
    await put(s, { version: 0, rules: [GIT] });
    await put(s, { version: 0, rules: [GIT] }, { path: '/v1/policies/hub' });
    deepStrictEqual(await put(s, { version: 0, rules: [{ ...GIT, name: 'own' }] }, { token }), {
      version: 1,
      rules: [{ ...GIT, name: 'own' }],
    });
    deepStrictEqual(await read(s), { version: 1, rules: [GIT] });
    deepStrictEqual(
      await put(s, { version: 1, rules: [{ name: 'x', when: {}, then: { ask: ['owner'] } }] }, { token }),
      [422, ['/rules/0/then/ask names other people: only the owner of the hub decides whom a question goes to']],
    );
    const { key } = source.body;
    deepStrictEqual(
      [
        await read(s, '/v1/policies/hub', token),
        await put(s, { version: 0, rules: [] }, { path: '/v1/policies/hub', token }),
        await read(s, '/v1/policies', key),
        await put(s, { version: 0, rules: [] }, { token: key }),
      ],
      [403, [403, 'person.not_owner'], 403, [403, 'credential.wrong_kind']],
    );
    await s.call('DELETE', `/v1/people/${body.person.id}`, { token: s.owner.token });
    deepStrictEqual(await s.database.read.selectFrom('policies').select('id').orderBy('id').execute(), [
      { id: 'hub' },
      { id: s.owner.id },
    ]);
  });
}
