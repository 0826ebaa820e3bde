import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

const ALLOW = JSON.stringify({
  decision: 'allow',
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
});

/** What stands in the place of a hub's reply where a proxy, or a hub of before, replies. */
const REPLIES: [status: number, body: string, headers?: Record<string, string | string[]>][] = [
  [204, ''],
  [200, ''],
  [200, '<html>Sign in first.</html>'],
  [302, '', { location: '/' }],
  [200, '{}'],
  [200, '"ok"'],
  [502, `${ALLOW}\n`],
  [200, `${ALLOW}\n`],
  [200, `${ALLOW}\n`, { 'beckon-reply': 'yes' }],
  [200, `${ALLOW}\n`, { 'beckon-reply': ['decision', 'decision'] }],
  [200, ALLOW.slice(0, -9), { 'beckon-reply': 'waiting' }],
];
export const REPLY_COUNT = REPLIES.length;

/** The address of what replies to each call in the next of these ways. */
export async function startReplies(t: TestContext): Promise<string> {
  let at = 0;
  const server = createServer((request, reply) => {
    const [status, body, headers = {}] = REPLIES[at++ % REPLIES.length]!;
    request.resume().on('end', () => reply.writeHead(status, headers).end(body));
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
