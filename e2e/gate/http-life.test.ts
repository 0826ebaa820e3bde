import { deepStrictEqual, notDeepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GateTool } from '#shared/policies/gate.ts';
import type { Problem } from '#shared/problem.ts';
import { call, must } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import { connectClient, wordsOf } from '../mcp/clients.ts';
import { legacyCall, modernCall, modernHeaders, openSession, resultOf, sendRaw } from './raw.ts';
import { openScene, type Scene } from './scene.ts';

const APPROVE = { type: 'approve' };
const REJECT = { type: 'reject' };

describe('the life of a held call', { timeout: 200_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene?.remove());

  const modern = (path: string) =>
    sendRaw(scene.url, modernCall('write_note', JSON.stringify({ path })), {
      key: scene.key,
      headers: modernHeaders('write_note'),
    });
  const legacy = (path: string, session: Record<string, string>, id: number) =>
    sendRaw(scene.url, legacyCall('write_note', JSON.stringify({ path }), id), { key: scene.key, headers: session });
  const ranSince = (from: number) => scene.upstream.ran.slice(from).map(({ args }) => (args as { path: string }).path);
  const outcomeOf = async (inquiry: { id: string } | undefined) => (await scene.read(inquiry)).resolution?.outcome;

  test('parallel calls of one turn are one card, and each is sent on as soon as it is decided', async () => {
    const from = scene.upstream.ran.length;
    const client = await connectClient(scene.url, scene.key);
    const calls = ['a', 'b', 'c'].map((path) => client.call('write_note', { path }));
    const held = await scene.held(3);
    deepStrictEqual(new Set(held.map(({ group }) => group)).size, 1);
    const of = (path: string) =>
      held.find(({ actions }) => (actions?.[0]?.args as { path?: string } | undefined)?.path === path);

    await scene.decide(of('b'), APPROVE);
    deepStrictEqual(wordsOf(await calls[1]!), 'Wrote b');
    deepStrictEqual(ranSince(from), ['b']);
    await scene.decide(of('c'), REJECT);
    await scene.decide(of('a'), APPROVE);
    await Promise.all(calls);
    deepStrictEqual(ranSince(from), ['b', 'a']);
    await client.close();
  });

  test('[ASK5] two identical calls want two approvals', async () => {
    const from = scene.upstream.ran.length;
    const calls = [modern('same'), modern('same')];
    const [first, second] = await scene.held(2);
    await scene.decide(first, APPROVE);
    await scene.held(1);
    await until('the first to run', () => ranSince(from).length === 1);
    await scene.decide(second, APPROVE);
    deepStrictEqual(await Promise.all(calls.map(async (call) => resultOf(await (await call).text))), [
      'Wrote same',
      'Wrote same',
    ]);
    deepStrictEqual(ranSince(from), ['same', 'same']);
  });

  test('[ASK5] an approval lets one call pass: the same call again is asked about again', async () => {
    const from = scene.upstream.ran.length;
    for (const time of [1, 2]) {
      const call = modern('again');
      await scene.decide((await scene.held())[0], APPROVE);
      deepStrictEqual([time, resultOf(await (await call).text)], [time, 'Wrote again']);
    }
    deepStrictEqual(ranSince(from), ['again', 'again']);
  });

  test('[ASK5] who changes the arguments after the approval is asked about the new ones', async () => {
    const from = scene.upstream.ran.length;
    const first = await modern('shown');
    const [inquiry] = await scene.held();
    first.cut();
    await scene.letGo();
    await scene.decide(inquiry, APPROVE);
    const changed = modern('changed');
    const [asked] = await scene.held();
    deepStrictEqual(asked?.actions?.[0]?.args, { path: 'changed' });
    await scene.decide(asked, REJECT);
    await (
      await changed
    ).text;
    deepStrictEqual(ranSince(from), []);
  });

  test('[WDR1] since 2026-07-28 a closed stream takes the question back', async () => {
    const call = await modern('closed');
    const [inquiry] = await scene.held();
    call.cut();
    await scene.held(0);
    deepStrictEqual(await outcomeOf(inquiry), 'withdrawn');
  });

  test('[WDR1] up to 2025-11-25 a cancel takes the question back at once, a lost connection does not', async () => {
    const session = await openSession(scene.url, scene.key);
    const call = await legacy('cancelled', session, 41);
    const [inquiry] = await scene.held();
    const params = { requestId: 41, reason: 'Changed my mind.' };
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    const accepted = await sendRaw(scene.url, cancel, { key: scene.key, headers: session });
    deepStrictEqual(accepted.status, 202);
    await call.text;
    deepStrictEqual((await scene.read(inquiry)).resolution?.message, 'Changed my mind.');

    const from = scene.upstream.ran.length;
    const lost = await legacy('lost', session, 42);
    const [waiting] = await scene.held();
    lost.cut();
    await scene.letGo();
    // The modern call behind it is let go after 2 s; the older one still waits.
    const other = await modern('other');
    await scene.held(2);
    other.cut();
    deepStrictEqual((await scene.held(1))[0]?.id, waiting?.id);
    const back = legacy('lost', session, 43);
    await scene.decide((await scene.held(1))[0], APPROVE);
    deepStrictEqual(resultOf(await (await back).text), 'Wrote lost');
    deepStrictEqual(ranSince(from), ['lost']);
  });

  test('[ASK5] a client that comes back in its session finds its question, or the decision made in between', async () => {
    const from = scene.upstream.ran.length;
    const session = await openSession(scene.url, scene.key);
    const first = await legacy('back', session, 51);
    const [inquiry] = await scene.held();
    first.cut();
    await scene.letGo();
    const second = await legacy('back', session, 52);
    deepStrictEqual((await scene.held(1))[0]?.id, inquiry?.id);
    second.cut();
    await scene.letGo();
    await scene.decide(inquiry, APPROVE);
    const third = await legacy('back', session, 53);
    deepStrictEqual(resultOf(await third.text), 'Wrote back');
    deepStrictEqual(ranSince(from), ['back']);
  });

  test('[ASK1] a hub that is killed while it holds a call keeps the question for the call that comes again', async () => {
    const from = scene.upstream.ran.length;
    const session = await openSession(scene.url, scene.key);
    const first = await legacy('restart', session, 54);
    const [inquiry] = await scene.held();
    await scene.hub.kill();
    await first.text;
    await scene.hub.start();
    await scene.decide(inquiry, APPROVE);
    const second = await legacy('restart', session, 55);
    deepStrictEqual(resultOf(await second.text), 'Wrote restart');
    deepStrictEqual([await outcomeOf(inquiry), ranSince(from)], ['answered', ['restart']]);
  });

  test('[ASK1] a hub that stops withdraws nothing', async () => {
    const session = await openSession(scene.url, scene.key);
    const first = await legacy('stopped', session, 56);
    const [inquiry] = await scene.held();
    await scene.hub.stop();
    await first.text;
    await scene.hub.start();
    const second = await legacy('stopped', session, 57);
    deepStrictEqual((await scene.held())[0]?.id, inquiry?.id);
    await scene.decide(inquiry, REJECT);
    await second.text;
  });

  test('[RES4] a call that nobody decides in time is told so, and did not run', async () => {
    const from = scene.upstream.ran.length;
    const url = await scene.gate('hasty', { deadline: 5, rules: [{ tool: '*', does: 'ask' }] });
    const call = await sendRaw(url, modernCall('write_note', '{"path":"late"}'), {
      key: scene.key,
      headers: modernHeaders('write_note'),
    });
    deepStrictEqual(
      resultOf(await call.text),
      'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.\n' +
        'The call was not run: nobody approved it.',
    );
    deepStrictEqual(ranSince(from), []);
  });

  test('nobody is asked about a call of a session that the upstream has forgotten', async () => {
    const session = await openSession(scene.url, scene.key);
    scene.upstream.forget();
    const call = await legacy('forgotten', session, 9);
    deepStrictEqual(
      [call.status, JSON.parse(await call.text).error],
      [404, { code: -32001, message: 'Session not found' }],
    );
    await scene.held(0);
  });

  test('rules decide by name before annotations do, and a changed gate counts at once', async () => {
    const rules = [
      { tool: 'read_*', does: 'deny', reason: 'Notes are private.' },
      { tool: '*note*', does: 'allow' },
    ];
    const url = await scene.gate('ruled', { rules, otherwise: 'deny' });
    const client = await connectClient(url, scene.key);
    const answers = [];
    for (const [name, args] of [
      ['read_note', { path: 'a' }],
      ['write_note', { path: 'a' }],
      ['report', {}],
    ] as const)
      answers.push(wordsOf(await client.call(name, args)));
    await scene.gate('ruled', { otherwise: 'allow' });
    answers.push(wordsOf(await client.call('report', {})));
    deepStrictEqual(answers, ['Notes are private.', 'Wrote a', 'Calls of report are not allowed here.', 'Reported']);
    await client.close();
  });

  test('[POL1] a rule looks at arguments before anybody is asked, and one that cannot be read is refused', async () => {
    const rules = [
      { tool: 'write_note', when: { args: { '/path': { matches: 'draft-*' } } }, does: 'allow' },
      { when: { args: { '/path': { equals: 'diary' } } }, does: 'deny', reason: 'Not the diary.' },
    ];
    const url = await scene.gate('looking', { rules });
    const client = await connectClient(url, scene.key);
    const said = [];
    for (const path of ['draft-1', 'diary']) said.push(wordsOf(await client.call('write_note', { path })));
    const read = await client.call('read_note', { path: 'diary' });
    deepStrictEqual([...said, wordsOf(read)], ['Wrote draft-1', 'Not the diary.', 'Not the diary.']);
    await client.close();
    const { token } = scene.owner;
    const { items } = await must<{ items: GateTool[] }>(scene.hub, 'GET /v1/gates/looking/tools', { token });
    deepStrictEqual(
      items.slice(0, 3).map(({ name, does, rule }) => [name, does, rule]),
      [
        ['read_note', 'ask', 1],
        ['write_note', 'ask', 0],
        ['count_notes', 'ask', 1],
      ],
    );
    const when = { shell: ['ls | sh'], days: ['sat'] };
    const body = { upstream: { url: 'http://127.0.0.1:9/mcp' }, rules: [{ tool: 'write_note', when, does: 'allow' }] };
    const refused = await call<Problem>(scene.hub, 'PUT /v1/gates/refused', { token, body });
    deepStrictEqual(
      refused.body.faults?.map(({ path, code }) => [path, code]),
      [['/rules/0/when/shell/0', 'rule.shell']],
    );
  });

  test('the owner reads what a gate does to each tool, and never a credential', async () => {
    const token = scene.owner.token;
    const { items } = await must<{ items: { name: string; does: string; caution?: boolean }[] }>(
      scene.hub,
      'GET /v1/gates/notes/tools',
      { token },
    );
    deepStrictEqual(
      items.map(({ name, does, caution }) => [name, does, caution]),
      [
        ['read_note', 'allow', undefined],
        ['write_note', 'ask', true],
        ['count_notes', 'ask', true],
        ['report', 'ask', true],
        ['send_note', 'ask', true],
        ['sign', 'ask', true],
        ['ask_back', 'ask', true],
        ['sample_back', 'ask', true],
      ],
    );
    const gates = await must<{ items: { name: string; upstream: object }[] }>(scene.hub, 'GET /v1/gates', { token });
    deepStrictEqual(gates.items.find(({ name }) => name === 'notes')?.upstream, {
      url: scene.upstream.url,
      headerNames: ['authorization'],
    });
    notDeepStrictEqual(gates.items.length, 0);
  });
});
