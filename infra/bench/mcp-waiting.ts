import { Agent, request } from 'undici';
import type { Inquiry } from '../../shared/inquiry.ts';
import type { ToolResult } from './mcp-calls.ts';
import { memoryOf, type Target } from './target.ts';

export const WAITING = 1000;
const ANSWERS_AT_ONCE = 8;
const http = new Agent({ connections: ANSWERS_AT_ONCE });

/** What calls that wait for a person cost one hub process. */
export type Waiting = { bytesPerCall: number; answerMs: number };

/**
 * Lets calls wait at the same time until each has its inquiry, then answers all and waits for every result. Fails
 * unless each call got the answer to its own inquiry: `says` names the words that its result must have.
 */
export async function waitingCalls(
  hub: Target,
  call: (number: number) => Promise<ToolResult>,
  answer: (inquiry: Inquiry) => object,
  says: (number: number) => string,
): Promise<Waiting> {
  const before = memoryOf(hub.pid);
  const results = Array.from({ length: WAITING }, (_, number) => call(number));
  const early = Promise.race(results).then((result) => {
    throw new Error(`a call did not wait: ${JSON.stringify(result)}`);
  });
  const open = await Promise.race([openInquiries(hub), early]);
  const bytesPerCall = (memoryOf(hub.pid) - before) / WAITING;
  early.catch(() => {});
  const begun = performance.now();
  const left = [...open];
  const token = hub.people[0]?.tokens[0] ?? '';
  await Promise.all(
    Array.from({ length: ANSWERS_AT_ONCE }, async () => {
      for (let inquiry = left.pop(); inquiry; inquiry = left.pop())
        await send(hub, `/v1/inquiries/${inquiry.id}/answer`, token, { digest: inquiry.digest, ...answer(inquiry) });
    }),
  );
  const returned = await Promise.all(results);
  const answerMs = performance.now() - begun;
  returned.forEach(({ content }, number) => {
    if (!content.some(({ text }) => text?.includes(says(number))))
      throw new Error(`call ${number} got another's answer: ${JSON.stringify(content)}`);
  });
  return { bytesPerCall, answerMs };
}

async function openInquiries(hub: Target): Promise<Inquiry[]> {
  for (;;) {
    const open: Inquiry[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page: { items: Inquiry[]; nextCursor?: string } = await send(
        hub,
        `/v1/inquiries?state=open&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        hub.key,
      );
      open.push(...page.items);
      cursor = page.nextCursor;
    }
    if (open.length >= WAITING) return open;
  }
}

async function send<T>(hub: Target, path: string, token: string, body?: object): Promise<T> {
  const reply = await request(hub.url + path, {
    dispatcher: http,
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const read = await reply.body.json();
  if (reply.statusCode >= 300) throw new Error(`${path} ended with ${reply.statusCode}: ${JSON.stringify(read)}`);
  return read as T;
}
