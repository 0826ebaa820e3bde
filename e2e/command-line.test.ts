import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { Gate, MadeGate } from '#shared/policies/gate.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { LIVE_PROTOCOL } from '#shared/live.ts';
import { call, must } from './hub/call.ts';
import { BUNDLE } from './bundle.ts';
import { environment, startHub, type Hub } from './hub/hub.ts';
import { connectPage, openPage } from './hub/page.ts';
import { addPerson, addSource, ownerDevice, type Device } from './hub/people.ts';
import { freePort, freshDatabase } from './hub/servers.ts';
import { until } from './hub/until.ts';

describe('what the command line removes beside a running hub is out of it', { concurrency: true }, () => {
  for (const engine of ['SQLite', 'Postgres'] as const) {
    describe(`on ${engine}`, { timeout: 280_000, concurrency: 1 }, () => {
      let hub: Hub;
      let owner: Device;
      let database: Awaited<ReturnType<typeof freshDatabase>> | undefined;

      before(async () => {
        database = engine === 'Postgres' ? await freshDatabase() : undefined;
        hub = await startHub(database ? { DATABASE_URL: database.url } : {});
        owner = await ownerDevice(hub);
      });
      after(async () => {
        await hub.remove();
        await database?.drop();
      });

      const listed = async (what: string): Promise<Record<string, unknown>[]> => {
        const { out } = await hub.cli(what, 'list', '--json');
        return (JSON.parse(out) as { items: Record<string, unknown>[] }).items;
      };

      test('a source: its key is refused and what it asks is withdrawn from the page', async () => {
        const { source, key } = await addSource(hub, owner, 'Release train');
        const page = await openPage(hub, owner);
        const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Now?' } });
        strictEqual((await hub.cli('source', 'list')).out.includes(`${source.id}  Release train`), true);
        const [{ webhookKey } = {}] = (await listed('source')).filter((one) => one['id'] === source.id);
        deepStrictEqual([typeof webhookKey, webhookKey], ['string', source.webhookKey]);

        deepStrictEqual(await hub.cli('source', 'remove', 'Release train', '--json'), {
          code: 0,
          out: `${JSON.stringify({ removed: source.id })}\n`,
          err: '',
        });
        strictEqual((await call(hub, 'GET /v1/inquiries', { token: key })).status, 401);
        const { resolution } = await must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: owner.token });
        deepStrictEqual(
          [resolution?.outcome, resolution?.by],
          ['withdrawn', { kind: 'source', label: 'Release train' }],
        );
        // The page asks again at the heartbeat that is ahead of it.
        const behind = page.of('snapshot')[0]?.version ?? 0;
        await until('a heartbeat that says so', () => page.of('heartbeat').some(({ version }) => version > behind + 1));
        deepStrictEqual(
          (await listed('source')).map(({ name }) => name),
          ['Command line'],
        );
        page.close();
      });

      test('a device: its token is refused and its page is closed', async () => {
        const bob = await addPerson(hub, owner, 'bob');
        const page = await openPage(hub, bob);
        deepStrictEqual(
          (await listed('device')).map(({ handle, name }) => [handle, name]),
          [
            ['owner', 'Laptop'],
            ['bob', "bob's phone"],
          ],
        );
        const { code, out } = await hub.cli('device', 'remove', bob.id);
        deepStrictEqual([code, out], [0, `The device "bob's phone" of bob is signed out.\n`]);
        strictEqual((await call(hub, 'GET /v1/inbox', { token: bob.token })).status, 401);
        await until('the page to be closed', () => !page.socket.connected);
        deepStrictEqual(page.of('revoked'), [{ deviceId: bob.id }]);
        match((await hub.cli('device', 'remove', bob.id)).err, /^Nobody is signed in on a device/);
      });

      test('a person: their devices are out, and what only they were asked is withdrawn', async () => {
        const carol = await addPerson(hub, owner, 'carol');
        const { key } = await addSource(hub, owner, 'Asks carol', { mayAsk: ['carol'] });
        const body = { prompt: 'Carol?', to: ['carol'] };
        const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body });
        const waiting = must<Inquiry>(hub, `GET /v1/inquiries/${id}?wait=60`, { token: key });
        const page = await openPage(hub, carol);
        deepStrictEqual(await hub.cli('person', 'remove', 'carol'), {
          code: 0,
          out: 'carol is removed, with 1 device.\n',
          err: '',
        });
        await until('the page to be closed', () => !page.socket.connected);
        strictEqual((await waiting).resolution?.outcome, 'withdrawn');
        const people = await must<{ items: { handle: string }[] }>(hub, 'GET /v1/people', { token: owner.token });
        deepStrictEqual(
          people.items.map(({ handle }) => handle),
          (await listed('person')).map(({ handle }) => handle),
        );
        const refused = connectPage(hub, { protocol: LIVE_PROTOCOL, token: carol.token });
        await new Promise((resolve) => refused.once('connect_error', resolve));
        refused.close();
      });

      test('a gate says when it is made that its server cannot be reached, by route and by command', async () => {
        const body = { upstream: { url: `http://127.0.0.1:${await freePort()}/mcp` } };
        const sentence = (name: string) =>
          `The MCP server behind the gate "${name}" did not say which tools it has: fetch failed (ECONNREFUSED).`;
        const put = () => must<MadeGate>(hub, 'PUT /v1/gates/by-route', { token: owner.token, body });
        // What was told once is not looked for again where only rules change.
        deepStrictEqual([(await put()).unreachable, (await put()).unreachable], [sentence('by-route'), undefined]);
        const add = () => hub.cli('gate', 'add', 'by-command', body.upstream.url, '--deny', 'drop_*');
        const made = await add();
        match(made.out, /^http\S+\/mcp\/gate\/by-command\n$/);
        deepStrictEqual([made.code, made.err], [0, `${sentence('by-command')}\n`]);
        deepStrictEqual((await add()).code, 2);
        const { items } = await must<{ items: Gate[] }>(hub, 'GET /v1/gates', { token: owner.token });
        deepStrictEqual(
          items.map(({ name, rules }) => [name, rules]),
          [
            ['by-command', [{ tool: 'drop_*', does: 'deny' }]],
            ['by-route', []],
          ],
        );
        for (const name of ['by-command', 'by-route']) await hub.cli('gate', 'remove', name);
      });

      test('a gate: it is there no more', async () => {
        const body = { upstream: { url: 'http://127.0.0.1:1/mcp', headers: { authorization: 'Bearer s3cret' } } };
        await must(hub, 'PUT /v1/gates/files', { token: owner.token, body });
        const { out } = await hub.cli('gate', 'list', '--json');
        deepStrictEqual([out.includes('s3cret'), out.includes('"headerNames":["authorization"]')], [false, true]);
        deepStrictEqual((await hub.cli('gate', 'remove', 'files')).out, 'The gate "files" is removed.\n');
        deepStrictEqual(await must(hub, 'GET /v1/gates', { token: owner.token }), { items: [] });
      });

      test('the name of a source that is there is refused, and is free again once it is removed', async () => {
        const add = async () => (await hub.cli('source', 'add', 'Twice', '--json')).code;
        const twice = [await add(), await add()];
        await hub.cli('source', 'remove', 'Twice');
        deepStrictEqual([...twice, await add()], [0, 2, 0]);
      });

      test('a reader that goes away crashes nothing', async () => {
        const env = environment({ DATA_DIR: hub.dataDir, ...(database ? { DATABASE_URL: database.url } : {}) });
        for (const args of [['--help'], ['source', 'list'], ['completion', 'bash']]) {
          const child = spawn(process.execPath, [BUNDLE.command, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
          child.stdout.destroy();
          let err = '';
          child.stderr.on('data', (words) => (err += String(words)));
          const [code] = (await once(child, 'close')) as [number];
          deepStrictEqual([args, code, err], [args, 0, '']);
        }
      });
    });
  }
});
