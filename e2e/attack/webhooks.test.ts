import { deepStrictEqual, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { call } from '../hub/call.ts';
import { startEndpoint } from '../hub/endpoint.ts';
import { addSource } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

/** Far below the 10 s that an endpoint has, and far above what a busy machine needs. */
const SOON_MS = 8_000;

describe('a webhook that cannot be sent holds up no other', { timeout: 120_000 }, () => {
  let scene: Scene;
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  before(async () => {
    endpoint = await startEndpoint();
    scene = await openScene('SQLite', 1, {}, `${endpoint.url}/healthy`);
  });
  after(async () => {
    await scene?.remove();
    await endpoint?.close();
  });

  /** The neighbour asks, is answered and is told. */
  async function neighbourIsTold(): Promise<void> {
    const { id } = await scene.ask({ prompt: 'Is the neighbour told?' });
    await scene.answer({ id });
    const told = () => endpoint.got.some(({ body }) => body.includes(id));
    await until("the neighbour's webhook", told, SOON_MS);
  }

  test('[DLV1] an address with user info is refused or sent, at the ask and at the source, and stops nobody', async () => {
    const url = 'http://user:pw@127.0.0.1:9/';
    const asker = await addSource(scene.hub, scene.owner, 'Poisoner');
    const asked = await call<Problem & { id: string }>(scene.hub, 'POST /v1/inquiries', {
      token: asker.key,
      body: { prompt: 'Poison?', callback: { url } },
    });
    if (asked.status === 201) await scene.answer(asked.body);
    else deepStrictEqual([asked.status, asked.body.faults?.map(({ path }) => path)], [422, ['/callback/url']]);
    const body = { name: 'Typed', webhookUrl: url };
    const typed = await call<Problem>(scene.hub, 'POST /v1/sources', { token: scene.owner.token, body });
    if (typed.status !== 201)
      deepStrictEqual([typed.status, typed.body.faults?.map(({ path }) => path)], [422, ['/webhookUrl']]);
    await neighbourIsTold();
  });

  test('[DLV1] rows that nobody can send are given up and seen, also those of an earlier version', async () => {
    const asker = await addSource(scene.hub, scene.owner, 'Damaged', { webhookUrl: 'http://127.0.0.1:9/' });
    const urls = ['http://user:pw@127.0.0.1:9/', 'no address', 'http://127.0.0.1:9', 'ftp://127.0.0.1/', ''];
    const asks = await Promise.all(urls.map((url) => scene.ask({ prompt: `To "${url}"?` }, asker)));
    await Promise.all(asks.map((asked) => scene.answer(asked)));
    await scene.hub.kill();
    const file = new DatabaseSync(join(scene.hub.dataDir, 'beckon.sqlite'), { timeout: 5_000 });
    const damage = file.prepare(
      `update deliveries set url = ?, state = 'pending', due_at = 1, claimed_until = null where inquiry_id = ?`,
    );
    asks.forEach(({ id }, at) => damage.run(urls[at] as string, id));
    file.close();
    await scene.hub.start();
    await neighbourIsTold();
    const rows = await until('every damaged row to be tried', async () => {
      const owed = await scene.webhooks(asker);
      return owed.every(({ attempts }) => attempts.length > 0) && owed;
    });
    ok(
      rows.every(({ attempts }) => attempts.every(({ status, error }) => status === undefined && error !== undefined)),
    );
  });

  test('[DLV1] the hub rests while nothing is due', async () => {
    await neighbourIsTold();
    const busy = async (): Promise<number> => {
      const text = await (await fetch(`${scene.hub.url}/metrics`)).text();
      return Number(/^beckon_process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
    };
    const [before, since] = [await busy(), performance.now()];
    await until('a second', () => performance.now() - since > 1_000);
    const share = ((await busy()) - before) / ((performance.now() - since) / 1_000);
    ok(share < 0.5, `it keeps ${Math.round(share * 100)} % of a core busy`);
  });
});

describe('sixty endpoints that hang', { timeout: 120_000 }, () => {
  let scene: Scene;
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  const met = new Map<string, number>();
  const hanging = createServer((request) => {
    const host = request.headers.host ?? '';
    met.set(host, (met.get(host) ?? 0) + 1);
  });
  before(async () => {
    hanging.listen(0, '0.0.0.0');
    await once(hanging, 'listening');
    endpoint = await startEndpoint();
    scene = await openScene('SQLite', 1, {}, `${endpoint.url}/healthy`);
  });
  after(async () => {
    await scene?.remove();
    hanging.close();
    hanging.closeAllConnections();
    await endpoint?.close();
  });

  test('[DLV1] once they have timed out, they hold up no webhook of a healthy source', async () => {
    const { port } = hanging.address() as { port: number };
    const sources = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        addSource(scene.hub, scene.owner, `Hanging ${at}`, { webhookUrl: `http://127.0.1.${at + 1}:${port}/` }),
      ),
    );
    // Two each, so that there is always one due.
    for (const source of sources)
      for (const prompt of ['One?', 'Two?']) await scene.answer(await scene.ask({ prompt }, source));
    await until('the first to time out', async () =>
      (await scene.webhooks(sources[0]!)).some((one) => one.attemptCount > 0),
    );
    for (let times = 0; times < 3; times++) {
      const { id } = await scene.ask({ prompt: 'Is the neighbour told?' });
      await scene.answer({ id });
      await until("the neighbour's webhook", () => endpoint.got.some(({ body }) => body.includes(id)), SOON_MS);
    }
  });
});
