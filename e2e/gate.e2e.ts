import { fileURLToPath } from 'node:url';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from './hub/call.ts';
import { Program } from './hub/process.ts';
import { freePort } from './hub/servers.ts';
import { until } from './hub/until.ts';
import { type Connected, connectClient, wordsOf } from './mcp/clients.ts';
import { type Forwarder, startForwarder } from './mcp/forward.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { expect, type Place, testOnOneHub } from './page/scene.ts';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The everything-server behind a gate of the hub, and what of it is called. */
type Gated = { agent: Connected; calls(): unknown[] };

const test = testOnOneHub.extend<{ gated: Gated }, { upstream: Forwarder }>({
  upstream: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures it needs from this pattern
    async ({}, use) => {
      const port = await freePort();
      const server = new Program([process.execPath, EVERYTHING, 'streamableHttp'], { ...process.env, PORT: `${port}` });
      await until('the everything-server', () => /listening/i.test(server.out + server.err));
      const forwarder = await startForwarder(`http://127.0.0.1:${port}/mcp`);
      await use(forwarder);
      await forwarder.close();
      await server.end('SIGKILL');
    },
    { scope: 'worker' },
  ],
  async gated({ place, upstream }, use) {
    const body = { upstream: { url: upstream.url }, otherwise: 'ask' };
    await must(place.hub, 'PUT /v1/gates/everything', { token: place.mara.token, body });
    const agent = await connectClient(`${place.hub.url}/mcp/gate/everything`, place.source.key, 'SDK 2, 2025-11-25');
    const before = upstream.seen.length;
    await use({ agent, calls: () => upstream.seen.slice(before).flatMap(callIn) });
    await agent.close();
  },
});

test('a tool call waits for a person, who edits its arguments on a phone; the server behind gets the edited ones', async ({
  gated: { agent, calls },
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', PHONE));
  const called = agent.call('echo', { message: 'Pay 340 euros' });
  await inquiry.open('everything: echo');
  await expect(inquiry.panel.getByText('Pay 340 euros')).toBeVisible();
  expect(calls()).toEqual([]);
  await inquiry.quiet('Edit').click();
  const field = inquiry.panel.getByRole('textbox', { name: 'message' });
  await expect(field).toHaveValue('Pay 340 euros');
  await field.fill('Pay 34 euros');
  await inquiry.decide('Approve with changes');
  expect(wordsOf(await called)).toBe(
    'Echo: Pay 34 euros\nA person changed the arguments before this ran: {"message":"Pay 34 euros"}',
  );
  expect(calls()).toEqual([{ name: 'echo', arguments: { message: 'Pay 34 euros' } }]);
});

test('a tool call rejected with words never reaches the server behind, and the agent reads the words', async ({
  gated: { agent, calls },
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', PHONE));
  const called = agent.call('echo', { message: 'Pay it all' });
  await inquiry.open('everything: echo');
  const why = inquiry.panel.getByRole('textbox', { name: /Tell Atlas why/ });
  await press(inquiry.button('Reject'), why);
  await why.fill('Only half of it.');
  await inquiry.decide('Reject');
  const result = await called;
  expect(result.isError).toBe(true);
  expect(wordsOf(result)).toContain('Only half of it.');
  expect(calls()).toEqual([]);
});

test('two calls of one turn arrive as one card, each with a decision of its own', async ({
  place,
  gated: { agent, calls },
  openDevice,
}) => {
  const page = await openDevice('Laptop');
  const sum = agent.call('get-sum', { a: 2, b: 3 });
  const echo = agent.call('echo', { message: 'Hello' });
  await expect(page.getByText('Two that belong together')).toBeVisible();
  await decide(place, 'everything: get-sum', 'approve');
  expect(wordsOf(await sum)).toBe('The sum of 2 and 3 is 5.');
  expect(calls()).toEqual([{ name: 'get-sum', arguments: { a: 2, b: 3 } }]);
  const inquiry = new InquiryPage(page);
  await inquiry.open('everything: echo');
  await inquiry.decide('Approve');
  expect(wordsOf(await echo)).toBe('Echo: Hello');
});

// On another device of hers, which has no page.
async function decide({ hub, mara, source }: Place, title: string, type: 'approve'): Promise<void> {
  const open = await all<Inquiry>(hub, '/v1/inquiries?state=open', source.key);
  const inquiry = open.find((one) => one.title === title);
  const body = { digest: inquiry?.digest, decisions: [{ type }] };
  await must(hub, `POST /v1/inquiries/${inquiry?.id}/answer`, { token: mara.token, body });
}

function callIn(body: string): unknown[] {
  const message = (body === '' ? {} : JSON.parse(body)) as { method?: string; params?: Record<string, unknown> };
  const { name, arguments: args } = message.params ?? {};
  return message.method === 'tools/call' ? [{ name, arguments: args }] : [];
}
