import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Decider, Run } from '#shared/policies/decider.ts';
import { must } from '../hub/call.ts';
import { startHub } from '../hub/hub.ts';
import { ownerDevice } from '../hub/people.ts';
import { packagesOfExamples } from './installed.ts';

type Body = { response_format: { json_schema: { schema: object } } };
/** What the test uses of the package `openai`, which comes with the examples. */
type Parsed = {
  choices: { message: { content: string } }[];
  usage: { prompt_tokens: number; completion_tokens: number };
};
type OpenAI = new (options: object) => { chat: { completions: { parse(body: object): Promise<Parsed> } } };
type Strict = { toStrictJsonSchema(schema: object): object };

const CONTENT = '{"answer":{"text":"Blue."},"undecided":null}';
const REPLY = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_795_000_000,
  model: 'small',
  choices: [{ index: 0, message: { role: 'assistant', content: CONTENT, refusal: null }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};

test('a decider is asked as the client of OpenAI asks, with a strict schema, and reads the same of the reply', async (t) => {
  const hub = await startHub();
  const heard: { path: string | undefined; authorization: string | undefined; body: unknown }[] = [];
  // Stands for a vendor's cloud.
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url: path, headers } = request;
      heard.push({ path, authorization: headers.authorization, body: JSON.parse(body) });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(REPLY));
    });
  }).listen(0, '127.0.0.1');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await hub.remove();
  });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { token } = await ownerDevice(hub);
  const decider = { kind: 'chat', name: 'Ada', url, model: 'small', instructions: 'As Ada would.', key: 'sk-1' };
  const { id } = await must<Decider>(hub, 'POST /v1/deciders', { token, body: decider });
  const run = await must<Run>(hub, `POST /v1/deciders/${id}/test`, { token, body: {} });
  const body = JSON.parse(run.sent) as Body;

  const modules = join(await packagesOfExamples(), 'node_modules/openai');
  const { default: openAI } = (await import(join(modules, 'index.mjs'))) as { default: OpenAI };
  const completion = await new openAI({ baseURL: url, apiKey: 'sk-1' }).chat.completions.parse(body);
  deepStrictEqual(heard[1], heard[0]);
  deepStrictEqual(
    [completion.choices[0]?.message.content, completion.usage.prompt_tokens, completion.usage.completion_tokens],
    [run.received, run.tokensIn, run.tokensOut],
  );

  const { toStrictJsonSchema } = (await import(join(modules, 'lib/transform.mjs'))) as Strict;
  const { schema } = body.response_format.json_schema;
  deepStrictEqual(toStrictJsonSchema(schema), schema);
});
