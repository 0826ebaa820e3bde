import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createApp } from '../../../app.ts';
import { connectV1, connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';
import { openLegacy, saidBy } from './wire.ts';

const OPTIONS = { resetTimeoutOnProgress: true, onprogress: () => undefined };

describe('send_inquiry', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { progressMs: 20, roundMs: 60, pendingMs: 80, taskGraceMs: 40, taskPollMs: 20 });
  });
  after(() => scene.stop());

  for (const era of ['legacy', 'modern', 'auto'] as const) {
    test(`a prompt alone is enough, and the words come back (v2 client, ${era})`, async (t) => {
      const { client, frames } = await connectV2(t, scene.mcp(), scene.keys.source, era);
      const prompt = `Which name, ${era}?`;
      const calling = client.callTool({ name: 'send_inquiry', arguments: { prompt } }, OPTIONS);
      const inquiry = await scene.asked(prompt);
      await scene.answer(inquiry, { text: 'Ada' });
      const { content, structuredContent, isError } = await calling;
      deepStrictEqual([content, isError ?? false], [[{ type: 'text', text: 'Ada' }], false]);
      const { by, at, ...rest } = structuredContent as Record<string, unknown>;
      strictEqual(typeof at, 'string');
      strictEqual((by as { handle: string }).handle, 'owner');
      deepStrictEqual(rest, {
        status: 'resolved',
        inquiryId: inquiry.id,
        outcome: 'answered',
        text: 'Ada',
        answer: { text: 'Ada' },
      });
      const [first] = frames.filter(({ method }) => method === 'notifications/progress');
      const about = { question: prompt, inquiryId: inquiry.id, type: 'INQUIRY' };
      deepStrictEqual(first?.params?.['meta'], about);
      deepStrictEqual(first?.params?.['_meta'], { 'dev.beckon/inquiry': about, ...about });
    });
  }

  test('a prompt alone is enough, and the words come back (v1 client)', async (t) => {
    const { client } = await connectV1(t, scene.mcp(), scene.keys.source);
    const calling = client.callTool({ name: 'send_inquiry', arguments: { prompt: 'v1?' } }, undefined, OPTIONS);
    await scene.answer(await scene.asked('v1?'), { text: 'yes' });
    deepStrictEqual((await calling).content, [{ type: 'text', text: 'yes' }]);
  });

  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    test(`every older revision is spoken (${revision})`, async () => {
      const session = await openLegacy(scene.mcp(), scene.keys.source, revision);
      const call = await session.call('send_inquiry', { prompt: `In ${revision}?` }, { token: 1 });
      await scene.answer(await scene.asked(`In ${revision}?`), { text: 'yes' });
      strictEqual(await saidBy(call), 'yes');
    });
  }
});
