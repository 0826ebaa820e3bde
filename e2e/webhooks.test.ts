import { deepStrictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
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

const CLIENT = fileURLToPath(new URL('../server/dialects/client', import.meta.url));
const given = (secret: string, key: string) => ({ BECKON_WEBHOOK_SECRET: secret, BECKON_WEBHOOK_KEY: key });

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

  type Receiver = { url(secret: string, key: string): Promise<string>; heard(): string[] };
  const node = byBoth('js', /const key = .*?;\n|function verified.*?\n}\n/gs);
  const python = byBoth('python', /KEY = .*?\n|def verified.*?\n\n\n/gs);
  const shell = byBoth('sh', /key=.*?reply 401 ;; esac\n/gs);
  const receivers: Record<string, () => Receiver> = {
    Node: () => program('receiver.mjs', node.secret, process.execPath),
    Python: () => program('receiver.py', python.secret, 'python3'),
    shell: () => cgi(shell.secret),
    'Node with the public key': () => program('pinned.mjs', node.key, process.execPath),
    'Python with the public key': () => program('pinned.py', python.key, 'python3'),
    'shell with the public key': () => cgi(shell.key),
  };
  for (const [language, start] of Object.entries(receivers))
    test(`[DLV1] the receiver in ${language} takes each real delivery once and nothing else`, async () => {
      const receiver = start();
      const source = await addSource(hub, owner, language);
      const {
        webhookSecret,
        source: { webhookKey = '' },
      } = source;
      const url = await receiver.url(webhookSecret, webhookKey);
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
      const pinned = language.includes('key');
      const signer = pinned ? byKey() : bySecret(webhookSecret);
      const known = pinned ? await receiver.url(webhookSecret, signer.shown) : url;
      const { forgeries, genuine } = attempts(signer, pinned ? bySecret(webhookSecret) : byKey());
      const post = async ([headers, sent]: Attempt) =>
        (await fetch(known, { method: 'POST', headers, body: sent })).status;
      const statuses: number[] = [];
      for (const one of forgeries) statuses.push(await post(one));
      deepStrictEqual([statuses, told()], [forgeries.map(() => 401), before]);
      deepStrictEqual(await post(genuine), 204);
      // Its words come by a pipe of their own.
      await until('the genuine one is heard', () => told().length > before.length);
      deepStrictEqual(told().length, before.length + 1);
    });

  /** Starts one of the programs that listen themselves. */
  function program(file: string, code: string, command: string): Receiver {
    writeFileSync(join(folder, file), code);
    let out = '';
    return {
      async url(secret, key) {
        const port = await freePort();
        const env = {
          ...process.env,
          ...given(secret, key),
          PYTHONPATH: CLIENT,
          PYTHONDONTWRITEBYTECODE: '1',
          PORT: String(port),
        };
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
  function cgi(code: string): Receiver {
    const inbox = mkdtempSync(join(folder, 'inbox-'));
    const script = `${inbox}.sh`;
    writeFileSync(script, code);
    return {
      async url(secret, key) {
        const serve = async (request: IncomingMessage, response: ServerResponse) => {
          const body = await buffer(request);
          const env = { ...process.env, ...cgiVariables(request.headers), ...given(secret, key), INBOX: inbox };
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

/** The receiver of the guide in this language, and the one whose parts that match are the block with the public key instead. */
function byBoth(language: string, parts: RegExp): { secret: string; key: string } {
  const [secret = '', key = '', ...more] = blocks(language);
  deepStrictEqual([secret !== '', key !== '', more], [true, true, []]);
  let first = true;
  const replaced = secret.replace(parts, () => (first ? ((first = false), `${key}\n\n`) : ''));
  return { secret, key: replaced };
}

type Attempt = [headers: Record<string, string>, body: string];
type Signer = { shown: string; version: string; sign(id: string, at: Date, body: string): string };
const bySecret = (secret: string): Signer => ({
  shown: secret,
  version: 'v1',
  sign: (...signed) => new Webhook(secret).sign(...signed),
});
function byKey(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    shown: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
    version: 'v1a',
    sign(id, at, body) {
      const content = Buffer.from(`${id}.${Math.floor(at.getTime() / 1000)}.${body}`);
      return `v1a,${sign(null, content, privateKey).toString('base64')}`;
    },
  };
}

/** What this signer signed, and what nobody may take for it; `other` signs in the other way. */
function attempts(signer: Signer, other: Signer): { genuine: Attempt; forgeries: Attempt[] } {
  const body = '{"type":"inquiry.resolved","data":{"id":"inq_forged"}}';
  const signed = (by: Signer, ms = Date.now(), id = 'dlv_forged') => ({
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(ms / 1000)),
    'webhook-signature': by.sign(id, new Date(ms), body),
  });
  const good = signed(signer);
  const signature = Buffer.from(good['webhook-signature'].slice(signer.version.length + 1), 'base64');
  signature[signature.length - 1]! ^= 1;
  const as = (text: string): Attempt => [{ ...good, 'webhook-signature': text }, body];
  return {
    genuine: [good, body],
    forgeries: [
      [signed(signer.version === 'v1' ? bySecret(`whsec_${Buffer.alloc(32).toString('base64')}`) : byKey()), body],
      [{}, body],
      [signed(signer, Date.now() - 301_000), body],
      [good, `${body} `],
      [{ ...good, 'webhook-id': 'dlv_other' }, body],
      [signed(other), body],
      as(`${signer.version},${signature.toString('base64')}`),
      as(`${signer.version},*`),
      as(''),
    ],
  };
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
