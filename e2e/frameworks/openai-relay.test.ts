import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from '../hub/call.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { QUESTION, scriptedPlatform } from './chat-platform.ts';
import { packagesOfExamples } from './installed.ts';

/** What the tests use of the package `openai`, which comes with the examples. */
type Chunks = AsyncIterable<object> & { controller: AbortController };
type Runner = {
  on(event: string, heard: (...told: unknown[]) => void): Runner;
  done(): Promise<void>;
  messages: object[];
};
type Client = {
  chat: {
    completions: {
      create(body: object): Promise<Chunks> & { withResponse(): Promise<{ data: Chunks; response: Response }> };
      runTools(body: object): Runner;
    };
  };
  models: { list(): Promise<{ data: object[] }> };
};
type OpenAI = new (options: object) => Client;
type Refusal = Error & { status?: number; code?: string; type?: string; requestID?: string; headers?: Headers };

const tool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    parse: JSON.parse,
    function: ({ city }: { city: string }) => `Sunny in ${city}`,
  },
};
const messages = [{ role: 'user', content: '天气？' }];
const read = async (chunks: AsyncIterable<object>): Promise<object[]> => {
  const seen: object[] = [];
  for await (const chunk of chunks) seen.push(chunk);
  return seen;
};

/** Each is one use of the client; a model is a script of the platform. */
const USES: Record<string, (client: Client) => Promise<unknown>> = {
  'a stream with a question in it': async ({ chat }) => {
    const asked = chat.completions.create({ model: 'asks', stream: true, messages });
    const { data, response } = await asked.withResponse();
    return [response.status, headersOf(response.headers), await read(data)];
  },
  'a stream whose tools run': async ({ chat }) => {
    const told: unknown[] = [];
    const runner = chat.completions.runTools({ model: 'tools', stream: true, messages, tools: [tool] });
    for (const event of ['chunk', 'content', 'message', 'functionToolCall', 'functionToolCallResult'])
      runner.on(event, (...args) => void told.push([event, structuredClone(args)]));
    await runner.done();
    return [told, runner.messages];
  },
  'tools without a stream': async ({ chat }) => {
    const runner = chat.completions.runTools({ model: 'tools', messages, tools: [tool] });
    await runner.done();
    return runner.messages;
  },
  'a reply without a stream': async ({ chat }) => {
    const { data, response } = await chat.completions.create({ model: 'plain', messages }).withResponse();
    return [response.status, headersOf(response.headers), data];
  },
  'a list of models': async ({ models }) => (await models.list()).data,
  'a stream that breaks': ({ chat }) => chat.completions.create({ model: 'breaks', stream: true, messages }).then(read),
  'a stream that ends with an error': ({ chat }) =>
    chat.completions.create({ model: 'fails late', stream: true, messages }).then(read),
  '401': ({ chat }) => chat.completions.create({ model: '401', messages }),
  '429 until the client gives up': ({ chat }) => chat.completions.create({ model: '429', stream: true, messages }),
  '429, and then a reply': ({ chat }) => chat.completions.create({ model: 'once 429', messages }),
  '503, and then a stream': ({ chat }) =>
    chat.completions.create({ model: 'once 503', stream: true, messages }).then(read),
  '500 with a page of HTML': ({ chat }) => chat.completions.create({ model: '500', messages }),
};

/** What an error of the client holds. */
function refusalOf(error: Refusal): unknown {
  const { constructor, message, status, code, type, requestID, headers } = error;
  const cause = error.cause as (Error & { code?: string }) | undefined;
  const { name } = constructor;
  return {
    name,
    message,
    status,
    code,
    type,
    requestID,
    headers: headers && headersOf(headers),
    cause: cause?.message,
  };
}

/** Headers but those of one hop, and the one by which the hub keeps a reply from being a page of its own. */
function headersOf(headers: Headers): object {
  const hops = ['connection', 'keep-alive', 'content-security-policy'];
  return Object.fromEntries([...headers].filter(([name]) => !hops.includes(name)));
}

describe('the client of OpenAI behind a connection’s address', { timeout: 240_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let made: NewConnectionReply;
  let openAI: OpenAI;
  const platform = scriptedPlatform();

  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    const baseUrl = await platform.listen();
    made = await must(hub, 'POST /v1/connections', {
      token: owner.token,
      body: { name: 'Lumen', kind: 'chatcompletions', baseUrl, answerUrl: `${baseUrl}/answer` },
    });
    const packages = await packagesOfExamples();
    ({ default: openAI } = (await import(join(packages, 'node_modules/openai/index.mjs'))) as { default: OpenAI });
  });
  after(async () => {
    await hub?.remove();
    platform.close();
  });

  /** What happens to the client, and what the platform hears of it. */
  async function noticed(baseURL: string, use: (client: Client) => Promise<unknown>): Promise<unknown> {
    const heard = platform.listenAnew();
    const client = new openAI({ baseURL, apiKey: 'sk-of-the-client', maxRetries: 2 });
    const outcome = await use(client).catch(refusalOf);
    return { outcome, heard: heard() };
  }

  for (const [name, use] of Object.entries(USES))
    test(`the client notices nothing: ${name}`, async () => {
      const direct = await noticed(platform.url(), use);
      deepStrictEqual(await noticed(made.url, use), direct);
    });

  test('meanwhile people were asked what the platform asked in its streams', async () => {
    const asked = await until('the question in the history', async () => {
      const history = await all<Inquiry>(hub, '/v1/history', owner.token);
      return history.length > 0 && history;
    });
    deepStrictEqual(
      [...new Set(asked.map(({ prompt, source }) => `${source.name}: ${prompt}`))],
      [`Lumen: ${QUESTION}`],
    );
  });

  test('the client gives up on its own, and the platform stops', async () => {
    const use = async (client: Client): Promise<unknown> => {
      const chunks = await client.chat.completions.create({ model: 'endless', stream: true, messages: [] });
      const seen: object[] = [];
      for await (const chunk of chunks) {
        seen.push(chunk);
        if (seen.length === 3) chunks.controller.abort();
      }
      await until('the platform to be left', () => platform.left());
      return seen;
    };
    deepStrictEqual(await noticed(made.url, use), await noticed(platform.url(), use));
  });
});
