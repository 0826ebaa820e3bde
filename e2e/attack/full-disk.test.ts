import { deepStrictEqual, match } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { call } from '../hub/call.ts';
import { startEndpoint } from '../hub/endpoint.ts';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

const LONG = 'x'.repeat(60_000);

describe('a hub on SQLite whose disk is full', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'beckon-disk-'));
  const full = join(folder, 'full');
  let scene: Scene;
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  before(async () => {
    endpoint = await startEndpoint();
    const preload = new URL('../hub/preload/full-disk.ts', import.meta.url).href;
    const settings = { NODE_OPTIONS: `--import=${preload}`, BECKON_TEST_DISK: full };
    scene = await openScene('SQLite', 1, settings, `${endpoint.url}/hook`);
  });
  after(async () => {
    await scene?.remove();
    await endpoint?.close();
    rmSync(folder, { recursive: true });
  });

  test('[ASK1] [DLV1] what is refused is not stored, what was acknowledged stays, and all goes on when there is room', async () => {
    const acknowledged = [(await scene.ask({ prompt: 'Before?' })).id];
    const [first = ''] = acknowledged;
    writeFileSync(full, '');
    const refused = await until('an ask to be refused', async () => {
      const token = scene.source.key;
      const reply = await call<Inquiry & Problem>(scene.hub, 'POST /v1/inquiries', { token, body: { prompt: LONG } });
      if (reply.status !== 201) return reply;
      acknowledged.push(reply.body.id);
      return undefined;
    });
    deepStrictEqual([refused.status >= 500, refused.type], [true, 'application/problem+json; charset=utf-8']);
    match(refused.body.detail ?? '', /\.$/);
    deepStrictEqual((await scene.inbox()).toSorted(), acknowledged.toSorted());
    deepStrictEqual((await scene.read({ id: first })).resolution, undefined);

    rmSync(full);
    const { id } = await until('an ask to be taken', async () => {
      const token = scene.source.key;
      const reply = await call<Inquiry>(scene.hub, 'POST /v1/inquiries', { token, body: { prompt: LONG } });
      return reply.status === 201 && reply.body;
    });
    deepStrictEqual((await scene.inbox()).toSorted(), [...acknowledged, id].toSorted());
    deepStrictEqual((await scene.answer({ id: first })).body.won, true);
    await until('the webhook', () => endpoint.got.some(({ body }) => body.includes(first)));
  });
});
