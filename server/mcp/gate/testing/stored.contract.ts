import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { parseExact, type Json } from '#shared/json.ts';
import type { Place } from '../../../inquiries/testing/place.ts';
import { createGateStore } from '../config/store.ts';
import { noteImpatience, readPatience } from '../../hold.ts';
import { expectRound, keepCall, takeCall, takeRound } from '../continuations.ts';
import { createGateSessions, sweepSessions } from '../../sessions.ts';

const DAY_MS = 86_400_000;
const CALL = { name: 'write', argsText: '{"path":"a"}' };
const GATE = { rules: [], otherwise: 'ask', elicitation: 'client', deadline: 60, changedAt: 0 } as const;

/** What every engine must keep for gates, for all nodes. */
export function storedContract(openOn: (t: TestContext) => Promise<Place>): void {
  test('[SEC1] a session belongs to the source that opened it, at its gate, on every node', async (t) => {
    const { inquiries, sourceId } = await openOn(t);
    const [one, other] = [createGateSessions(inquiries.database), createGateSessions(inquiries.database)];
    const name = { gate: 'notes', sessionId: 's1' };
    deepStrictEqual((await one.find(name, sourceId)) !== undefined, false);
    await one.remember(name, sourceId);
    await other.remember(name, sourceId);
    deepStrictEqual(
      [
        (await one.find(name, sourceId)) !== undefined,
        (await other.find(name, sourceId)) !== undefined,
        (await other.find(name, 'src_other')) !== undefined,
        (await one.find({ ...name, gate: 'shop' }, sourceId)) !== undefined,
        (await one.find({ ...name, sessionId: 's2' }, sourceId)) !== undefined,
      ],
      [true, true, false, false, false],
    );
    await one.forget(name);
    deepStrictEqual(
      [
        (await one.find(name, sourceId)) !== undefined,
        (await createGateSessions(inquiries.database).find(name, sourceId)) !== undefined,
      ],
      [false, false],
    );
  });

  test('what the client of a session calls itself, and after how long it gave up, is known on every node', async (t) => {
    const { database, sourceId } = await openOn(t);
    const name = { gate: 'notes', sessionId: 's1' };
    const client = { title: 'An agent', name: 'agent', version: '1.2' };
    await createGateSessions(database).remember(name, sourceId, { ...client, more: 'left out' } as object);
    const found = await createGateSessions(database).find(name, sourceId);
    const impatient = { sourceId, client };
    const before = await readPatience(database, sourceId, client);
    for (const waitedMs of [60_000.4, 45_000]) await noteImpatience(database, { ...impatient, waitedMs });
    const others = Array.from({ length: 49 }, (_, at) => ({ name: `made up ${at}`, version: '\u0000' }));
    for (const one of others) await noteImpatience(database, { sourceId, client: one, waitedMs: 30_000 });
    const known = [client, { ...client, version: '1.3' }, undefined, others[0]];
    deepStrictEqual(
      [found, before, await Promise.all(known.map((one) => readPatience(database, sourceId, one)))],
      [{ client }, undefined, [45_000, undefined, undefined, 30_000]],
    );
    await noteImpatience(database, { sourceId, client: undefined, waitedMs: 30_000 });
    await noteImpatience(database, { sourceId, client: { name: 'the last' }, waitedMs: 30_000 });
    deepStrictEqual(await countOf(database), 50);
  });

  test('a session is forgotten when nobody has used it for 30 days', async (t) => {
    const { inquiries, sourceId, pass } = await openOn(t);
    const sessions = createGateSessions(inquiries.database);
    const [used, unused] = ['s1', 's2'].map((sessionId) => ({ gate: 'notes', sessionId }));
    if (!used || !unused) throw new Error('there are two');
    for (const name of [used, unused]) await sessions.remember(name, sourceId);
    pass(20 * DAY_MS);
    await sessions.find(used, sourceId);
    pass(11 * DAY_MS);
    deepStrictEqual(await sweepSessions(inquiries.database, 'gate_sessions'), 1);
    deepStrictEqual(
      [(await sessions.find(used, sourceId)) !== undefined, (await sessions.find(unused, sourceId)) !== undefined],
      [true, false],
    );
  });

  test('the next round of an approved call passes once, with the arguments that were approved', async (t) => {
    const p = await openOn(t);
    const inquiryId = await p.ask({ prompt: 'Now?' });
    const origin = { sourceId: p.sourceId, gate: 'notes' };
    const round = { origin, call: CALL, requestState: 'one' };
    const take = (more: object = {}) => takeRound(p.database, { ...round, ...more });
    await expectRound(p.database, round, { inquiryId, argsText: '{"n":1.0}' });
    await expectRound(p.database, round, { inquiryId, argsText: '{"n":2.0}' });
    deepStrictEqual(
      [
        await take({ requestState: 'two' }),
        await take({ requestState: undefined }),
        await take({ origin: { ...origin, gate: 'other' } }),
        await take({ call: { ...CALL, argsText: '{"path": "a"}' } }),
        await take(),
        await take(),
      ],
      [undefined, undefined, undefined, undefined, { inquiryId, argsText: '{"n":2.0}' }, undefined],
    );
    await expectRound(p.database, round, { inquiryId });
    p.pass(3_600_000);
    deepStrictEqual(await take(), undefined);
  });

  test('the text of a held call is kept for another process, and taken once', async (t) => {
    const p = await openOn(t);
    const inquiryId = await p.ask({ prompt: 'Now?' });
    const origin = { gate: 'notes', sourceId: p.sourceId, sessionId: 's' };
    await keepCall(p.database, origin, 'k', { inquiryId, text: '{ "a":1.0 }', ms: 60_000 });
    const take = (key: string, more: object = {}) => takeCall(p.database, { ...origin, ...more }, key);
    deepStrictEqual(
      [await take('other'), await take('k', { sessionId: 't' }), await take('k'), await take('k')],
      [undefined, undefined, '{ "a":1.0 }', undefined],
    );
  });

  test('a gate is kept with its credentials sealed, changed and removed', async (t) => {
    const p = await openOn(t);
    const store = createGateStore({
      database: p.database,
      sealingKey: Buffer.alloc(32, 1),
      fromFile: new Map([
        [
          'own',
          {
            ...GATE,
            rules: [],
            name: 'own',
            from: 'file' as const,
            upstream: { url: 'http://127.0.0.1:9/mcp', headers: {} },
          },
        ],
      ]),
    });
    const policy = { rules: [], otherwise: 'ask', elicitation: 'client', deadline: 60 } as const;
    const upstream = { url: 'https://a.example/mcp', headers: { authorization: 'Bearer secret' } };
    const made = await store.put('notes', { ...policy, rules: [], upstream });
    const kept = await store.put('notes', {
      ...policy,
      rules: [],
      deadline: 90,
      upstream: { url: 'https://a.example/v2' },
    });
    deepStrictEqual(
      [
        made.upstream,
        kept.upstream,
        kept.deadline,
        (await store.find('notes'))?.deadline,
        kept.changedAt > made.changedAt,
      ],
      [upstream, { ...upstream, url: 'https://a.example/v2' }, 90, 90, true],
    );
    const row = await p.database.read.selectFrom('gates').selectAll().executeTakeFirstOrThrow();
    deepStrictEqual(JSON.stringify(row).includes('secret'), false);
    const refused = [
      () => store.put('notes', { ...policy, rules: [], upstream: { url: 'https://b.example/mcp' } }),
      () => store.put('own', { ...policy, rules: [], upstream }),
      () => store.remove('own'),
      () => store.remove('none'),
    ].map((act) =>
      act().then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    );
    deepStrictEqual(await Promise.all(refused), [
      'gate.headers_of_another_host',
      'gate.of_file',
      'gate.of_file',
      'gate.unknown',
    ]);
    const timed = { when: { tool: 'write', days: ['sat' as const] }, does: 'allow' as const };
    const exact = {
      when: { args: { '/n': { equals: parseExact('9007199254740993') as Json } } },
      does: 'deny' as const,
    };
    const chose = (preferences: string) =>
      p.database.transaction((trx) => trx.updateTable('people').set({ preferences }).where('owner', '=', 1).execute());
    await chose('{"timeZone":"Asia/Tokyo"}');
    await store.put('notes', { ...policy, rules: [timed, exact], upstream });
    const { timeZone, rules = [] } = (await store.find('notes')) ?? {};
    deepStrictEqual([timeZone, JSON.stringify(rules)], ['Asia/Tokyo', JSON.stringify([timed, exact])]);
    await chose('x');
    deepStrictEqual((await store.find('notes'))?.timeZone, undefined);
    await store.remove('notes');
    deepStrictEqual([await store.find('notes'), (await store.list()).map(({ name }) => name)], [undefined, ['own']]);
  });
}

async function countOf({ read }: Place['database']): Promise<number> {
  return (await read.selectFrom('impatient_clients').select('client').execute()).length;
}
