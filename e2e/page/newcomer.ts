import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { SubscriptionState } from '#shared/push.ts';
import { must } from '../hub/call.ts';
import type { Hub } from '../hub/hub.ts';
import { makeCertificate } from '../push/services/certificate.ts';
import { keptOn } from './kept.ts';

/** What an iPhone's Safari says of itself. */
export const IPHONE = {
  viewport: { width: 390, height: 844 },
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
};

/** Shows the page as an app that was opened from the Home Screen; call it before the page is opened. */
export async function asInstalledApp(page: Page): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }));
}

/** What the hub learns when a test was shown on the page's device, whose browser has no push service here. */
export async function showTest(hub: Pick<Hub, 'url'>, page: Page): Promise<void> {
  const token = (await keptOn(page, 'token')) as string;
  const ecdh = createECDH('prime256v1');
  const keys = { p256dh: ecdh.generateKeys().toString('base64url'), auth: randomBytes(16).toString('base64url') };
  const path = '/v1/devices/me/subscription';
  const { vapidPublicKey } = await must<SubscriptionState>(hub, `GET ${path}`, { token });
  const endpoint = 'https://fcm.googleapis.com/fcm/send/none';
  await must(hub, `PUT ${path}`, { token, body: { endpoint: `${endpoint}${Math.random()}`, keys, vapidPublicKey } });
  await must(hub, 'POST /v1/devices/me/shown', { token, body: { id: `tst_${'0'.repeat(26)}` } });
}

/** A name with https before a hub on loopback, as a tailnet or a proxy gives it; `settings` lead the hub's own calls there. */
export async function openHttps(host: string) {
  const certificate = makeCertificate([host]);
  let target = '';
  const server: Server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    const { method, url, headers } = request;
    if (target === '') return void response.writeHead(502).end();
    const onwards = httpRequest(new URL(url ?? '/', target), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    onwards.on('error', () => response.writeHead(502).end());
    request.pipe(onwards);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      NODE_OPTIONS: `--import=${import.meta.resolve('../push/edge.ts')}`,
      NODE_EXTRA_CA_CERTS: certificate.file,
      BECKON_TEST_EDGE: JSON.stringify({ [host]: port }),
    },
    leadTo(hub: Pick<Hub, 'url'>) {
      target = hub.url;
    },
    close() {
      server.close();
      server.closeAllConnections();
      certificate.remove();
    },
  };
}
