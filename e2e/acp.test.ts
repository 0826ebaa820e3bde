import { deepStrictEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { BUNDLE } from './bundle.ts';
import { all, must } from './hub/call.ts';
import { environment, startHub } from './hub/hub.ts';
import { addSource, ownerDevice } from './hub/people.ts';
import { until } from './hub/until.ts';

/** An agent that asks twice, and repeats what it is told. */
const AGENT = `
const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
const ask = (id) => console.log(JSON.stringify({ jsonrpc: '2.0', id, method: 'session/request_permission',
  params: { sessionId: 's', toolCall: { toolCallId: 't' + id, title: 'ls ' + id }, options } }));
ask(1);
let told = '';
process.stdin.on('data', (bytes) => {
  if (told === '') ask(2);
  console.log(JSON.stringify({ told: (told += bytes) }));
}).on('end', () => process.exit(7));`;

test('[DIA6] an editor leaves with the exit code of its agent though the hub stands still', async (t) => {
  const hub = await startHub();
  t.after(() => hub.remove());
  const owner = await ownerDevice(hub);
  const { key } = await addSource(hub, owner, 'Editor');
  const child = spawn(process.execPath, [BUNDLE.command, 'acp', '--', process.execPath, '-e', AGENT], {
    env: environment({ BECKON_URL: hub.url, BECKON_KEY: key }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: { method?: string; params?: { requestId?: number }; told?: string }[] = [];
  createInterface(child.stdout).on('line', (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]));
  const open = (title: string) =>
    until(`"${title}"`, async () =>
      (await all<Inquiry>(hub, '/v1/inquiries?state=open', key)).find((one) => one.title === title),
    );
  const { id, digest } = await open('ls 1');
  const body = { digest, decisions: [{ type: 'approve', optionId: '0' }] };
  await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body });
  const { told } = await until('the agent to be told', () => lines.find((line) => line.told));
  const result = { outcome: { outcome: 'selected', optionId: 'y' } };
  equal(told, `${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n`);
  deepStrictEqual(
    lines.flatMap(({ method, params }) => (method === '$/cancel_request' ? [params?.requestId] : [])),
    [1],
  );
  await open('ls 2');
  await hub.signal('SIGSTOP');
  child.stdin.end();
  deepStrictEqual(await once(child, 'exit'), [7, null]);
});
