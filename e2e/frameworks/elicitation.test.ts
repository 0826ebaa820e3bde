import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Client as SecondClient } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ElicitRequestSchema, type ElicitRequestParams } from '@modelcontextprotocol/sdk/types.js';
import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { ask } from 'beckon/client';
import { must } from '../hub/call.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';

const FORM: ElicitRequestParams = {
  message: 'Where shall it go?',
  requestedSchema: {
    type: 'object',
    properties: { street: { type: 'string' }, floor: { type: 'integer', default: 1 } },
    required: ['street'],
  },
};
const LINK: ElicitRequestParams = {
  mode: 'url',
  message: 'Sign in at the shop.',
  url: 'https://shop.example/in',
  elicitationId: 'e1',
};
const CLIENTS = ['SDK 1', 'SDK 2'] as const;
const ENDS: [name: string, params: ElicitRequestParams, answer: AnswerBody | 'nobody', result: object][] = [
  [
    'a filled form',
    FORM,
    { values: { form: { street: 'Elm 3' } } },
    { action: 'accept', content: { street: 'Elm 3' } },
  ],
  ['a declined form', FORM, { outcome: 'declined' }, { action: 'decline' }],
  ['a form that nobody answers', FORM, 'nobody', { action: 'cancel' }],
  ['an opened link', LINK, {}, { action: 'accept' }],
  ['a declined link', LINK, { outcome: 'declined' }, { action: 'decline' }],
  ['a link that nobody opens', LINK, 'nobody', { action: 'cancel' }],
];

describe('elicitations of the official MCP clients', { timeout: 60_000 }, () => {
  let hub: Hub;
  let owner: Device;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
  });
  after(() => hub?.remove());

  /** A server that asks its client, which asks people. */
  async function serverBefore(t: TestContext, line: (typeof CLIENTS)[number], apiKey: string, deadline: number) {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const about = { name: 'test', version: '1.0.0' };
    const options = { capabilities: { elicitation: { form: {}, url: {} } } };
    const asking = ({ params }: { params: unknown }) => ask('elicitation', params, { url: hub.url, apiKey, deadline });
    const server = new Server(about);
    const first = new FirstClient(about, options);
    const second = new SecondClient(about, { ...options, versionNegotiation: { mode: 'legacy' } });
    first.setRequestHandler(ElicitRequestSchema, asking);
    second.setRequestHandler('elicitation/create', asking);
    const client = line === 'SDK 1' ? first : second;
    await Promise.all([server.connect(ours), client.connect(theirs as never)]);
    t.after(() => client.close());
    return server;
  }

  for (const line of CLIENTS)
    for (const [name, params, answer, result] of ENDS)
      test(`[DIA1] [RES4] ${line}: ${name} is what both sides take`, async (t) => {
        const { key } = await addSource(hub, owner, name);
        const server = await serverBefore(t, line, key, answer === 'nobody' ? 1 : 60);
        const elicited = server.elicitInput(params);
        const { id, digest } = await until('the question', async () => {
          const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inquiries', { token: key });
          return items[0];
        });
        if (answer !== 'nobody')
          await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...answer } });
        deepStrictEqual(await elicited, result);
      });
});
