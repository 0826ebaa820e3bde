// An agent on the AI SDK: it subscribes, asks without waiting, is woken by the event, and reads the answer.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { experimental_createMCPEventWebhook, createMCPClient } from '@ai-sdk/mcp';

const [, , mcpUrl, port, prompt] = process.argv;
const url = `http://127.0.0.1:${port}/events`;
const say = (what, value) => console.log(`${what} ${JSON.stringify(value)}`);

const kept = new Map();
const store = {
  get: async (key) => kept.get(key),
  getById: async (id) => [...kept.values()].find((one) => one.id === id),
  set: async (one) => void kept.set(one.key, one),
  update: async (key, patch) => void kept.set(key, { ...kept.get(key), ...patch }),
  delete: async (key) => void kept.delete(key),
};

const client = await createMCPClient({
  transport: { type: 'http', url: mcpUrl, headers: { authorization: `Bearer ${process.env.BECKON_KEY}` } },
  experimental_events: { store },
});
const tools = await client.tools();
const call = (name, args) => tools[name].execute(args, { toolCallId: name, messages: [] });

const hook = experimental_createMCPEventWebhook({
  store,
  onEvent: async ({ event, subscription: { id } }) => {
    say('woken', event.data);
    const { structuredContent: answer } = await call('get_answer', { inquiryId: event.data.inquiryId });
    say('answer', [answer.outcome, answer.text]);
    const { deliveryStatus, ...renewed } = await client.experimental_events.refresh({ id });
    say('renewed', [renewed.id === id, deliveryStatus]);
  },
  onTerminated: async ({ termination }) => say('terminated', termination.error),
});
async function serve(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url: path, headers } = request;
  const got = await hook(new Request(new URL(path, url), { method, headers, body: Buffer.concat(chunks) }));
  response.writeHead(got.status, Object.fromEntries(got.headers)).end(Buffer.from(await got.arrayBuffer()));
}
const server = createServer((request, response) => void serve(request, response)).listen(Number(port), '127.0.0.1');
await once(server, 'listening');

const { events } = await client.experimental_events.list();
const names = events.map(({ name }) => name);
say('events', names);
await client.experimental_events.subscribe({
  name: 'inquiry.resolved',
  delivery: { mode: 'webhook', url, allowInsecureLocalhost: true },
  ttlMs: 3_600_000,
});
const { structuredContent } = await call('send_inquiry', { prompt });
say('asked', [structuredContent.status, structuredContent.text.includes('inquiry.resolved')]);
