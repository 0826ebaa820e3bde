import type { Http } from '../../platform/http/server.ts';
import { Agent } from 'undici';
import { z } from 'zod';
import { AddressCheck } from '#shared/schemas/enrolments.ts';
import { routeFor } from '../../platform/http/access.ts';
import { bareHost, forbiddenNetwork } from '../../platform/outbound/addresses.ts';
import { wordFor } from '../../platform/outbound/post.ts';
import { send } from '../../platform/outbound/send.ts';

/** Less than the page itself waits for a reply of the hub. */
const LIMIT_MS = 8_000;
const START_BYTES = 200;

/** The call by which the owner learns whether another device can open the hub's address. */
export function addressRoute(app: Http, publicUrl: () => string): void {
  routeFor('owner', 'Letting a device in')(
    app,
    'POST /v1/address/check',
    'Check whether another device can open this hub’s address',
    {
      operationId: 'checkAddress',
      description: 'The hub looks at its own address as a phone would.',
      body: z
        .strictObject({ address: z.string().max(300).describe('The address to look at; absent: that of this hub.') })
        .partial(),
      response: { 200: AddressCheck },
      handler: (request) => checkAddress(request.body.address?.trim() || publicUrl(), publicUrl()),
    },
  );
}

/**
 * Whether a phone can open the hub there, with notifications. Only an https address that is the hub's own
 * (`PUBLIC_URL`), and is not of this machine alone, is called, once, within 8 s; `limitMs` is for tests.
 */
export async function checkAddress(written: string, publicUrl: string, limitMs = LIMIT_MS): Promise<AddressCheck> {
  const text = written.includes('://') ? written : `https://${written}`;
  if (!URL.canParse(text)) return { address: written, verdict: 'unreadable' };
  const url = new URL(text);
  const { origin, protocol } = url;
  const said = (verdict: AddressCheck['verdict'], detail?: string): AddressCheck => ({
    address: origin,
    verdict,
    ...(detail === undefined ? {} : { detail }),
  });
  if (isOfThisMachine(bareHost(url))) return said('local');
  if (protocol !== 'https:') return said(protocol === 'http:' ? 'plain' : 'unreadable');
  if (origin !== new URL(publicUrl).origin) return said('other', new URL(publicUrl).origin);
  const trouble = await troubleAt(origin, limitMs);
  return trouble === undefined ? said('ok') : said('unreachable', trouble);
}

async function troubleAt(origin: string, limitMs: number): Promise<string | undefined> {
  const dispatcher = new Agent({ connect: { timeout: limitMs } });
  const signal = AbortSignal.timeout(limitMs);
  try {
    const reply = await send(`${origin}/healthz`, { dispatcher, signal });
    const text = reply.statusCode === 200 ? await readStart(reply.body) : '';
    return /"status"\s*:\s*"ok"/.test(text) ? undefined : `status ${reply.statusCode}, not from a Beckon hub`;
  } catch (error) {
    return signal.aborted ? 'timeout' : wordFor(error);
  } finally {
    void dispatcher.destroy();
  }
}

/** The first characters of a body; whatever follows is not waited for. */
export async function readStart(body: AsyncIterable<Uint8Array>): Promise<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of body) {
    read = Buffer.concat([read, chunk.subarray(0, START_BYTES - read.length)]);
    if (read.length === START_BYTES) break;
  }
  return read.toString();
}

function isOfThisMachine(host: string): boolean {
  return /(^|\.)localhost$/.test(host) || ['loopback', 'unspecified'].includes(forbiddenNetwork(host) ?? '');
}
