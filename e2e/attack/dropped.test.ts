import { deepStrictEqual } from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startUpstream, type Upstream } from '../gate/upstream.ts';
import { modernCall, modernHeaders } from '../gate/raw.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

/** What is promised to a call without a key; one with a key is kept for twice as long as these are given. */
const GRACE_MS = 2_000;
const GONE_WITHIN_MS = 30_000;
const CALLS = 60;

for (const engine of ['SQLite', 'Postgres'] as const) {
  describe(`calls whose client closes at once, on ${engine}`, { timeout: 120_000 }, () => {
    let scene: Scene;
    let upstream: Upstream;
    before(async () => {
      scene = await openScene(engine);
      upstream = await startUpstream();
      const gate = { upstream: { url: upstream.url }, otherwise: 'ask' };
      await must(scene.hub, 'PUT /v1/gates/notes', { token: scene.owner.token, body: gate });
    });
    after(async () => {
      await scene?.remove();
      await upstream?.close();
    });

    /** Posts and then cuts the connection, whatever came meanwhile. */
    async function postAndDrop(
      path: string,
      body: string,
      headers: Record<string, string>,
      later: Promise<unknown>,
    ): Promise<void> {
      const call = request(scene.hub.url + path, {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${scene.source.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      });
      call.on('error', () => {});
      call.on('response', (reply) => reply.resume());
      call.end(body);
      await later;
      call.destroy();
    }

    /** Within 300 ms, most of them at once; the last when something is open, so that not all come too early. */
    const laterOf = (at: number): Promise<unknown> =>
      at === CALLS - 1 ? until('something open', async () => (await scene.inbox()).length > 0) : pause((at * at) / 12);

    /** What had been read of the calls when they closed is all withdrawn, and that was not nothing. */
    async function goneByThemselves(): Promise<void> {
      const dropped = performance.now();
      await until('the grace', () => performance.now() - dropped > GRACE_MS);
      await until('nothing open', async () => (await scene.inbox()).length === 0, GONE_WITHIN_MS);
      const asked = await all<Inquiry>(scene.hub, '/v1/inquiries', scene.source.key);
      deepStrictEqual(
        [...new Set(asked.map(({ resolution }) => resolution?.outcome)), asked.length > 0],
        ['withdrawn', true],
      );
    }

    test('a blocking ask is withdrawn, whenever its client closes', async () => {
      const drops = Array.from({ length: CALLS }, (_, at) =>
        postAndDrop('/v1/inquiries?wait=60', JSON.stringify({ prompt: `Dropped ${at}?` }), {}, laterOf(at)),
      );
      await Promise.all(drops);
      await goneByThemselves();
    });

    test('[ASK5] a call at a gate is withdrawn too, and nothing runs for nobody', async () => {
      const drops = Array.from({ length: CALLS }, (_, at) =>
        postAndDrop(
          '/mcp/gate/notes',
          modernCall('write_note', `{"path":"${at}"}`),
          modernHeaders('write_note'),
          laterOf(at),
        ),
      );
      await Promise.all(drops);
      await goneByThemselves();
      deepStrictEqual(upstream.ran, []);
    });
  });
}
