import { deepStrictEqual, ok, rejects, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../../app.ts';
import { connectV1, connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';
import { openLegacy, resultOf, saidBy, sendModern, until, type Exchange } from './wire.ts';

type Told = Record<string, unknown>;
type Client = { callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Told> };
type Data = { status: string; inquiryId: string; outcome?: string };

describe('a call waits as its client can take it', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { progressMs: 20, roundMs: 150, pendingMs: 80 });
  });
  after(() => scene.stop());

  const dataOf = (result: unknown): Data => (result as { structuredContent: Data }).structuredContent;
  /** What a call says once there is an answer: a machine may be slower than the waits of one call. */
  const answered = async (client: Pick<Client, 'callTool'>, calling: Promise<Told>) => {
    for (let told = await calling; ;) {
      const { status, inquiryId } = dataOf(told);
      if (status !== 'pending') return told['content'];
      told = await client.callTool({ name: 'get_answer', arguments: { inquiryId } });
    }
  };
  const progressOf = ({ frames }: Exchange) => frames.filter(({ method }) => method === 'notifications/progress');

  test('with progress: as long as a person needs, however short the client’s own time-out is', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'legacy');
    const timeout = 5_000;
    const began = performance.now();
    const calling = client.callTool(
      { name: 'send_inquiry', arguments: { prompt: 'Slowly?' } },
      { timeout, resetTimeoutOnProgress: true, onprogress: () => undefined },
    );
    const inquiry = await scene.asked('Slowly?');
    await until(() => performance.now() - began > timeout + 500);
    await scene.answer(inquiry, { text: 'yes' });
    deepStrictEqual((await calling).content, [{ type: 'text', text: 'yes' }]);
  });

  test('progress goes up, is sent for the token 0 too, and only its first frame tells of the inquiry', async () => {
    const call = await sendModern(scene.mcp(), scene.keys.source, {
      method: 'tools/call',
      params: { name: 'send_inquiry', arguments: { prompt: 'Token 0?' } },
      token: 0,
    });
    strictEqual(call.headers.get('x-accel-buffering'), 'no');
    const inquiry = await scene.asked('Token 0?');
    // For longer than a round.
    await until(() => progressOf(call).length > 12);
    await scene.answer(inquiry, { text: 'yes' });
    strictEqual(await saidBy(call), 'yes');
    const frames = progressOf(call).map(({ params }) => params);
    const about = { question: 'Token 0?', inquiryId: inquiry.id, type: 'INQUIRY' };
    const message = 'Waiting for owner to answer';
    deepStrictEqual(frames.slice(0, 2), [
      { progressToken: 0, progress: 0, message, meta: about, _meta: { 'dev.beckon/inquiry': about, ...about } },
      { progressToken: 0, progress: 1, message },
    ]);
    deepStrictEqual(
      frames.map((params) => params?.['progress']),
      frames.map((_params, at) => at),
    );
  });

  test('an older client without progress: until it would give up, then by get_answer', async (t) => {
    const { client } = await connectV1(t, scene.mcp(), scene.keys.source);
    const asked = await client.callTool({ name: 'send_inquiry', arguments: { prompt: 'Later?' } });
    const { id } = await scene.asked('Later?');
    deepStrictEqual([dataOf(asked).status, dataOf(asked).inquiryId], ['pending', id]);
    const again = await client.callTool({ name: 'get_answer', arguments: { inquiryId: id } });
    strictEqual(dataOf(again).status, 'pending');
    const waiting = answered(client, client.callTool({ name: 'get_answer', arguments: { inquiryId: id } }));
    await scene.answer(await scene.asked('Later?'), { text: 'now' });
    deepStrictEqual(await waiting, [{ type: 'text', text: 'now' }]);
  });

  test('?wait=0: without limit', async () => {
    const session = await openLegacy(scene.mcp('?wait=0'), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'For ever?' });
    const other = await openLegacy(scene.mcp(), scene.keys.source);
    // Longer than any wait without it: another call has run out meanwhile.
    const { id } = await scene.asked('For ever?');
    await (
      await other.call('get_answer', { inquiryId: id })
    ).done;
    deepStrictEqual(call.frames.length, 1);
    await scene.answer(await scene.asked('For ever?'), { text: 'yes' });
    strictEqual(await saidBy(call), 'yes');
  });

  test('?wait= bounds a call with progress too', async () => {
    const session = await openLegacy(scene.mcp('?wait=0.05'), scene.keys.source);
    const call = await session.call('send_inquiry', { prompt: 'Briefly?' }, { token: 7 });
    ok((await saidBy(call))?.includes('get_answer'));
  });

  test('Prefer bounds a call where the address does not, and says so', async () => {
    const call = (query: string, prompt: string) =>
      sendModern(scene.mcp(query), scene.keys.source, {
        method: 'tools/call',
        params: { name: 'send_inquiry', arguments: { prompt } },
        headers: { prefer: 'wait=900' },
      });
    const short = await call('?wait=0.05s', 'Hurried?');
    ok((await saidBy(short))?.includes('get_answer'));
    // Without it the call would return in rounds.
    const long = call('', 'Preferred?');
    await scene.answer(await scene.asked('Preferred?'), { text: 'yes' });
    const applied = [short, await long].map(({ headers }) => headers.get('preference-applied'));
    deepStrictEqual([applied, await saidBy(await long)], [[null, 'wait=900'], 'yes']);
  });

  test('a modern client without progress: round by round, by itself', async (t) => {
    const { client, frames } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    const calling = answered(client, client.callTool({ name: 'send_inquiry', arguments: { prompt: 'In rounds?' } }));
    const inquiry = await scene.asked('In rounds?');
    const rounds = () => frames.filter(({ result }) => (result as { requestState?: string } | undefined)?.requestState);
    await until(() => rounds().length >= 2);
    await scene.answer(inquiry, { text: 'yes' });
    deepStrictEqual(await calling, [{ type: 'text', text: 'yes' }]);
  });

  test('in the ninth round the call returns, before the client stops following', async (t) => {
    const { client, frames } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    const asked = await client.callTool({ name: 'send_inquiry', arguments: { prompt: 'Nine rounds?' } });
    const { id } = await scene.asked('Nine rounds?');
    deepStrictEqual([dataOf(asked).status, dataOf(asked).inquiryId], ['pending', id]);
    strictEqual(
      frames.filter(({ result }) => (result as { requestState?: string } | undefined)?.requestState).length,
      8,
    );
  });

  test('a round belongs to its call and its credential', async () => {
    const send = (key: string, args: object, requestState?: string) =>
      sendModern(scene.mcp(), key, {
        method: 'tools/call',
        params: { name: 'send_inquiry', arguments: args, ...(requestState === undefined ? {} : { requestState }) },
      });
    const first = await send(scene.keys.source, { prompt: 'Whose round?' });
    const { requestState } = await resultOf<{ requestState: string }>(first);
    const [head, letter, last] = [requestState.slice(0, -2), requestState.at(-2), requestState.at(-1)];
    const forged = `${head}${letter === 'A' ? 'B' : 'A'}${last}`;
    const refused = [
      await send(scene.keys.other, { prompt: 'Whose round?' }, requestState),
      await send(scene.keys.source, { prompt: 'Another question?' }, requestState),
      await send(scene.keys.source, { prompt: 'Whose round?' }, forged),
      await send(scene.keys.source, { prompt: 'Whose round?' }, 'x'),
    ];
    await Promise.all(refused.map(({ done }) => done));
    deepStrictEqual(
      refused.map(({ frames }) => frames.at(-1)?.error?.code),
      [-32602, -32602, -32602, -32602],
    );
  });

  test('[ASK3] a call of a tool that is not there, or with faults, wakes nobody', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    await rejects(client.callTool({ name: 'send_enquiry', arguments: {} }), { code: -32602 });
    const refused = await client.callTool({
      name: 'send_inquiry',
      arguments: { prompt: 'Faulty?', questions: [{ id: 'a', type: 'number', prompt: '' }], urgent: true },
    });
    const text = (refused.content as { text: string }[])[0]?.text ?? '';
    deepStrictEqual([refused.isError, text.includes('/questions/0'), text.includes('/urgent')], [true, true, true]);
    const { items } = await scene.call<{ items: { prompt?: string }[] }>('GET', '/v1/inbox', scene.keys.device);
    deepStrictEqual(
      items.filter(({ prompt }) => prompt === 'Faulty?'),
      [],
    );
  });
});
