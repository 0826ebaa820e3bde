import { deepStrictEqual } from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test, type TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { layCable, type Cable } from './hub/cable.ts';
import { call, must } from './hub/call.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { freePort, freshDatabase } from './hub/servers.ts';
import { until } from './hub/until.ts';

/** What a supervisor waits at least before it kills. */
const STOPPED_WITHIN_MS = 15_000;
/** A few more than a node that cannot store them works on. */
const MORE_THAN_UNDER_WAY = 70;
/** A refusal is at once. */
const SOON_MS = 100;

type Asked = { prompt: string; status: number; id: string | undefined; code: string | undefined; retryAfter: number };

describe('a hub whose Postgres is away', { timeout: 240_000 }, () => {
  for (const [how, goAway] of [
    ['is gone', (cable: Cable) => cable.close()],
    ['is silent', async (cable: Cable) => cable.silence()],
  ] as const) {
    test(`stops in its time when Postgres ${how}, and answers until then`, async (t) => {
      const { hub, cable, key, owner } = await open(t);
      const waiting = call(hub, 'POST /v1/inquiries?wait=60', { token: key, body: { prompt: 'Ship?' } }).catch(() => ({
        status: 'cut',
      }));
      await until('the call to wait', async () => {
        const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
        return items.length === 1;
      });
      await goAway(cable);
      await until('it to be unready', async () => (await call(hub, 'GET /readyz')).status === 503);
      deepStrictEqual((await call(hub, 'GET /healthz')).status, 200);
      const began = performance.now();
      const { code } = await hub.stop();
      const took = performance.now() - began;
      deepStrictEqual([code, took < STOPPED_WITHIN_MS], [0, true], `${took} ms`);
      deepStrictEqual([503, 'cut'].includes((await waiting).status), true);
    });
  }

  test('goes on by itself when Postgres speaks again', async (t) => {
    const { hub, cable, key, owner } = await open(t);
    cable.silence();
    await until('it to be unready', async () => (await call(hub, 'GET /readyz')).status === 503);
    cable.speak();
    await until('it to be ready', async () => (await call(hub, 'GET /readyz')).status === 200);
    const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Ship?' } });
    const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
    deepStrictEqual(
      items.map((inquiry) => inquiry.id),
      [id],
    );
  });

  test('[LIV4] refuses what is more than it can take while Postgres is silent, and keeps all that it took', async (t) => {
    const { hub, cable, key, owner } = await open(t);
    const asked: Promise<Asked>[] = [];
    const ask = async (prompt: string): Promise<Asked> => {
      const body = JSON.stringify({ prompt, key: prompt });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const reply = await fetch(`${hub.url}/v1/inquiries`, { method: 'POST', headers, body });
      const { id, code } = (await reply.json()) as { id?: string; code?: string };
      return { prompt, status: reply.status, id, code, retryAfter: Number(reply.headers.get('retry-after')) };
    };
    cable.silence();
    for (let at = 0; at < MORE_THAN_UNDER_WAY; at += 1) asked.push(ask(`Ship ${at}?`));
    const refused = await until('it to refuse', () => {
      asked.push(ask(`Ship ${asked.length}?`));
      return Promise.race([...asked, pause(SOON_MS).then(() => undefined)]);
    });
    deepStrictEqual(
      [refused.status, refused.code, refused.retryAfter > 0, (await call(hub, 'GET /healthz')).status],
      [503, 'hub.overloaded', true, 200],
    );
    cable.speak();
    const all = await Promise.all(asked);
    deepStrictEqual(new Set(all.map(({ status }) => status)), new Set([201, 503]));
    const taken = all.filter(({ status }) => status === 201);
    const read = taken.map(({ id }) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: owner.token }));
    deepStrictEqual(
      (await Promise.all(read)).map(({ prompt }) => prompt),
      taken.map(({ prompt }) => prompt),
    );
    // 201 and not 200: what was refused was not stored.
    deepStrictEqual((await ask(refused.prompt)).status, 201);
  });
});

async function open(t: TestContext): Promise<{ hub: Hub; cable: Cable; owner: Device; key: string }> {
  const cleaning = new AsyncDisposableStack();
  t.after(() => cleaning.disposeAsync());
  const database = cleaning.adopt(await freshDatabase(), ({ drop }) => drop());
  const cable = cleaning.adopt(await layCable(database.url), ({ close }) => close());
  const port = String(await freePort());
  const settings = { DATABASE_URL: cable.url, PORT: port, NODE_URL: `http://127.0.0.1:${port}` };
  const hub = cleaning.adopt(await startHub(settings), ({ remove }) => remove());
  const owner = await ownerDevice(hub);
  const { key } = await addSource(hub, owner, 'Asker');
  return { hub, cable, owner, key };
}
