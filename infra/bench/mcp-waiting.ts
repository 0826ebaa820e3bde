import type { Inquiry } from '../../shared/inquiry.ts';
import { send } from './calls.ts';
import type { ToolResult } from './mcp-calls.ts';
import type { Target } from './target.ts';

export const WAITING = 1000;
const ANSWERS_AT_ONCE = 8;

/** What calls that wait for a person cost one hub process. */
export type Waiting = { heapPerCall: number; answerMs: number };

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
  const before = await hub.heap();
  const results = Array.from({ length: WAITING }, (_, number) => call(number));
  const early = Promise.race(results).then((result) => {
    throw new Error(`a call did not wait: ${JSON.stringify(result)}`);
  });
  const open = await Promise.race([openInquiries(hub), early]);
  const heapPerCall = ((await hub.heap()) - before) / WAITING;
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
  return { heapPerCall, answerMs };
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
