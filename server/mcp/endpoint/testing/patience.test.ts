import { deepStrictEqual, rejects } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { createApp } from '../../../app.ts';
import { connectV1, connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';
import { until } from './wire.ts';

const TIMEOUT_MS = 400;
const EARLIER_MS = 200;
const SHOWN = { onprogress: () => undefined };

type Call = (prompt: string, options: object) => Promise<{ structuredContent?: unknown }>;

describe('a client that gives up although it is shown progress', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { progressMs: 20, leastMs: 100, earlierMs: EARLIER_MS });
  });
  after(() => scene.stop());

  const statusOf = async (calling: ReturnType<Call>) =>
    ((await calling).structuredContent as { status: string }).status;

  const LINES = {
    'SDK 1': async (t: TestContext, key: string, version: string): Promise<Call> => {
      const { client } = await connectV1(t, scene.mcp(), key, version);
      return async (prompt, options) =>
        client.callTool({ name: 'send_inquiry', arguments: { prompt } }, undefined, options) as ReturnType<Call>;
    },
    'SDK 2, 2026-07-28': async (t: TestContext, key: string, version: string): Promise<Call> => {
      const { client } = await connectV2(t, scene.mcp(), key, 'modern', {}, version);
      return async (prompt, options) =>
        client.callTool({ name: 'send_inquiry', arguments: { prompt } }, options) as ReturnType<Call>;
    },
  };

  for (const [line, connect] of Object.entries(LINES)) {
    test(`${line}: the hub waits on until it has given up once, and then ends its calls before that`, async (t) => {
      const call = await connect(t, scene.keys.source, '1');
      const given = rejects(call(`${line}, first`, { ...SHOWN, timeout: TIMEOUT_MS }), /timed out/i);
      const { id } = await scene.asked(`${line}, first`);
      await given;
      // Let go of: the hub has heard that its client is gone.
      while (!(await scene.read(id)).resolution);
      const later = await connect(t, scene.keys.source, '1');
      // It would still be patient enough for far longer than that.
      deepStrictEqual(await statusOf(later(`${line}, later`, { ...SHOWN, timeout: 30_000 })), 'pending');
    });

    test(`${line}: another version of it, and another source, are waited for as before`, async (t) => {
      const others = [await connect(t, scene.keys.source, '2'), await connect(t, scene.keys.other, '1')];
      const prompts = others.map((_other, at) => `${line}, other ${at}`);
      const calls = others.map((call, at) => statusOf(call(prompts[at] ?? '', { ...SHOWN, timeout: 30_000 })));
      const began = performance.now();
      await Promise.all(prompts.map((prompt) => scene.asked(prompt)));
      // Longer than the impatient one is given.
      await until(() => performance.now() - began > 2 * TIMEOUT_MS);
      for (const prompt of prompts) await scene.answer(await scene.asked(prompt), { text: 'yes' });
      deepStrictEqual(await Promise.all(calls), ['resolved', 'resolved']);
    });
  }

  test('a call that a person took back says nothing of its client', async (t) => {
    const call = await LINES['SDK 1'](t, scene.keys.source, '3');
    const stop = new AbortController();
    const ended = rejects(call('Stopped?', { ...SHOWN, signal: stop.signal }));
    const began = performance.now();
    await scene.asked('Stopped?');
    await until(() => performance.now() - began > TIMEOUT_MS);
    stop.abort('Stopped by hand');
    await ended;
    const again = statusOf(call('And now?', { ...SHOWN, timeout: 30_000 }));
    await until(() => performance.now() - began > 3 * TIMEOUT_MS);
    await scene.answer(await scene.asked('And now?'), { text: 'yes' });
    deepStrictEqual(await again, 'resolved');
  });
});
