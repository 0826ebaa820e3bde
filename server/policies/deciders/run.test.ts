import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { runDecider } from './run.ts';

test('a chat endpoint is asked with the question as JSON, and its answer is returned with what it took', async (t) => {
  const heard: { path: string | undefined; authorization: string | undefined; body: unknown }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url: path, headers } = request;
      heard.push({ path, authorization: headers.authorization, body: JSON.parse(body) });
      const content = JSON.stringify({ answer: { text: 'Blue.' }, undecided: null });
      const usage = { prompt_tokens: 7, completion_tokens: 3 };
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => (server.closeAllConnections(), server.close()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const decider = {
    id: 'dcd_1',
    kind: 'chat' as const,
    name: 'Ada',
    url,
    model: 'small',
    instructions: 'Answer as Ada would.',
    hasKey: true,
    key: 'sk-1',
    holdSeconds: 20,
    timeoutSeconds: 5,
    changedAt: '2026-11-23T07:00:00.000Z',
  };
  const question = { ask: { prompt: 'Blue or green?' }, sourceName: 'ci', locale: 'en' as const, examples: [] };
  const { ms: _, sent, ...run } = await runDecider(decider, question, { signal: new AbortController().signal });
  deepStrictEqual(run, {
    answer: { text: 'Blue.' },
    received: '{"answer":{"text":"Blue."},"undecided":null}',
    tokensIn: 7,
    tokensOut: 3,
  });
  deepStrictEqual(heard, [{ path: '/v1/chat/completions', authorization: 'Bearer sk-1', body: JSON.parse(sent) }]);
});
