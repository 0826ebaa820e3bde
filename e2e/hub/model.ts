import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AnswerContent } from '#shared/answer.ts';

type Asked = { authorization: string | undefined; body: { model: string; messages: { content: string }[] } };
export type Model = Awaited<ReturnType<typeof startModel>>;

/** Stands for a vendor's cloud: a chat endpoint as OpenAI's, whose model answers what a test says, once it says so. */
export async function startModel(answer: AnswerContent) {
  const asked: Asked[] = [];
  const held = { until: Promise.resolve() };
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      asked.push({ authorization: request.headers.authorization, body: JSON.parse(body) as Asked['body'] });
      await held.until;
      const content = JSON.stringify({ answer, undecided: null });
      const usage = { prompt_tokens: 42, completion_tokens: 7 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    /** Lets it answer nothing until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.until = promise;
      return resolve;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
