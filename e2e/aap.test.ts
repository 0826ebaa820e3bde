import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
// oxlint-disable-next-line no-restricted-imports -- The rules of the protocol's own client, no part of the hub.
import { accept, allows, type Seen } from '../server/protocols/aap/testing/peer.ts';
import { must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Nodes } from './hub/nodes.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const CALL = JSON.stringify({
  tool: 'issue_refund',
  server: 'shop',
  arguments: { payment: 9007199254740991, amount: 4900 },
  timeout: '10m',
  agent_reasoning: 'The customer was charged twice.',
  context: { runtime: 'claude-code', session_id: 's1', cwd: '/srv', call_id: 'toolu_1' },
});

describe('an adapter of the Agent Approval Protocol', { timeout: 120_000 }, () => {
  let nodes: Nodes;
  let hub: Hub;
  let owner: Device;
  let key: string;
  before(async () => {
    nodes = await startNodes('SQLite');
    [hub] = nodes.nodes;
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'CI'));
  });
  after(() => nodes?.remove());

  /** As the protocol's own client does it: a lost connection and 5xx are no answer, anything else that is not 2xx an end. */
  async function exchange(method: string, path: string, before?: Seen): Promise<Seen> {
    const authorization = `Bearer ${key}`;
    const body = method === 'POST' ? CALL : null;
    const headers = {
      authorization,
      ...(body ? { 'content-type': 'application/json', 'idempotency-key': 'toolu_1' } : {}),
    };
    return until(`${method} ${path}`, async () => {
      const reply = await fetch(`${hub.url}/aap${path}`, { method, headers, body }).catch(() => undefined);
      if (!reply || reply.status >= 500) return undefined;
      if (reply.status > 201) throw new Error(String(reply.status));
      const text = await reply.text().catch(() => undefined);
      return text === undefined ? undefined : accept(text, CALL, before);
    });
  }

  /** Asks, waits for whatever a person does, and runs its call if it may, once. */
  async function run(ran: string[]): Promise<Seen> {
    let seen = await exchange('POST', '/v1/requests');
    while (seen.status === 'pending') seen = await exchange('GET', `/v1/requests/${seen.id}?wait=25s`, seen);
    if (allows(seen, Date.now())) ran.push(seen.id);
    return seen;
  }

  test('[AAP1] [ASK1] [crash] what waits as the hub is killed is approved on a phone after it, and runs once', async () => {
    const ran: string[] = [];
    const running = run(ran);
    const shown = () => must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
    const [inquiry] = await until('the card', async () => {
      const { items } = await shown();
      return items.length > 0 ? items : undefined;
    });
    await hub.kill();
    await hub.start();
    const { id, digest, actions, dialect } = inquiry!;
    deepStrictEqual(
      [actions?.[0]?.name, actions?.[0]?.allowed, dialect?.label, (await shown()).items.length],
      ['mcp__shop__issue_refund', ['approve', 'reject'], 'Agent Approval Protocol', 1],
    );
    const { won } = await must<AnswerReply>(hub, `POST /v1/inquiries/${id}/answer`, {
      token: owner.token,
      body: { decisions: [{ type: 'approve' }], digest },
    });
    const seen = await running;
    deepStrictEqual([won, seen.status, ran], [true, 'approved', [seen.id]]);
    await hub.kill();
    await hub.start();
    // The same call, sent again by a process that died, is the same approval, which its adapter has used.
    deepStrictEqual(await exchange('POST', '/v1/requests', seen), seen);
    const receipt = await must<{ receipt: string }>(hub, `GET /v1/inquiries/${id}/receipt`, { token: key });
    const claims = JSON.parse(Buffer.from(receipt.receipt.split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
    };
    deepStrictEqual(claims.exp, Math.floor(Date.parse(seen.decision?.expires_at ?? '') / 1000));
  });
});
