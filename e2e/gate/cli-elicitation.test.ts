import { deepStrictEqual, match, ok } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import { answer, asked } from './people.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { said } from './raw.ts';
import { CHILD, wrapping } from './wrapped.ts';

const LINK = { url: 'https://shop.example/sign-in', message: 'Sign in at the shop' };
const about = { name: 'test-agent', version: '1.0.0' };
type Call = (name: string, args?: object, options?: object) => Promise<unknown>;

describe('elicitation of a server that beckon gate wraps', { timeout: 120_000 }, () => {
  let s: { hub: Hub; owner: Device; key: string };
  before(async () => {
    const hub = await startHub();
    const owner = await ownerDevice(hub);
    s = { hub, owner, key: (await addSource(hub, owner, 'Agent')).key };
  });
  after(() => s?.hub.remove());

  const started = (child: readonly string[]) => ({
    ...wrapping(['--otherwise', 'allow', '--elicit', 'people'], child, {
      BECKON_URL: s.hub.url,
      BECKON_KEY: s.key,
    }),
    stderr: 'ignore' as const,
  });
  // The client itself can answer nothing: it declares no elicitation.
  async function first(t: TestContext): Promise<Call> {
    const client = new FirstClient(about);
    await client.connect(new FirstTransport(started(CHILD.everything)) as never);
    t.after(() => client.close());
    return (name, args = {}, options = {}) => client.callTool({ name, arguments: { ...args } }, undefined, options);
  }
  async function second(t: TestContext): Promise<Call> {
    const client = new Client(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new StdioClientTransport(started(CHILD.modern)));
    t.after(() => client.close());
    return (name, args = {}, options = {}) => client.callTool({ name, arguments: { ...args } }, options);
  }
  const outcome = async ({ id }: Inquiry) =>
    (await must<Inquiry>(s.hub, `GET /v1/inquiries/${id}`, { token: s.key })).resolution?.outcome;

  test('a person fills in the form of an older server', async (t) => {
    const call = await first(t);
    const result = call('trigger-elicitation-request');
    const [inquiry] = await asked(s.hub, s.owner);
    const [question] = inquiry.questions ?? [];
    ok(question?.type === 'form' && JSON.stringify(question.schema).includes('Your full, legal name'));
    await answer(s.hub, s.owner, inquiry, { values: { form: { name: 'Ada', check: true } } });
    match(said(await result), /Ada/);
  });

  test('a person opens the link of an older server, or declines', async (t) => {
    const call = await first(t);
    const opened = call('trigger-url-elicitation', LINK);
    const [inquiry] = await asked(s.hub, s.owner);
    deepStrictEqual([inquiry.prompt, inquiry.link], [LINK.message, { url: LINK.url, completes: 'self' }]);
    await answer(s.hub, s.owner, inquiry, { answerId: 'opened' });
    match(said(await opened), /User completed the URL elicitation flow/);
    const declined = call('trigger-url-elicitation', LINK);
    await answer(s.hub, s.owner, (await asked(s.hub, s.owner))[0], { outcome: 'declined' });
    match(said(await declined), /User declined/);
  });

  test('a person answers both in one round of 2026-07-28', async (t) => {
    const call = await second(t);
    const result = call('ask');
    for (const inquiry of await asked(s.hub, s.owner, 2))
      await answer(s.hub, s.owner, inquiry, inquiry.link ? {} : { values: { form: { city: 'Oslo' } } });
    deepStrictEqual(JSON.parse(said(await result)), {
      where: { action: 'accept', content: { city: 'Oslo' } },
      door: { action: 'accept' },
    });
  });

  test('[WDR1] a call that is taken back takes back what its server asked', async (t) => {
    const call = await second(t);
    const controller = new AbortController();
    const result = call('ask', {}, { signal: controller.signal }).catch(() => 'taken back');
    const inquiries = await asked(s.hub, s.owner, 2);
    controller.abort(new Error('enough'));
    deepStrictEqual(await result, 'taken back');
    for (const inquiry of inquiries)
      deepStrictEqual(await until('the withdrawal', () => outcome(inquiry)), 'withdrawn');
  });
});
