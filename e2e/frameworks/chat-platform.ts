import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the model "asks" asks a person. */
export const QUESTION = '明天北京天气如何？';
const DATE = 'Mon, 23 Nov 2026 04:00:00 GMT';

type Heard = { method: string | undefined; path: string; headers: IncomingHttpHeaders; body: string };

/** A platform of chat completions that does what the name of the model says; it keeps what it hears. */
export function scriptedPlatform() {
  let heard: Heard[] = [];
  let left = false;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { host: _host, connection: _hop, ...headers } = request.headers;
      heard.push({ method: request.method, path: request.url ?? '', headers, body });
      response.setHeader('date', DATE).setHeader('x-request-id', 'req_1').setHeader('openai-version', '2020-10-01');
      const { model, stream } = JSON.parse(body || '{"model":"models"}') as { model: string; stream?: boolean };
      const times = heard.filter((one) => one.body === body).length;
      (SCRIPTS[model] as Script)(response, { stream: stream ?? false, body, times, leave: () => (left = true) });
    });
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    url,
    async listen(): Promise<string> {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return url();
    },
    listenAnew(): () => Heard[] {
      [heard, left] = [[], false];
      return () => heard;
    },
    left: () => left,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Call = { stream: boolean; body: string; times: number; leave(): void };
type Script = (response: ServerResponse, call: Call) => void;

const chunk = (delta: object, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1756272472,
  model: 'scripted',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const completion = (message: object, finish_reason: string): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1756272472,
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason, logprobs: null }],
  usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
});
const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refused = (response: ServerResponse, status: number, code: string, headers?: Record<string, string>): void =>
  json(response, status, { error: { message: `No: ${code}.`, type: 'refused', param: null, code } }, headers);
const words = (response: ServerResponse, ...said: string[]): void => {
  for (const content of said) response.write(event(chunk({ content })));
};
const finish = (response: ServerResponse, finish_reason: string): void => {
  response.write(event(chunk({}, { finish_reason })));
  response.end('data: [DONE]\n\n');
};
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"北京"}' } };
const retry = { 'retry-after-ms': '5', 'x-ratelimit-remaining-requests': '0' };

const SCRIPTS: Record<string, Script> = {
  asks(response) {
    const meta = { question: QUESTION, inquiryId: 'a4cecc76', type: 'INQUIRY' };
    const notification = { method: 'notifications/progress', params: { meta, progressToken: 1 }, jsonrpc: '2.0' };
    const asking = { chatos_additional_data: { mcp_progress_notification_data: JSON.stringify(notification) } };
    begin(response).write(': a comment\n\n');
    words(response, 'Let me ', 'ask 🙂');
    response.write(event({ ...chunk(asking), agent_info: { name: 'Tool Calling Agent', run_id: '202d02d5' } }));
    // Cut in a character, after a while.
    const rest = Buffer.from(event(chunk({ content: '晴。' })));
    setTimeout(() => {
      response.write(rest.subarray(0, -10));
      setTimeout(() => {
        response.write(rest.subarray(-10));
        finish(response, 'stop');
      }, 20);
    }, 20);
  },
  tools(response, { stream, body }) {
    const isDone = body.includes('"role":"tool"');
    if (!stream)
      return isDone
        ? json(response, 200, completion({ content: '晴。' }, 'stop'))
        : json(response, 200, completion({ tool_calls: [call] }, 'tool_calls'));
    begin(response);
    if (isDone) {
      words(response, '晴', '。');
      return finish(response, 'stop');
    }
    const [first, second] = [call.function.arguments.slice(0, 7), call.function.arguments.slice(7)];
    response.write(event(chunk({ role: 'assistant', content: null })));
    const begun = { index: 0, ...call, function: { ...call.function, arguments: first } };
    response.write(event(chunk({ tool_calls: [begun] })));
    response.write(event(chunk({ tool_calls: [{ index: 0, function: { arguments: second } }] })));
    return finish(response, 'tool_calls');
  },
  plain: (response) => json(response, 200, completion({ content: '晴。' }, 'stop'), { 'openai-processing-ms': '7' }),
  models: (response) => json(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] }),
  breaks(response) {
    words(begin(response), 'Let me ');
    setTimeout(() => response.destroy(), 20);
  },
  'fails late'(response) {
    words(begin(response), 'Let me ');
    response.end(event({ error: { message: 'The model is gone.', type: 'server_error', code: 'gone' } }));
  },
  endless(response, { leave }) {
    begin(response);
    const speaking = setInterval(() => words(response, 'and '), 5);
    response.on('close', () => {
      clearInterval(speaking);
      leave();
    });
  },
  '401': (response) => refused(response, 401, 'invalid_api_key', { 'www-authenticate': 'Bearer' }),
  '429': (response) => refused(response, 429, 'rate_limit_exceeded', retry),
  'once 429'(response, { times, ...more }) {
    if (times === 1) refused(response, 429, 'rate_limit_exceeded', retry);
    else SCRIPTS['plain']!(response, { times, ...more });
  },
  'once 503'(response, { times, ...more }) {
    if (times === 1) refused(response, 503, 'overloaded', { 'retry-after': '0' });
    else SCRIPTS['asks']!(response, { times, ...more });
  },
  '500': (response) => void response.writeHead(500, { 'content-type': 'text/html', ...retry }).end('<h1>Sorry</h1>'),
};
