import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connectClient, wordsOf } from '../mcp/clients.ts';
import { openScene, type Scene } from './scene.ts';

describe('people answer what an upstream asks of its client', { timeout: 120_000 }, () => {
  let scene: Scene;
  let url: string;
  before(async () => {
    scene = await openScene();
    url = await scene.gate('asking', { elicitation: 'people', otherwise: 'allow' });
  });
  after(() => scene?.remove());

  const ANN = { values: { form: { name: 'Ann' } } };

  for (const line of ['SDK 1', 'SDK 2, 2025-11-25'] as const) {
    test(`while the call runs, for a client that cannot be asked, ${line}`, async () => {
      const client = await connectClient(url, scene.key, line);
      const call = client.call('ask_back', {});
      const [inquiry] = await scene.held();
      deepStrictEqual(inquiry?.questions?.[0]?.prompt, 'Under which name?');
      await scene.answer(inquiry, ANN);
      deepStrictEqual(wordsOf(await call), 'accept {"name":"Ann"}');

      const declined = client.call('ask_back', {});
      await scene.answer((await scene.held())[0], { outcome: 'declined' });
      deepStrictEqual(wordsOf(await declined), 'decline undefined');
      await client.close();
    });
  }

  test('between two rounds of the call, SDK 2, 2026-07-28', async () => {
    const client = await connectClient(url, scene.key);
    const call = client.call('sign', { path: 'a' });
    const [inquiry] = await scene.held();
    deepStrictEqual(inquiry?.questions?.[0]?.prompt, 'Under which name?');
    await scene.answer(inquiry, ANN);
    deepStrictEqual(wordsOf(await call), 'Signed a: {"action":"accept","content":{"name":"Ann"}}');
    await client.close();
  });

  test('after an approval with other arguments, which the next round keeps', async () => {
    const asking = await scene.gate('both', { elicitation: 'people' });
    const client = await connectClient(asking, scene.key);
    const call = client.call('sign', { path: 'a' });
    await scene.decide((await scene.held())[0], { type: 'edit', args: { path: 'b' } });
    const [inquiry] = await scene.held();
    await scene.answer(inquiry, ANN);
    deepStrictEqual(wordsOf(await call), 'Signed b: {"action":"accept","content":{"name":"Ann"}}');
    await client.close();
  });
});
