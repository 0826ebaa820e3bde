import { deepStrictEqual, match } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { must } from './hub/call.ts';
import { steppedClock } from './hub/clock.ts';
import { environment, runHub, startHub, type Hub } from './hub/hub.ts';
import { ownerDevice } from './hub/people.ts';
import { freePort, freshDatabase, startRedis } from './hub/servers.ts';
import { until } from './hub/until.ts';

type Ready = { status: string; degraded: string[] };

/** What the nodes of one hub share. */
async function shared(t: TestContext) {
  const [database, redis] = await Promise.all([freshDatabase(), startRedis()]);
  t.after(() => Promise.all([database.drop(), redis.kill()]));
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  return async () => {
    const port = String(await freePort());
    return { ...settings, PORT: port, NODE_URL: `http://127.0.0.1:${port}` };
  };
}

async function start(t: TestContext, settings: Record<string, string>): Promise<Hub> {
  const hub = await startHub(settings);
  t.after(() => hub.remove());
  return hub;
}

test(
  'a second node says where it is and, once somebody is in, nothing of a first device',
  { timeout: 200_000 },
  async (t) => {
    const settings = await shared(t);
    const first = await start(t, await settings());
    await ownerDevice(first);
    const own = { ...(await settings()), DATA_DIR: join(first.dataDir, 'second'), LOG_LEVEL: 'warn' };
    const second = runHub(environment(own));
    t.after(() => second.end('SIGKILL'));
    await until(
      'the second node to be ready',
      () =>
        fetch(`${own.NODE_URL}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      90_000,
    );
    // The key is what a start writes last.
    await until('its key', () => existsSync(join(own.DATA_DIR, 'command-line-key')));
    const { code, out, err } = await second.end('SIGTERM');
    deepStrictEqual([code, out, err], [0, `Beckon is open at http://localhost:${own.PORT}\n`, '']);
    deepStrictEqual(existsSync(join(own.DATA_DIR, 'sign-in-link')), false);
  },
);

test(
  'a node that has another sealing key, or none, ends with one sentence that says what to do',
  { timeout: 200_000 },
  async (t) => {
    const settings = await shared(t);
    const first = await start(t, await settings());
    for (const key of [Buffer.alloc(32, 8).toString('base64'), '']) {
      const own = { ...(await settings()), SEALING_KEY: key, DATA_DIR: join(first.dataDir, 'other') };
      const { code, out, err } = await runHub(environment({ ...own, LOG_LEVEL: 'warn' })).ended;
      deepStrictEqual(
        [code, out, err],
        [
          1,
          '',
          'This database was sealed with another key: set SEALING_KEY to the one that its other nodes have, or put the file sealing-key back into DATA_DIR.\n',
        ],
      );
    }
  },
);

test(
  'a node with Redis that does not say where it is reached ends with one sentence that says what to do',
  { timeout: 100_000 },
  async (t) => {
    const { NODE_URL: _left, ...settings } = await (await shared(t))();
    const { code, out, err } = await runHub(environment(settings)).ended;
    deepStrictEqual(
      [code, out, err],
      [
        1,
        '',
        'The setting NODE_URL must be set beside REDIS_URL, to where the other nodes reach this one, e.g. http://10.0.0.5:4275; see "beckon serve --help".\n',
      ],
    );
  },
);

test(
  'a node whose clock is 3 s away from the database warns of it and is degraded until it is right',
  { timeout: 200_000 },
  async (t) => {
    const settings = await shared(t);
    using clock = steppedClock(3_000);
    const beside = await start(t, await settings());
    const wrong = await start(t, { ...(await settings()), ...clock.settings });
    const ready = (hub: Hub) => must<Ready>(hub, 'GET /readyz');
    deepStrictEqual(
      [await ready(wrong), await ready(beside)],
      [
        { status: 'ready', degraded: ['clock'] },
        { status: 'ready', degraded: [] },
      ],
    );
    match(wrong.log(), /"level":40,.*"byMs":(29|30)\d\d,.*this machine's clock is not the database's/);
    clock.step(-3_000);
    deepStrictEqual(await ready(wrong), { status: 'ready', degraded: [] });
  },
);
