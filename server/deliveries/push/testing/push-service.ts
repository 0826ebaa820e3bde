import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PushMessage, Subscription } from '#shared/push.ts';

/** One accepted push, opened as the browser would. */
export type Received = {
  message: PushMessage;
  text: string;
  bytes: number;
  ttl: number;
  topic: string | undefined;
  urgency: string | undefined;
  claims: { aud: string; exp: number; sub: string };
  token: string;
};
export type FakeBrowser = {
  subscription: Omit<Subscription, 'vapidPublicKey'>;
  received: Received[];
  /** While offline only the last message of each Topic is kept. */
  online: boolean;
  comeBack(): void;
};
type Refuse = (response: ServerResponse) => void;
type Known = { browser: FakeBrowser; ecdh: ECDH; auth: Buffer; waiting: Waiting[] };
type Waiting = { topic: string | undefined; received: Received };

export type PushService = {
  origin: string;
  /** Requests that came in, refused ones included. */
  requests: { path: string; at: number; headers: IncomingHttpHeaders }[];
  browser(): FakeBrowser;
  /** Answers the next request; what it does not end stays open. */
  next(refuse: Refuse): void;
  forget(browser: FakeBrowser): void;
  /** Highest number of requests for one browser at the same time. */
  mostAtOnce(): number;
  /** Called when a request is being answered, before the reply leaves. */
  onRequest: (() => Promise<void>) | undefined;
  close(): Promise<void>;
};

const MOST_BYTES = 4096;

/** A push service on loopback (RFC 8030) that checks the signature and opens what it is sent (RFC 8291, RFC 8292). */
export async function pushService(vapidPublicKey: () => string): Promise<PushService> {
  const browsers = new Map<string, Known>();
  const refusals: Refuse[] = [];
  const requests: PushService['requests'] = [];
  const busy = new Map<string, number>();
  let most = 0;

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    busy.set(path, (busy.get(path) ?? 0) + 1);
    most = Math.max(most, busy.get(path) ?? 0);
    response.on('close', () => busy.set(path, (busy.get(path) ?? 1) - 1));
    void buffer(request).then(async (body) => {
      requests.push({ path, at: Date.now(), headers: request.headers });
      await service.onRequest?.();
      const refuse = refusals.shift();
      if (refuse) return refuse(response);
      response.writeHead(accept(browsers.get(path), vapidPublicKey(), request.headers, body)).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const service: PushService = {
    origin,
    requests,
    browser() {
      const ecdh = createECDH('prime256v1');
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(12).toString('base64url')}`;
      const keys = { p256dh: ecdh.generateKeys().toString('base64url'), auth: auth.toString('base64url') };
      const browser: FakeBrowser = {
        subscription: { endpoint: origin + path, keys },
        received: [],
        online: true,
        comeBack() {
          const entry = browsers.get(path);
          browser.online = true;
          browser.received.push(...(entry?.waiting.splice(0) ?? []).map(({ received }) => received));
        },
      };
      browsers.set(path, { browser, ecdh, auth, waiting: [] });
      return browser;
    },
    next: (refuse) => void refusals.push(refuse),
    forget: (browser) => void browsers.delete(new URL(browser.subscription.endpoint).pathname),
    mostAtOnce: () => most,
    onRequest: undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

/** Keeps or hands on one push and returns the status. */
function accept(known: Known | undefined, publicKey: string, headers: IncomingHttpHeaders, body: Buffer): number {
  if (known === undefined) return 410;
  const signed = readVapid(String(headers.authorization), publicKey);
  if (signed === undefined) return 403;
  if (body.length > MOST_BYTES) return 413;
  if (headers['content-encoding'] !== 'aes128gcm' || !/^\d+$/.test(String(headers['ttl']))) return 400;
  const text = open(body, known.ecdh, known.auth);
  const topic = headers['topic'] as string | undefined;
  const received: Received = {
    message: JSON.parse(text) as PushMessage,
    text,
    bytes: body.length,
    ttl: Number(headers['ttl']),
    topic,
    urgency: headers['urgency'] as string | undefined,
    ...signed,
  };
  if (known.browser.online) known.browser.received.push(received);
  else {
    known.waiting = known.waiting.filter((kept) => topic === undefined || kept.topic !== topic);
    known.waiting.push({ topic, received });
  }
  return 201;
}

/** The token of `vapid t=…, k=…` if this key signed it, else undefined. */
function readVapid(header: string, publicKey: string): { claims: Received['claims']; token: string } | undefined {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head, payload, signature] = token.split('.');
  if (key !== publicKey || head === undefined || payload === undefined || signature === undefined) return undefined;
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const data = Buffer.from(`${head}.${payload}`);
  const valid = verify('sha256', data, { key: jwk, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
  if (!valid) return undefined;
  return { claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) as Received['claims'], token };
}

/** RFC 8291 with the content coding of RFC 8188, written from the documents and not from the library that seals. */
function open(body: Buffer, ecdh: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const sealed = body.subarray(21 + sender.length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const input = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const derive = (name: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', input, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
