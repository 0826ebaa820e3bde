import { deepStrictEqual, rejects, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { createApp } from '../../../app.ts';
import { connectV2 } from './clients.ts';
import { openScene, type Scene } from './scene.ts';
import { MODERN, resultOf, saidBy, sendModern } from './wire.ts';

describe('a client that knows tasks', { timeout: 60_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene(createApp, { progressMs: 20, taskGraceMs: 60, taskPollMs: 20, roundMs: 60 });
  });
  after(() => scene.stop());

  const send = (
    method: string,
    params: Record<string, unknown>,
    { key = scene.keys.source, tasks = true, query = '' } = {},
  ) => sendModern(scene.mcp(query), key, { method, params, tasks });
  const ask = (prompt: string) => send('tools/call', { name: 'send_inquiry', arguments: { prompt } });
  async function taskFor(prompt: string): Promise<string> {
    const call = await ask(prompt);
    const { resultType, taskId, status } = await resultOf<Record<string, string>>(call);
    deepStrictEqual([resultType, taskId, status], ['task', (await scene.asked(prompt)).id, 'working']);
    return taskId ?? '';
  }

  test('gets a task after a short wait, follows it and has the answer (ext-tasks)', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    let id = 100;
    const session = createTaskSessionFromClient(client, {
      endpointId: 'hub',
      v2RequestFraming: {
        protocolVersion: MODERN,
        clientInfo: { name: 'tasks', version: '1' },
        clientCapabilities: {},
      },
      rawDispatch: async (request) => {
        const { method, params } = request as { method: string; params: Record<string, unknown> };
        const sent = await sendModern(scene.mcp(), scene.keys.source, { method, params, id: id++, tasks: true });
        await sent.done;
        const { result, error } = sent.frames.at(-1) ?? {};
        return error ? { kind: 'error', error: error as never } : { kind: 'result', result: result as never };
      },
    });
    t.after(() => session.close());
    const execution = await session.callTool('send_inquiry', { prompt: 'As a task?' });
    const settling = execution.settle();
    await scene.answer(await scene.asked('As a task?'), { text: 'yes' });
    const { content } = resultFromTaskOutcome((await settling).outcome) as { content: unknown };
    deepStrictEqual(content, [{ type: 'text', text: 'yes' }]);
  });

  test('gets the answer itself when it comes within the short wait, and never a task with ?task=off', async () => {
    const quick = await openScene(createApp, { taskGraceMs: 30_000 });
    try {
      const call = await sendModern(quick.mcp(), quick.keys.source, {
        method: 'tools/call',
        params: { name: 'send_inquiry', arguments: { prompt: 'Quick?' } },
        tasks: true,
      });
      await quick.answer(await quick.asked('Quick?'), { text: 'yes' });
      strictEqual(await saidBy(call), 'yes');
    } finally {
      await quick.stop();
    }
    const off = await send(
      'tools/call',
      { name: 'send_inquiry', arguments: { prompt: 'Off?' } },
      { query: '?task=off' },
    );
    strictEqual((await resultOf<{ resultType: string }>(off)).resultType, 'input_required');
  });

  test('[ASK5] the answer is collected by the reply that carries it: the same call then asks anew', async () => {
    const taskId = await taskFor('Collected?');
    await scene.answer(await scene.asked('Collected?'), { text: 'yes' });
    const read = await send('tasks/get', { taskId });
    const { status, result } = await resultOf<{ status: string; result: { content: unknown } }>(read);
    deepStrictEqual([status, result.content], ['completed', [{ type: 'text', text: 'yes' }]]);
    strictEqual((await taskFor('Collected?')) === taskId, false);
  });

  test('tasks/cancel withdraws the inquiry', async () => {
    const taskId = await taskFor('Cancelled?');
    await (
      await send('tasks/cancel', { taskId })
    ).done;
    strictEqual((await scene.read(taskId)).resolution?.outcome, 'withdrawn');
    const read = await send('tasks/get', { taskId });
    strictEqual((await resultOf<{ status: string }>(read)).status, 'cancelled');
    await (
      await send('tasks/cancel', { taskId })
    ).done;
  });

  test('a task is its source’s alone, and a client that does not know tasks is told so', async () => {
    const taskId = await taskFor('Whose?');
    const refused = [
      await send('tasks/get', { taskId }, { key: scene.keys.other }),
      await send('tasks/get', { taskId }, { key: scene.keys.device }),
      await send('tasks/cancel', { taskId }, { key: scene.keys.other }),
      await send('tasks/get', { taskId: 'inq_none' }),
      await send('tasks/get', { taskId }, { tasks: false }),
    ];
    await Promise.all(refused.map(({ done }) => done));
    deepStrictEqual(
      refused.map(({ status, frames }) => [status, frames[0]?.error?.code]),
      [
        [200, -32602],
        [200, -32602],
        [200, -32602],
        [200, -32602],
        [400, -32021],
      ],
    );
    strictEqual((await scene.read(taskId)).resolution, undefined);
  });

  test('a plain client that does not know tasks never gets one', async (t) => {
    const { client } = await connectV2(t, scene.mcp(), scene.keys.source, 'modern');
    const calling = client.callTool({ name: 'send_inquiry', arguments: { prompt: 'Plain?' } });
    await scene.answer(await scene.asked('Plain?'), { text: 'yes' });
    deepStrictEqual((await calling).content, [{ type: 'text', text: 'yes' }]);
    await rejects(client.callTool({ name: 'answer_inquiry', arguments: {} }), { code: -32602 });
  });
});
