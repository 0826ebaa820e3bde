import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

/** A claim lasts 30 s. */
const TAKEN_OVER_MS = 90_000;

describe('a node that freezes while it sends a webhook', { timeout: 180_000 }, () => {
  let scene: Scene;
  const got: { body: string; headers: IncomingHttpHeaders }[] = [];
  let silent = true;
  const endpoint = createServer((request, response) => {
    void text(request).then((body) => {
      got.push({ body, headers: request.headers });
      if (!silent) response.writeHead(204).end();
    });
  });
  before(async () => {
    await once(endpoint.listen(0, '127.0.0.1'), 'listening');
    scene = await openScene('Postgres', 2, {}, `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`);
  });
  after(async () => {
    await scene?.hub.signal('SIGCONT');
    await scene?.remove();
    endpoint.closeAllConnections();
    endpoint.close();
  });

  test('[DLV1] holds up no other webhook, and the other node sends the one it had claimed, under the same id', async () => {
    await scene.answer(await scene.ask({ prompt: 'Claimed?' }));
    await until('the first attempt', () => got.length === 1);
    const claimed = got[0]?.headers['webhook-id'];
    await scene.hub.signal('SIGSTOP');
    silent = false;
    const other = await scene.ask({ prompt: 'Held up?' }, scene.source, scene.other);
    deepStrictEqual((await scene.answer(other, { text: 'no' }, scene.other)).body.won, true);
    await until('the webhook of another inquiry', () => got.some(({ body }) => body.includes(other.id)), TAKEN_OVER_MS);
    const attempts = () => got.filter(({ headers }) => headers['webhook-id'] === claimed);
    await until('the claimed webhook', () => attempts().length === 2, TAKEN_OVER_MS);
    const [first, second] = attempts().map(({ body }) => body);
    deepStrictEqual(second, first);
  });
});
