import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of a tool that the model is to make. */
export type ToolCall = { name: string; input: object };

/** The vendors' model APIs at the edge of the network, no model: the programs that call them are the real ones. */
export type Model = {
  url: string;
  /** What the tools replied, as the program told the model. */
  told(): string[];
  /** All that the program sent to the model with its tools, in one piece: prompts, descriptions, messages. */
  sent(): string;
  /** Where else the program wanted to go; this is its proxy for every address off this machine. */
  strayed(): string[];
  close(): void;
};

type Body = {
  messages?: { content: string | { type: string; content?: unknown }[] }[];
  input?: { type: string; output?: unknown }[];
  contents?: { parts?: { functionResponse?: { response: unknown } }[] }[];
  tools?: { name?: string; functionDeclarations?: { name: string }[] }[];
};

/** Starts APIs whose model makes these calls one after the other, and then says that it is done. */
export async function startModel(calls: ToolCall[]): Promise<Model> {
  let told: string[] = [];
  let sent = '';
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const posted = await text(request);
    const speak = request.method === 'POST' ? speakers.find(({ path }) => path.test(request.url ?? '')) : undefined;
    if (!speak) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    const body = JSON.parse(posted) as Body;
    const results = speak.results(body).map(wordsOf);
    if (results.length > told.length) told = results;
    const next = calls[results.length];
    const names = (body.tools ?? []).flatMap(({ name, functionDeclarations = [] }) => [
      name,
      ...functionDeclarations.map((one) => one.name),
    ]);
    if (names.length > 0) sent += textsIn(body);
    // Side calls, such as the one for a title, bring no tools.
    speak.reply(response, next && names.includes(next.name) ? { ...next, id: `call_${results.length}` } : undefined);
  }
  const strayed: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.startsWith('http')) strayed.push(request.url);
    void reply(request, response);
  });
  server.on('connect', ({ url = '' }, socket) => {
    strayed.push(url);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: () => told,
    sent: () => sent,
    strayed: () => strayed,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Every text of a body, wherever it stands. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return `${value}\n`;
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsIn).join('') : '';
}

type Next = (ToolCall & { id: string }) | undefined;
type Speaker = {
  path: RegExp;
  results(body: Body): unknown[];
  reply(response: ServerResponse, next: Next): void;
};

const DONE = 'Done.';
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** Anthropic's Messages. */
const messages: Speaker = {
  path: /^\/v1\/messages(\?|$)/,
  results: (body) =>
    (body.messages ?? [])
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => content),
  reply(response, next) {
    const block = next ? { type: 'tool_use', id: next.id, name: next.name, input: {} } : { type: 'text', text: '' };
    const delta = next
      ? { type: 'input_json_delta', partial_json: JSON.stringify(next.input) }
      : { type: 'text_delta', text: DONE };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [], usage };
    send(response, [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: next ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]);
  },
};

/** OpenAI's Responses. */
const responses: Speaker = {
  path: /^\/v1\/responses$/,
  results: ({ input = [] }) => input.filter(({ type }) => type === 'function_call_output').map(({ output }) => output),
  reply(response, next) {
    const item = next
      ? {
          type: 'function_call',
          id: `fc_${next.id}`,
          call_id: next.id,
          name: next.name,
          arguments: JSON.stringify(next.input),
        }
      : { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: DONE }] };
    send(response, [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { id: 'resp_1', usage } },
    ]);
  },
};

/** Google's Gemini. */
const gemini: Speaker = {
  path: /:streamGenerateContent/,
  results: ({ contents = [] }) =>
    contents.flatMap(({ parts = [] }) => parts).flatMap(({ functionResponse: one }) => (one ? [one.response] : [])),
  reply(response, next) {
    const part = next ? { functionCall: { id: next.id, name: next.name, args: next.input } } : { text: DONE };
    send(response, [{ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }] }]);
  },
};

const speakers = [messages, responses, gemini];

function send(response: ServerResponse, events: ({ type?: string } & Record<string, unknown>)[]): void {
  const lines = events.map((one) => `${one.type ? `event: ${one.type}\n` : ''}data: ${JSON.stringify(one)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''));
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
