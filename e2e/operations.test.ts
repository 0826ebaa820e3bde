import { deepStrictEqual, match } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from './hub/call.ts';
import { startEndpoint } from './hub/endpoint.ts';
import { environment, firstSecret, runCommand, runHub, startHub } from './hub/hub.ts';
import { openPage } from './hub/page.ts';
import { addSource, ownerDevice } from './hub/people.ts';
import { freePort, freshDatabase, startRedis } from './hub/servers.ts';
import { until } from './hub/until.ts';

/** One sentence on one line, and nothing of a program's inside. */
const SENTENCE = /^(?!.*(Error:|node:|file:|undefined)).+[.…]\n$/;
const ROOT = resolve(import.meta.dirname, '..');
const NEWER = /newer version of Beckon/;
const FUTURE = "insert into migrations (number, name, sha256, applied_at) values (9999, '9999_future.sql', 'x', 0)";

describe('what keeps a hub from starting is one sentence and exit code 1', { timeout: 280_000, concurrency: 3 }, () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-operations-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function refused(settings: Record<string, string>): Promise<string> {
    // Some open the database before they are refused: two at once would meet in one folder.
    const own = { DATA_DIR: mkdtempSync(join(folder, 'own-')), PORT: '0', LOG_LEVEL: 'error' };
    const { code, out, err } = await runHub(environment({ ...own, ...settings })).ended;
    deepStrictEqual([code, out], [1, '']);
    match(err, SENTENCE);
    return err;
  }

  const settings: Record<string, string> = {
    PORT: 'abc',
    HOST: '203.0.113.77',
    PUBLIC_URL: 'beckon.example',
    DATABASE_URL: 'mysql://root@127.0.0.1/beckon',
    REDIS_URL: '127.0.0.1:6379',
    SEALING_KEY: 'short',
    TRUSTED_ISSUERS: '{"issuer":1}',
    TRUST_PROXY: 'true',
    RETAIN_DAYS: '-1',
    METRICS_TOKEN: 'short',
    LOG_LEVEL: 'loud',
  };
  for (const [name, value] of Object.entries(settings)) {
    test(`${name}=${value}`, async () => match(await refused({ [name]: value }), new RegExp(`\\b${name}\\b`)));
  }

  test('a port in use', async () => {
    const endpoint = await startEndpoint();
    const { port } = new URL(endpoint.url);
    deepStrictEqual(
      await refused({ PORT: port }),
      `Port ${port} is in use; stop what listens there or set PORT to another one.\n`,
    );
    await endpoint.close();
  });

  test('a DATA_DIR that is a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    match(await refused({ DATA_DIR: file }), /DATA_DIR/);
    match(await refused({ DATA_DIR: join(file, 'below') }), /DATA_DIR/);
  });

  test('a Postgres that is not there, without its password', async () => {
    const err = await refused({ DATABASE_URL: `postgres://beckon:s3cret-word@127.0.0.1:${await freePort()}/beckon` });
    match(err, /Postgres|database/i);
    deepStrictEqual(err.includes('s3cret-word'), false);
  });

  test('a Postgres without that database', async () => {
    const { url, drop } = await freshDatabase();
    await drop();
    match(await refused({ DATABASE_URL: url }), /database/i);
  });

  test('a database of a newer version, on both engines', async () => {
    const dataDir = mkdtempSync(join(folder, 'newer-'));
    const hub = await startHub({ DATA_DIR: dataDir });
    await hub.stop();
    const embedded = new DatabaseSync(join(dataDir, 'beckon.sqlite'), { timeout: 5_000 });
    embedded.exec(FUTURE);
    embedded.close();
    match(await refused({ DATA_DIR: dataDir }), NEWER);

    const { url, drop } = await freshDatabase();
    const node = await startHub({ DATABASE_URL: url });
    await node.remove();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(FUTURE);
    await client.end();
    match(await refused({ DATABASE_URL: url }), NEWER);
    await drop();
  });

  test('a sealing key other than the one that sealed the database, on both engines', async () => {
    const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
    const dataDir = mkdtempSync(join(folder, 'sealed-'));
    const hub = await startHub({ DATA_DIR: dataDir });
    await hub.stop();
    match(await refused({ DATA_DIR: dataDir, SEALING_KEY: keyOf(1) }), /SEALING_KEY/);
    await hub.start();
    await hub.stop();

    const { url, drop } = await freshDatabase();
    const node = await startHub({ DATABASE_URL: url, SEALING_KEY: keyOf(1) });
    match(await refused({ DATABASE_URL: url, SEALING_KEY: keyOf(2) }), /SEALING_KEY/);
    match(await refused({ DATABASE_URL: url }), /SEALING_KEY/);
    await node.remove();
    await drop();
  });

  test('a REDIS_URL without a DATABASE_URL, or without a NODE_URL', async () => {
    const REDIS_URL = `redis://127.0.0.1:${await freePort()}`;
    match(await refused({ REDIS_URL }), /^The setting DATABASE_URL /);
    match(await refused({ REDIS_URL, DATABASE_URL: 'postgres://127.0.0.1:1/hub' }), /^The setting NODE_URL /);
  });

  test('a command that is wrong, or has no hub to speak to', async () => {
    const env = environment({ DATA_DIR: folder, BECKON_URL: `http://127.0.0.1:${await freePort()}` });
    const wrong = [
      [],
      ['nonsense'],
      ['ask', 'Really?', '--wait', 'x'],
      ['ask', 'Anybody?', '--nonsense'],
      ['ask', 'Is there a hub?', '--wait', '1'],
      ['device', 'add', 'nobody', 'Phone'],
      ['person', 'add', 'NOT A HANDLE'],
      ['backup'],
    ];
    for (const args of wrong) {
      const { code, out, err } = await runCommand(args, env);
      deepStrictEqual([args, code > 0, out], [args, true, '']);
      match(err, SENTENCE);
    }
  });
});

test(
  'a Redis that is not there keeps no hub from starting, and its password stands in no log',
  { timeout: 240_000 },
  async () => {
    const { url, drop } = await freshDatabase();
    const hub = await startHub({
      DATABASE_URL: url,
      NODE_URL: 'http://127.0.0.1:1',
      REDIS_URL: `redis://:s3cret-word@127.0.0.1:${await freePort()}`,
      LOG_LEVEL: 'trace',
    });
    deepStrictEqual(await must(hub, 'GET /readyz'), { status: 'ready', degraded: ['redis'] });
    deepStrictEqual(hub.log().includes('s3cret-word'), false);
    await hub.remove();
    await drop();
  },
);

test('a Postgres that goes away makes the hub unready, not dead', { timeout: 240_000 }, async () => {
  const { url, drop } = await freshDatabase();
  const redis = await startRedis();
  const hub = await startHub({ DATABASE_URL: url, REDIS_URL: redis.url, NODE_URL: 'http://127.0.0.1:1' });
  // The last thing a start needs the database for.
  await firstSecret(hub);
  await drop();
  const gone = await until('the hub to be unready', async () => {
    const reply = await call<{ code: string }>(hub, 'GET /readyz');
    return reply.status === 503 && reply;
  });
  deepStrictEqual([gone.body.code, (await call(hub, 'GET /healthz')).status], ['database.unavailable', 200]);
  await hub.remove();
  await redis.kill();
});

test('the command line, /healthz and the changelog say one version', { timeout: 120_000 }, async () => {
  const hub = await startHub();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  deepStrictEqual(
    [await must(hub, 'GET /healthz'), await hub.cli('--version')],
    [
      { status: 'ok', version },
      { code: 0, out: `beckon ${version}\n`, err: '' },
    ],
  );
  match(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), new RegExp(`^## ${RegExp.escape(version)}$`, 'm'));
  await hub.remove();
});

test('no credential and no secret answer stands in a log, and a stop is clean', { timeout: 240_000 }, async () => {
  const endpoint = await startEndpoint(() => 500);
  const hub = await startHub({ LOG_LEVEL: 'trace' });
  const secret = await firstSecret(hub);
  const owner = await ownerDevice(hub);
  const { key, webhookSecret } = await addSource(hub, owner, 'Asker', {
    webhookUrl: `${endpoint.url}/hook?token=h00k-token`,
  });
  const page = await openPage(hub, owner);
  const questions = [{ id: 'pin', type: 'text', prompt: 'The PIN?', secret: true }];
  const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { questions } });
  await page.send('answer', { inquiryId: id, values: { pin: 'p1n-of-the-owner' } });
  await until('a try of the webhook', () => endpoint.got.length > 0);
  await call(hub, 'GET /v1/inbox', { token: `${owner.token}x` });
  const { code, out, err } = await hub.stop();
  page.close();
  const secrets = { secret, token: owner.token, key, webhookSecret, pin: 'p1n-of-the-owner', hook: 'h00k-token' };
  deepStrictEqual(
    [
      code,
      Object.entries(secrets)
        .filter(([, word]) => (out + err).includes(word))
        .map(([name]) => name),
    ],
    [0, []],
  );
  deepStrictEqual(
    endpoint.got.filter(({ body }) => body.includes(secrets.pin)),
    [],
  );
  for (const line of err.trim().split('\n')) match(line, /^\{.*\}$/);
  await hub.remove();
  await endpoint.close();
});
