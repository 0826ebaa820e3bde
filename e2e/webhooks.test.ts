import { deepStrictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { all, call, must } from './hub/call.ts';
import { steppedClock } from './hub/clock.ts';
import { startEndpoint } from './hub/endpoint.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { freePort } from './hub/servers.ts';
import { until } from './hub/until.ts';

const GUIDE = readFileSync(new URL('../infra/webhooks.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);
const TYPES = ['inquiry.resolved', 'inquiry.unreachable', 'inquiry.late_answer'];
const Told = z.strictObject({
  type: z.enum(TYPES),
  timestamp: z.iso.datetime(),
  data: z.strictObject(Inquiry.shape),
});

/** A body that fits the schema, as it came: what the schema does not know would be left out. */
const read = (body: string) => (Told.parse(JSON.parse(body)), JSON.parse(body) as z.infer<typeof Told>);

describe('the guide to webhooks', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let own: Awaited<ReturnType<typeof startEndpoint>>;
  const folder = mkdtempSync(join(tmpdir(), 'beckon-webhooks-'));
  const ends: (() => unknown)[] = [];
  const clock = steppedClock();

  before(async () => {
    hub = await startHub(clock.settings);
    owner = await ownerDevice(hub);
    own = await startEndpoint();
  });
  after(async () => {
    for (const end of ends) await end();
    await own?.close();
    await hub?.remove();
    rmSync(folder, { recursive: true });
    clock[Symbol.dispose]();
  });

  /** One question of each end: one that is approved, and one that expires and is answered late. */
  async function live({ key }: NewSourceReply): Promise<void> {
    const ask = (body: object) => must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body });
    const answer = ({ id, digest }: Inquiry, body: object) =>
      call(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...body } });
    const args = { euros: 340, to: 'Anna' };
    const refund = await ask({
      prompt: 'Refund Anna?',
      actions: [{ name: 'refund', args, allowed: ['approve', 'reject'] }],
      correlation: { run: '42' },
      key: 'refund-2291',
    });
    await answer(refund, { decisions: [{ type: 'approve' }] });
    const kettle = await ask({ prompt: 'Is the kettle on?', deadline: 1, latest: 1 });
    await must(hub, `GET /v1/inquiries/${kettle.id}?wait=30`, { token: key });
    await answer(kettle, { text: 'Yes', late: true });
  }
  const delivered = ({ key }: NewSourceReply) =>
    until('everything is delivered', async () => {
      const items = await all<WebhookDelivery>(hub, '/v1/deliveries', key);
      return items.length >= 5 && items.every(({ state }) => state === 'delivered') ? items : undefined;
    });

  test('[DLV1] the three bodies of the guide are whole, and like those that are sent', async () => {
    const source = await addSource(hub, owner, 'Release train', { webhookUrl: own.url });
    await live(source);
    await delivered(source);
    const sent = own.got.map(({ body }) => read(body));
    const shown = blocks('json').map(read);
    deepStrictEqual(
      shown.map(({ type }) => type),
      TYPES,
    );
    for (const one of shown) {
      const like = sent.find(({ type, data }) => type === one.type && data.title === one.data.title);
      deepStrictEqual(membersOf(one), membersOf(like));
    }
  });

  const receivers: Record<string, () => Promise<{ url(secret: string): Promise<string>; heard(): string[] }>> = {
    Node: async () => program('receiver.mjs', blocks('js'), process.execPath),
    Python: async () => program('receiver.py', blocks('python'), 'python3'),
    shell: async () => cgi(blocks('sh')),
  };
  for (const [language, start] of Object.entries(receivers))
    test(`[DLV1] the receiver in ${language} takes each real delivery once and nothing else`, async () => {
      const receiver = await start();
      const source = await addSource(hub, owner, language);
      const url = await receiver.url(source.webhookSecret);
      const body = { webhookUrl: url };
      await must(hub, `PATCH /v1/sources/${source.source.id}`, { token: owner.token, body });
      await live(source);
      const items = await delivered(source);
      const told = () => receiver.heard().toSorted();
      await until('all are heard', async () => told().length === items.length);
      const before = told();
      deepStrictEqual(before, items.map(({ type, inquiryId }) => `${type} ${inquiryId}`).toSorted());
      const [first] = items as [WebhookDelivery];
      // Nothing is replayed within 5 s of its last attempt.
      clock.sleep(6_000);
      await until('it may be replayed', async () => {
        return (await call(hub, `POST /v1/deliveries/${first.id}/replay`, { token: source.key })).status === 200;
      });
      await until('it is delivered again', async () => {
        const again = await must<WebhookDelivery>(hub, `GET /v1/deliveries/${first.id}`, { token: source.key });
        return again.state === 'delivered' && again.attemptCount === 2;
      });
      deepStrictEqual(told(), before);
      deepStrictEqual(await forged(url, source.webhookSecret), [401, 401, 401, 401, 401]);
      deepStrictEqual(told(), before);
    });

  /** Starts one of the programs that listen themselves. */
  async function program(file: string, [code = '', ...more]: string[], command: string) {
    deepStrictEqual([code !== '', more], [true, []]);
    writeFileSync(join(folder, file), code);
    let out = '';
    return {
      async url(secret: string) {
        const port = await freePort();
        const env = { ...process.env, BECKON_WEBHOOK_SECRET: secret, PORT: String(port) };
        const child = spawn(command, [join(folder, file)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
        await once(child, 'spawn');
        child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
        ends.push(() => child.kill());
        const url = `http://127.0.0.1:${port}/`;
        await until('it listens', () =>
          fetch(url, { method: 'POST', body: '{}' }).then(
            ({ status }) => status === 401,
            () => false,
          ),
        );
        return url;
      },
      heard: () =>
        out
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.split(' ').slice(0, 2).join(' ')),
    };
  }

  /** Runs the shell's program for each request, as a web server does by CGI. */
  async function cgi([code = '', ...more]: string[]) {
    deepStrictEqual([code !== '', more], [true, []]);
    const script = join(folder, 'receiver.sh');
    writeFileSync(script, code);
    const inbox = mkdtempSync(join(folder, 'inbox-'));
    return {
      async url(secret: string) {
        const serve = async (request: IncomingMessage, response: ServerResponse) => {
          const body = await buffer(request);
          const env = { ...process.env, ...cgiVariables(request.headers), BECKON_WEBHOOK_SECRET: secret, INBOX: inbox };
          const child = spawn('sh', [script], { env, stdio: ['pipe', 'pipe', 'inherit'] });
          child.stdin.on('error', () => {}).end(body);
          const said = await text(child.stdout);
          response.writeHead(Number(/^Status: (\d+)\r\n\r\n$/.exec(said)?.[1] ?? 500)).end();
        };
        const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
        await once(server, 'listening');
        ends.push(() => server.close());
        return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      },
      heard: () =>
        readdirSync(inbox).map((id) => {
          const { type, data } = JSON.parse(readFileSync(join(inbox, id, 'body.json'), 'utf8')) as z.infer<typeof Told>;
          return `${type} ${data.id}`;
        }),
    };
  }
});

/** The statuses for what is signed with another secret, not at all, long ago, for another body, and not in base64. */
async function forged(url: string, secret: string): Promise<number[]> {
  const body = '{"type":"inquiry.resolved","data":{"id":"inq_forged"}}';
  const signed = (key: string, of = body, ms = Date.now()) => ({
    'webhook-id': 'dlv_forged',
    'webhook-timestamp': String(Math.floor(ms / 1000)),
    'webhook-signature': new Webhook(key).sign('dlv_forged', new Date(ms), of),
  });
  const tries: Record<string, string>[] = [
    signed(`whsec_${Buffer.alloc(32).toString('base64')}`),
    {},
    signed(secret, body, Date.now() - 301_000),
    signed(secret, `${body} `),
    { ...signed(secret), 'webhook-signature': 'v1,*' },
  ];
  const post = (headers: Record<string, string>) => fetch(url, { method: 'POST', headers, body });
  return Promise.all(tries.map(async (headers) => (await post(headers)).status));
}

function cgiVariables(headers: IncomingHttpHeaders): Record<string, string> {
  const of = Object.entries(headers).map(([name, value]) => [
    `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
    String(value),
  ]);
  return { ...(Object.fromEntries(of) as Record<string, string>), CONTENT_LENGTH: headers['content-length'] ?? '0' };
}

/** The names of all members, in the dots of their places. */
function membersOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .flatMap(([name, inside]) => [`${at}.${name}`, ...membersOf(inside, `${at}.${name}`)])
    .toSorted();
}
