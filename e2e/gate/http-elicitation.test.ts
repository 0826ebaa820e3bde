import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectClient, wordsOf } from '../mcp/clients.ts';
import { legacyCall, modernCall, modernHeaders, openSession, resultOf, sendRaw } from './raw.ts';
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
    deepStrictEqual(
      wordsOf(await call),
      'Signed b: {"action":"accept","content":{"name":"Ann"}}\nA person changed the arguments before this ran: {"path":"b"}',
    );
    await client.close();
  });

  const EVE = { action: 'accept', content: { name: 'Eve' } };

  test('[RES5] what a client of an older revision answers in their place reaches no upstream', async () => {
    const session = await openSession(url, scene.key, '2025-11-25');
    const listening = await sendRaw(url, '', { key: scene.key, headers: session, method: 'GET' });
    const post = async (body: unknown) => {
      const sent = await sendRaw(url, JSON.stringify(body), { key: scene.key, headers: session });
      await sent.text;
      return sent.status;
    };
    const call = await sendRaw(url, legacyCall('ask_back', '{}'), { key: scene.key, headers: session });
    const [inquiry] = await scene.held();
    const answers = [0, 1, 2, 3, 4, 5, '0', 7].map((id) => ({ jsonrpc: '2.0', id, result: EVE }));
    const met = [];
    for (const one of [...answers, { jsonrpc: '2.0', id: 0, error: { code: 1, message: 'no' } }])
      met.push(await post(one));
    met.push(await post(answers), await post([answers[0]]), await post({ ...answers[0], method: 'ping' }));
    await scene.answer(inquiry, ANN);
    deepStrictEqual(resultOf(await call.text), 'accept {"name":"Ann"}');
    deepStrictEqual(met, [...met.slice(0, 9).map(() => 202), 400, 400, 400]);
    listening.cut();
  });

  test('[RES5] what a client of 2026-07-28 brings along as their answer reaches no upstream', async () => {
    const given = modernCall('sign', '{"path":"a"}').replace(
      '"arguments":',
      `"inputResponses":{"name":${JSON.stringify(EVE)}},"arguments":`,
    );
    const call = await sendRaw(url, given, { key: scene.key, headers: modernHeaders('sign') });
    await scene.answer((await scene.held())[0], ANN);
    deepStrictEqual(resultOf(await call.text), 'Signed a: {"action":"accept","content":{"name":"Ann"}}');
    deepStrictEqual(
      scene.upstream.calls.filter(({ text }) => text.includes('Eve')),
      [],
    );
  });

  test('what else an upstream asks reaches its client, under an id that the client cannot guess', async () => {
    const client = new FirstClient({ name: 'agent', version: '1' }, { capabilities: { sampling: {} } });
    const ids: unknown[] = [];
    client.setRequestHandler(CreateMessageRequestSchema, (_request, { requestId }) => {
      ids.push(requestId);
      return { model: 'm', role: 'assistant' as const, content: { type: 'text' as const, text: 'sampled' } };
    });
    const requestInit = { headers: { authorization: `Bearer ${scene.key}` } };
    await client.connect(new FirstTransport(new URL(url), { requestInit }) as never);
    deepStrictEqual(wordsOf((await client.callTool({ name: 'sample_back', arguments: {} })) as never), 'sampled');
    deepStrictEqual(
      ids.map((id) => typeof id === 'string' && id.length > 40),
      [true],
    );
    await client.close();
  });
});
