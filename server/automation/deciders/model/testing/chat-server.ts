import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { serve } from '../../../../platform/testing/listen.ts';
import type { CalledDecider } from '../call.ts';
type Message = { role: string; content: string };
/** What a call of the chat endpoint held. */
export type Heard = {
  path: string | undefined;
  authorization: string | undefined;
  traceparent: string | undefined;
  body: Record<string, unknown> & { messages: Message[] };
};
/** What the model writes, or how the server answers in its place. */
type Reply = string | object | ((response: ServerResponse) => void);

/**
 * Stands for a vendor's cloud: an OpenAI-compatible chat endpoint that gives these replies in turn, and the decider that
 * asks it. What is no text is what the model writes, as JSON.
 */
export async function chatServer(context: TestContext, replies: Reply[], more: Partial<CalledDecider> = {}) {
  const heard: Heard[] = [];
  const address = await serve(context, (request, response) => {
    void text(request).then((body) => {
      const { url: path, headers } = request;
      const { authorization } = headers;
      const traceparent = headers['traceparent'] as string | undefined;
      heard.push({ path, authorization, traceparent, body: JSON.parse(body) as Heard['body'] });
      const reply = replies[heard.length - 1] ?? replies.at(-1) ?? '';
      if (typeof reply === 'function') reply(response);
      else response.end(JSON.stringify(completion(typeof reply === 'string' ? reply : JSON.stringify(reply))));
    });
  });
  const url = `${address}/v1`;
  return { heard, host: new URL(url).host, decider: { ...deciderAt(url), ...more } };
}

export function completion(content: string | null, more: object = {}): object {
  const message = { role: 'assistant', content, refusal: null, ...more };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_795_000_000,
    model: 'small',
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  };
}

export function deciderAt(url: string): CalledDecider {
  return {
    id: 'dcd_01kamq0000000000000000tra1',
    kind: 'chat',
    name: 'Ada',
    url,
    model: 'small',
    instructions: 'Answer as Ada would.',
    hasKey: true,
    key: 'sk-1',
    holdSeconds: 20,
    timeoutSeconds: 10,
    changedAt: '2026-11-23T07:00:00.000Z',
  };
}
