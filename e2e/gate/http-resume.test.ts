import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../hub/until.ts';
import { connectClient, wordsOf } from '../mcp/clients.ts';
import { layCable } from '../hub/cable.ts';
import { legacyCall, messagesOf, openSession, resultOf, sendRaw, type RawReply } from './raw.ts';
import { openScene, type Scene } from './scene.ts';

describe('a client of 2025-11-25 that lost its connection comes back for the same stream', { timeout: 200_000 }, () => {
  let scene: Scene;
  let session: Record<string, string>;
  before(async () => {
    scene = await openScene();
    session = await openSession(scene.url, scene.key, '2025-11-25');
  });
  after(() => scene?.remove());

  const call = (path: string, id: number) =>
    sendRaw(scene.url, legacyCall('write_note', JSON.stringify({ path }), id), { key: scene.key, headers: session });
  const resume = (id: string, headers = session) =>
    sendRaw(scene.url, '', { key: scene.key, method: 'GET', headers: { ...headers, 'last-event-id': id } });
  const idOf = (reply: RawReply) => until('the id of the stream', () => /^id: (hub-.*)$/m.exec(reply.soFar())?.[1]);
  const ranSince = (from: number) => scene.upstream.ran.slice(from).map(({ args }) => (args as { path: string }).path);

  test('while the call is held', async () => {
    const from = scene.upstream.ran.length;
    const first = await call('held', 1);
    const id = await idOf(first);
    const [inquiry] = await scene.held();
    first.cut();
    await scene.letGo();
    const second = await resume(id);
    deepStrictEqual((await scene.held())[0]?.id, inquiry?.id);
    await scene.decide(inquiry, { type: 'approve' });
    deepStrictEqual([resultOf(await second.text), ranSince(from)], ['Wrote held', ['held']]);
  });

  test('before the hub has heard that the first connection is gone', async () => {
    const from = scene.upstream.ran.length;
    const first = await call('both', 2);
    const id = await idOf(first);
    const [inquiry] = await scene.held();
    const second = await resume(id);
    await first.text;
    deepStrictEqual((await scene.held())[0]?.id, inquiry?.id);
    await scene.decide(inquiry, { type: 'approve' });
    deepStrictEqual([resultOf(await second.text), ranSince(from)], ['Wrote both', ['both']]);
  });

  test('on three connections at once: one question, one run and one reply', async () => {
    const from = scene.upstream.ran.length;
    const first = await call('three', 8);
    const id = await idOf(first);
    const [inquiry] = await scene.held();
    // One that another takes the call from may be cut before its head.
    const texts = Promise.all(
      [1, 2, 3].map(() =>
        resume(id).then(
          ({ text }) => text,
          () => '',
        ),
      ),
    );
    await first.text;
    deepStrictEqual(
      (await scene.held()).map((one) => one.id),
      [inquiry?.id],
    );
    await scene.decide(inquiry, { type: 'approve' });
    const replies = (await texts).filter((text) => text.includes('Wrote three'));
    deepStrictEqual([replies.length, ranSince(from), (await scene.held(0)).length], [1, ['three'], 0]);
  });

  for (const [id, noticed] of [true, false].entries()) {
    test(`once more before its upstream was heard, ${noticed ? 'after' : 'before'} the hub heard that the second connection is gone`, async () => {
      const from = scene.upstream.ran.length;
      const first = await call('twice', 9 + id);
      const stream = await idOf(first);
      const [inquiry] = await scene.held();
      first.cut();
      await scene.letGo();
      const letThrough = scene.upstream.holdPings();
      const heard = scene.upstream.headersSeen.length;
      const second = await resume(stream);
      await until('the ping', () => scene.upstream.headersSeen.length > heard);
      if (noticed) second.cut();
      const third = await resume(stream);
      letThrough();
      deepStrictEqual([third.status, (await scene.held())[0]?.id], [200, inquiry?.id]);
      await scene.decide(inquiry, { type: 'approve' });
      deepStrictEqual([resultOf(await third.text), ranSince(from)], ['Wrote twice', ['twice']]);
      deepStrictEqual(await scene.held(0), []);
    });
  }

  test('but not for a call that it took back: nobody is asked about it again', async () => {
    const from = scene.upstream.ran.length;
    const first = await call('back', 7);
    const id = await idOf(first);
    await scene.held();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'No need.' } };
    await sendRaw(scene.url, JSON.stringify(cancel), { key: scene.key, headers: session });
    await first.text;
    const second = await resume(id);
    deepStrictEqual([second.status, (await scene.held(0)).length, ranSince(from)], [404, 0, []]);
    await second.text;
  });

  test('[WDR1] nor for those it takes back in the moment their connections break', async () => {
    const ids = Array.from({ length: 10 }, (_, at) => 50 + at);
    const calls = await Promise.all(ids.map((id) => call(`both ways ${id}`, id)));
    const asked = await scene.held(10);
    const cancel = (requestId: number) =>
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'No need.' } });
    for (const one of calls) one.cut();
    await Promise.all(ids.map((id) => sendRaw(scene.url, cancel(id), { key: scene.key, headers: session })));
    await scene.held(0);
    const ended = await Promise.all(asked.map((inquiry) => scene.read(inquiry)));
    deepStrictEqual(
      ended.map(({ resolution }) => resolution?.message),
      ids.map(() => 'No need.'),
    );
  });

  test('after it was approved, while the tool runs and when it has run', async () => {
    const from = scene.upstream.ran.length;
    const first = await call('running', 3);
    const id = await idOf(first);
    const letRun = scene.upstream.holdUp();
    await scene.decide((await scene.held())[0], { type: 'approve' });
    await until('the tool to run', () => ranSince(from).length === 1);
    first.cut();
    const second = await resume(id);
    letRun();
    deepStrictEqual(resultOf(await second.text), 'Wrote running');
    const third = await resume(id);
    deepStrictEqual([resultOf(await third.text), ranSince(from)], ['Wrote running', ['running']]);
  });

  test('after its arguments were changed, and hears of it on each connection', async () => {
    const from = scene.upstream.ran.length;
    const first = await call('typed', 13);
    const id = await idOf(first);
    const letRun = scene.upstream.holdUp();
    await scene.decide((await scene.held())[0], { type: 'edit', args: { path: 'changed' } });
    await until('the tool to run', () => ranSince(from).length === 1);
    first.cut();
    const second = await resume(id);
    letRun();
    const told = [
      { type: 'text', text: 'Wrote changed' },
      { type: 'text', text: 'A person changed the arguments before this ran: {"path":"changed"}' },
    ];
    deepStrictEqual(messagesOf(await second.text).at(-1)?.result, { content: told });
    const third = await resume(id);
    deepStrictEqual(messagesOf(await third.text).at(-1)?.result, { content: told });
  });

  for (const line of ['SDK 1', 'SDK 2, 2025-11-25'] as const) {
    test(`by itself, ${line}, while the call is held and while the tool runs`, async () => {
      const from = scene.upstream.ran.length;
      const cable = await layCable(scene.url);
      const client = await connectClient(cable.url, scene.key, line);
      let signs = 0;
      const held = client.call('write_note', { path: line }, { onprogress: () => void signs++ });
      const [inquiry] = await scene.held();
      // Before its first frame a stream has no id: the client would not know that it can come back.
      const before = await until('the stream to begin', () => signs);
      cable.cut();
      await scene.letGo();
      await until('the client to be back', () => signs > before);
      const letRun = scene.upstream.holdUp();
      await scene.decide(inquiry, { type: 'approve' });
      await until('the tool to run', () => ranSince(from).length === 1);
      cable.cut();
      letRun();
      deepStrictEqual([wordsOf(await held), ranSince(from)], [`Wrote ${line}`, [line]]);
      await client.close();
      await cable.close();
    });
  }

  test('[ASK1] after a restart of the hub, once, with the call as it was', async () => {
    const from = scene.upstream.calls.length;
    const first = await call('restarted', 5);
    const id = await idOf(first);
    const [inquiry] = await scene.held();
    await scene.hub.kill();
    await first.text;
    await scene.hub.start();
    const second = await resume(id);
    deepStrictEqual((await scene.held())[0]?.id, inquiry?.id);
    await scene.decide(inquiry, { type: 'approve' });
    deepStrictEqual(resultOf(await second.text), 'Wrote restarted');
    deepStrictEqual(
      scene.upstream.calls.slice(from).map(({ text }) => text),
      [legacyCall('write_note', '{"path":"restarted"}', 5)],
    );
    await scene.hub.kill();
    await scene.hub.start();
    deepStrictEqual((await resume(id)).status, 404);
  });

  test('not with an id that is unknown, of another session or of another source', async () => {
    const first = await call('mine', 4);
    const id = await idOf(first);
    const other = await openSession(scene.url, scene.otherKey, '2025-11-25');
    const foreign = await sendRaw(scene.url, '', {
      key: scene.otherKey,
      method: 'GET',
      headers: { ...other, 'last-event-id': id },
    });
    const statuses = [(await resume('hub-none')).status, (await resume(id, other)).status, foreign.status];
    deepStrictEqual(statuses, [404, 404, 404]);
    await scene.decide((await scene.held())[0], { type: 'reject' });
    await first.text;
  });
});
