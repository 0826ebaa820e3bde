import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Gate } from '#shared/policies/gate.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { snippet } from './guides/snippets.ts';
import { must } from './hub/call.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { Program } from './hub/process.ts';
import { until } from './hub/until.ts';

describe('what the guide writes for plain HTTP', { timeout: 60_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let source: NewSourceReply;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    source = await addSource(hub, owner, 'Script');
  });
  after(() => hub?.remove());

  async function run(program: string, code: string, more: Record<string, string> = {}): Promise<string> {
    const env = { ...process.env, BECKON_KEY: source.key, DEVICE_TOKEN: owner.token, ...more };
    const text = code.replaceAll('https://beckon.example.com', hub.url);
    const { code: status, out, err } = await new Program([program, '-c', text], env).ended;
    strictEqual(status, 0, err);
    return out;
  }
  const open = (key: string) =>
    until(`${key} is asked`, async () => {
      const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
      return items.find((one) => one.prompt === key);
    });

  test('in a shell the answer is printed in words, and Python finds it under the same key', async () => {
    const asking = run('sh', snippet('infra/connect-your-agent.md > Plain HTTP > sh 0'));
    const { id, digest } = await open('Which city?');
    const body = { digest, text: 'Lisbon' };
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body });
    strictEqual(await asking, 'Lisbon');
    strictEqual(await run('python3', snippet('infra/connect-your-agent.md > Plain HTTP > python 0')), 'Lisbon\n');
  });

  test("a source's own texts are what its agent is told", async () => {
    const env = { SOURCE_ID: source.source.id };
    await run('sh', snippet('infra/connect-your-agent.md > What the agent is told > sh 0'), env);
    const body = { prompt: 'Is the kettle on?', key: 'kettle', deadline: 1, latest: 1 };
    const { resolution } = await must<Inquiry>(hub, 'POST /v1/inquiries?wait=30', { token: source.key, body });
    match(resolution?.text ?? '', /^Nobody answered “Is the kettle on\?” by .+\. Park it and take the next task\.$/);
  });

  test('a gate is made with its rules, and its credentials are not told', async () => {
    const FILES_TOKEN = 'files-7f3a';
    const printed = await run('sh', snippet('infra/gates.md > Setting it up > sh 0'), { FILES_TOKEN });
    strictEqual(printed.includes(FILES_TOKEN), false);
    const { name, upstream, rules, otherwise, deadline } = JSON.parse(printed) as Gate;
    deepStrictEqual(
      { name, upstream, rules, otherwise, deadline },
      {
        name: 'files',
        upstream: { url: 'https://files.example.com/mcp', headerNames: ['Authorization'] },
        rules: [
          { tool: 'delete_*', does: 'ask', allowed: ['approve', 'reject'], caution: true },
          { tool: 'read_*', does: 'allow' },
          { tool: 'format_disk', does: 'deny', reason: 'Never.' },
        ],
        otherwise: 'ask',
        deadline: 900,
      },
    );
  });
});
