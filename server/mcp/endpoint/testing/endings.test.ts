import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { createApp } from '../../../app.ts';
import { connectV1, connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';
import { openLegacy, resultOf, saidBy, sendModern, until } from './wire.ts';

const KEEPS = { resetTimeoutOnProgress: true, onprogress: () => undefined };

describe('how a call ends', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { progressMs: 20, pendingMs: 30_000, roundMs: 30_000 });
  });
  after(() => scene.stop());

  const ask = (prompt: string) => ({ name: 'send_inquiry', arguments: { prompt } });
  const withdrawn = (inquiry: Inquiry) => until(async () => (await scene.read(inquiry.id)).resolution);
  const modern = (prompt: string) =>
    sendModern(scene.mcp(), scene.keys.source, { method: 'tools/call', params: ask(prompt), token: 1 });

  test('a cancel of an older client withdraws the inquiry at once, with its reason', async (t) => {
    const { client } = await connectV1(t, scene.mcp(), scene.keys.source);
    const cancelled = new AbortController();
    const calling = client
      .callTool(ask('Cancel me?'), undefined, { ...KEEPS, signal: cancelled.signal })
      .catch(() => {});
    const inquiry = await scene.asked('Cancel me?');
    cancelled.abort('never mind');
    const { outcome, by, message } = await withdrawn(inquiry);
    deepStrictEqual([outcome, by.kind, message], ['withdrawn', 'source', 'The call was cancelled.']);
    await calling;
  });

  test('a modern client cancels by closing: the inquiry is withdrawn when nobody comes back', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    const cancelled = new AbortController();
    const calling = client.callTool(ask('Close me?'), { ...KEEPS, signal: cancelled.signal }).catch(() => {});
    const inquiry = await scene.asked('Close me?');
    cancelled.abort();
    const { outcome, message } = await withdrawn(inquiry);
    deepStrictEqual([outcome, message], ['withdrawn', 'its asker is gone']);
    await calling;
  });

  test('[ASK5] a call with an id of its own, sent again after a lost connection, finds its inquiry and its answer, once', async () => {
    const id = { 'beckon-call': `${'a'.repeat(36)} 1` };
    const named = (headers: Record<string, string> = id) =>
      sendModern(scene.mcp(), scene.keys.source, { method: 'tools/call', params: ask('Lost?'), token: 1, headers });
    const first = await named();
    const inquiry = await scene.asked('Lost?');
    // The first connection still stands: the newer one takes the wait over.
    const second = await named();
    await until(() => second.frames.length > 0);
    deepStrictEqual((second.frames[0]?.params?.['meta'] as { inquiryId: string } | undefined)?.inquiryId, inquiry.id);
    const { structuredContent } = (await resultOf(first)) as { structuredContent: { status: string } };
    strictEqual(structuredContent.status, 'pending');
    second.cut();
    await scene.answer(inquiry, { text: 'yes' });
    for (const [at, other] of [{}, { 'beckon-call': '1' }, { 'beckon-call': `${'a'.repeat(36)} 2` }].entries()) {
      const call = await named(other);
      ok((await scene.asked('Lost?')).id !== inquiry.id, `${at}`);
      call.cut();
      await withdrawn(await scene.asked('Lost?'));
    }
    // Nobody was there to take it: the same call gets it, and then asks anew.
    strictEqual(await saidBy(await named()), 'yes');
    const again = await named();
    ok((await scene.asked('Lost?')).id !== inquiry.id);
    again.cut();
  });

  test('[ASK5] two live clients that ask the same are two questions, in either era, and a dead one’s answer is nobody else’s', async () => {
    const open = async () =>
      (await scene.call<{ items: Inquiry[] }>('GET', '/v1/inbox', scene.keys.device)).items.filter(
        ({ prompt }) => prompt === 'Twice?',
      );
    const { source } = scene.keys;
    const sessions = [await openLegacy(scene.mcp(), source), await openLegacy(scene.mcp(), source)];
    const calls = [
      ...(await Promise.all(
        sessions.map((session) => session.call('send_inquiry', { prompt: 'Twice?' }, { token: 1 })),
      )),
      await modern('Twice?'),
      await modern('Twice?'),
    ];
    const asked = await until(async () => ((await open()).length === 4 ? open() : undefined));
    for (const call of calls) call.cut();
    for (const one of asked) await scene.answer(one, { text: 'yes' });
    const anew = [
      await modern('Twice?'),
      await (await openLegacy(scene.mcp(), source)).call('send_inquiry', { prompt: 'Twice?' }, { token: 1 }),
    ];
    await until(async () => (await open()).length === 2);
    for (const call of anew) call.cut();
  });

  test('an older client that lost its connection comes back for its stream, on which progress goes on', async () => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'Resume?' }, { token: 1 });
    await until(() => call.frames.length > 2);
    const seen = call.frames.at(-1)?.eventId ?? '';
    call.cut();
    await call.done;
    const back = await session.resume(seen);
    await scene.answer(await scene.asked('Resume?'), { text: 'yes' });
    strictEqual(await saidBy(back), 'yes');
    // Whoever lost that reply too gets the same once more.
    strictEqual(await saidBy(await session.resume(seen)), 'yes');
    const progress = [...call.frames, ...back.frames].flatMap(({ params }) => params?.['progress'] ?? []);
    deepStrictEqual(
      progress,
      [...new Set(progress as number[])].toSorted((a, b) => a - b),
    );
  });

  test('[ASK5] an answer that came while nobody was connected is handed over on return, and to one call alone', async () => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const standing = await session.send({ id: 9, method: 'ping' });
    await standing.done;
    const call = await session.call('send_inquiry', { prompt: 'Away?' }, { token: 1 });
    await until(() => call.frames.length > 0);
    const seen = call.frames[0]?.eventId ?? '';
    call.cut();
    const inquiry = await scene.asked('Away?');
    await scene.answer(inquiry, { text: 'yes' });
    strictEqual(await saidBy(await session.resume(seen)), 'yes');
    const again = await session.call('send_inquiry', { prompt: 'Away?' }, { id: 2, token: 2 });
    const anew = await scene.asked('Away?');
    ok(anew.id !== inquiry.id);
    again.cut();
  });

  test('a call of a session to whose stream nobody comes back lets go of its inquiry', async (t) => {
    const short = await openScene(createApp, { graceMs: 50 });
    t.after(() => short.stop());
    const session = await openLegacy(short.mcp(), short.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'Gone for good?' }, { token: 1 });
    const inquiry = await short.asked('Gone for good?');
    call.cut();
    const gone = await until(async () => (await short.read(inquiry.id)).resolution);
    strictEqual(gone.message, 'its asker is gone');
    const after = await session.send({ id: 3, method: 'ping' });
    await after.done;
    strictEqual(after.status, 200);
    const unknown = await session.resume('none');
    deepStrictEqual([unknown.status, await saidBy(unknown)], [400, 'Invalid event ID format']);
  });

  test('a session that its client ends takes its calls back', async () => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'The end?' }, { token: 1 });
    const inquiry = await scene.asked('The end?');
    strictEqual((await session.end()).status, 200);
    strictEqual((await withdrawn(inquiry)).message, 'its asker is gone');
    await call.done;
  });

  test('a client takes back what it lost its connection to: by a cancel, and by the end of its session', async () => {
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    for (const [at, prompt] of ['Lost and cancelled?', 'Lost and ended?'].entries()) {
      const call = await session.call('send_inquiry', { prompt }, { id: at, token: 1 });
      const { id } = await scene.asked(prompt);
      call.cut();
      await until(async () => (await scene.read(id)).askerGoneAt);
      const cancel = { method: 'notifications/cancelled', params: { requestId: 0, reason: 'never mind' } };
      await (at === 0 ? session.send(cancel) : session.end());
      const { outcome, message } = (await until(async () => (await scene.read(id)).resolution)) ?? {};
      deepStrictEqual([outcome, message], ['withdrawn', at === 0 ? 'The call was cancelled.' : 'its asker is gone']);
    }
  });

  test('a session that ends in the moment its connections break takes its calls back, not after their grace', async () => {
    const ends = Array.from({ length: 10 }, async (_, at) => {
      const session = await openLegacy(scene.mcp(), scene.keys.source);
      const call = await session.call('send_inquiry', { prompt: `Both at once, ${at}?` }, { token: 1 });
      const inquiry = await scene.asked(`Both at once, ${at}?`);
      call.cut();
      await session.end();
      return (await withdrawn(inquiry)).message;
    });
    deepStrictEqual(
      await Promise.all(ends),
      Array.from({ length: 10 }, () => 'its asker is gone'),
    );
  });

  test('get_answer only reads: its end leaves the inquiry open', async () => {
    const inquiry = await scene.call<Inquiry>('POST', '/v1/inquiries', scene.keys.source, { prompt: 'Only read?' });
    const session = await openLegacy(scene.mcp(), scene.keys.source);
    const call = await session.call('get_answer', { inquiryId: inquiry.id }, { token: 1 });
    await until(() => call.frames.length > 1);
    await (
      await session.send({ method: 'notifications/cancelled', params: { requestId: 1 } })
    ).done;
    await session.end();
    const other = await openLegacy(scene.mcp(), scene.keys.source);
    const again = await other.call('get_answer', { inquiryId: inquiry.id }, { token: 1 });
    await scene.answer(inquiry, { text: 'yes' });
    strictEqual(await saidBy(again), 'yes');
  });

  test('a stopping hub hands the id out and withdraws nothing', async () => {
    const stopping = await openScene(createApp, { progressMs: 20 });
    const session = await openLegacy(stopping.mcp(), stopping.keys.source);
    const calls = [
      await session.call('send_inquiry', { prompt: 'Stopping?' }, { token: 1 }),
      await sendModern(stopping.mcp(), stopping.keys.source, { method: 'tools/call', params: ask('Stopping too?') }),
    ];
    const open = [await stopping.asked('Stopping?'), await stopping.asked('Stopping too?')];
    await stopping.stop();
    const said = await Promise.all(calls.map(saidBy));
    deepStrictEqual(
      said.map((text, at) => text?.includes(open[at]?.id ?? '-')),
      [true, true],
    );
    const results = await Promise.all(calls.map((call) => resultOf<{ _meta: Record<string, unknown> }>(call)));
    deepStrictEqual(
      results.map(({ _meta }) => _meta['dev.beckon/stopping']),
      [true, true],
    );
  });
});
