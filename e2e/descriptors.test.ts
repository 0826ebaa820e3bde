import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from './hub/call.ts';
import { startHub, withDescriptors, type Hub } from './hub/hub.ts';
import { openPage } from './hub/page.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const DESCRIPTORS = 200;
const ENDLESS = 190;
/** A quarter of the descriptors is for those who have shown no credential. */
const CLOSED_AT_ONCE = ENDLESS - DESCRIPTORS / 4;
/** The hub gives an unknown sender 10 s for a body and looks every 5 s at what came too slowly. */
const CLOSED_WITHIN_MS = 40_000;

// Each has a hub of its own, for most of the time is the hub's own, which closes what comes too slowly.
describe(
  `a hub with ${DESCRIPTORS} file descriptors under ${ENDLESS} connections that never end`,
  { timeout: 240_000, concurrency: true },
  () => {
    for (const [what, head, lasting] of [
      ['bodies of strangers', (_key: string) => post('/v1/enrolments/redeem'), false],
      ['bodies with a wrong key', (_key: string) => post('/v1/inquiries', 'bks_wrong'), false],
      ['bodies with a key', (key: string) => post('/v1/inquiries', key), true],
      ['headers', (_key: string) => 'GET /v1/inbox HTTP/1.1\r\nHost: hub\r\n', false],
      ['silences', (_key: string) => '', true],
    ] as const) {
      test(`a signed-in device is served beside ${what}`, async (t) => {
        const hub = await startHub({}, withDescriptors(DESCRIPTORS));
        t.after(() => hub.remove());
        const owner = await ownerDevice(hub);
        const { key } = await addSource(hub, owner, 'Asker');
        const page = await openPage(hub, owner);
        t.after(() => page.close());
        const sockets = Array.from({ length: ENDLESS }, () => open(hub, head(key)));
        // The system connects them before the hub takes them, and what they push out is the oldest: a request on its way.
        await until('the hub to take them all', () => sockets.filter(({ closed }) => closed).length >= CLOSED_AT_ONCE);
        const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', {
          token: key,
          body: { prompt: `Beside ${what}?` },
        });
        for (let read = 0; read < 5; read += 1) deepStrictEqual((await inbox(hub, owner)).includes(id), true);
        await until('the live line to say so', () => page.of('inquiry').some(({ inquiry }) => inquiry.id === id));
        deepStrictEqual(page.socket.connected, true);
        if (!lasting) {
          await until('all to be closed', () => sockets.every((socket) => socket.closed), CLOSED_WITHIN_MS);
        }
        for (const socket of sockets) socket.destroy();
      });
    }

    const post = (path: string, token?: string): string =>
      [
        `POST ${path} HTTP/1.1`,
        'Host: hub',
        'Content-Type: application/json',
        'Content-Length: 200000',
        ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
        '',
        '{',
      ].join('\r\n');

    /** On a connection of its own, as a phone that comes from elsewhere. */
    async function inbox(hub: Hub, owner: Device): Promise<string[]> {
      const sent = request(`${hub.url}/v1/inbox`, {
        headers: { authorization: `Bearer ${owner.token}` },
        agent: false,
      });
      const [response] = await once(sent.end(), 'response');
      const { items } = JSON.parse(Buffer.concat(await response.toArray()).toString()) as { items: Inquiry[] };
      return items.map(({ id }) => id);
    }
  },
);

/** Sends the head and then a byte a second, for ever; a connection that is closed stays closed. */
function open({ url }: Hub, head: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {}).resume();
  socket.write(head);
  const trickle = setInterval(() => head && socket.write('x'), 1_000);
  socket.once('close', () => clearInterval(trickle));
  return socket;
}
