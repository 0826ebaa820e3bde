import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { asked, answer, decide } from './gate/people.ts';
import { CHILD } from './gate/wrapped.ts';
import { call, must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { addSource, type Device, ownerDevice } from './hub/people.ts';
import { Program } from './hub/process.ts';
import { freePort } from './hub/servers.ts';
import { until } from './hub/until.ts';

const ROOT = resolve(import.meta.dirname, '..');
const KEEPS = { resetTimeoutOnProgress: true, onprogress: () => undefined };

describe('the tarball of "npm pack", in a folder elsewhere with an empty home', { timeout: 240_000 }, () => {
  let folder: string;
  let env: Record<string, string>;
  let hub: Pick<Hub, 'url' | 'dataDir'>;
  let program: Program;
  let owner: Device;
  let key: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-tarball-'));
    const home = join(folder, 'home');
    for (const made of [home, join(folder, 'elsewhere')]) mkdirSync(made);
    const { PATH = '' } = process.env;
    env = { HOME: home, PATH, LOG_LEVEL: 'error', npm_config_update_notifier: 'false' };
    await run(['npm', 'pack', ROOT, '--pack-destination', folder], process.env);
    const [tarball = ''] = globSync('beckon-*.tgz', { cwd: folder });
    await run(['npm', 'install', '--offline', '--prefix', join(folder, 'app'), join(folder, tarball)], env);
    const port = String(await freePort());
    hub = { url: `http://127.0.0.1:${port}`, dataDir: join(home, '.beckon') };
    program = new Program(beckon(), { ...env, PORT: port });
    await until('the hub to say where it is', () => program.out.includes(`open at http://localhost:${port}`), 90_000);
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Coder'));
  });
  after(async () => {
    await program?.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  const beckon = (...args: string[]) => [join(folder, 'app/node_modules/.bin/beckon'), ...args];

  async function run(command: string[], environment: NodeJS.ProcessEnv): Promise<string> {
    const { code, out, err } = await new Program(['env', '-C', join(folder, 'elsewhere'), ...command], environment)
      .ended;
    strictEqual(code, 0, err);
    return out;
  }

  async function connect(t: TestContext, ...args: string[]): Promise<Client> {
    const [command = '', ...rest] = beckon(...args);
    const client = new Client({ name: 'local-agent', version: '1.0.0' });
    const asAgent = { ...env, BECKON_URL: hub.url, BECKON_KEY: key };
    await client.connect(new StdioClientTransport({ command, args: rest, env: asAgent, stderr: 'ignore' }));
    t.after(() => client.close());
    return client;
  }

  test('it is one package, without TypeScript for Node to run', () => {
    deepStrictEqual(
      [
        globSync('app/node_modules/*', { cwd: folder }),
        globSync('app/node_modules/beckon/**/*.ts', { cwd: folder }),
        globSync('*', { cwd: join(folder, 'elsewhere') }),
      ],
      [['app/node_modules/beckon'], [], []],
    );
  });

  test('the hub serves its page, its documents and its clients', async () => {
    const types = await Promise.all(
      ['/', '/sw.js', '/docs/', '/docs/static/swagger-ui.css', '/client/beckon.py', '/client/beckon.d.ts'].map(
        async (path) => {
          const { status, headers } = await fetch(hub.url + path);
          return [path, status, headers.get('content-type')];
        },
      ),
    );
    deepStrictEqual(types, [
      ['/', 200, 'text/html; charset=utf-8'],
      ['/sw.js', 200, 'application/javascript; charset=utf-8'],
      ['/docs/', 200, 'text/html; charset=utf-8'],
      ['/docs/static/swagger-ui.css', 200, 'text/css; charset=utf-8'],
      ['/client/beckon.py', 200, 'text/x-python; charset=utf-8'],
      ['/client/beckon.d.ts', 200, 'text/plain; charset=utf-8'],
    ]);
  });

  test('beckon ask of the same account asks the hub of its home, and prints the answer', async () => {
    const saying = run(beckon('ask', 'Ship it?'), { ...env, BECKON_URL: hub.url });
    const [inquiry] = await asked(hub, owner);
    await answer(hub, owner, inquiry, { text: 'After lunch' });
    deepStrictEqual([inquiry.source.name, inquiry.prompt, await saying], ['Command line', 'Ship it?', 'After lunch\n']);
  });

  test('a form is checked against its JSON Schema', async () => {
    const schema = { type: 'object', properties: { day: { type: 'string', maxLength: 3 } }, required: ['day'] };
    const questions = [{ id: 'when', type: 'form', prompt: 'When?', schema }];
    const inquiry = await must<Parameters<typeof answer>[2]>(hub, 'POST /v1/inquiries', {
      token: key,
      body: { questions },
    });
    const given = (day: string) =>
      call<{ code?: string }>(hub, `POST /v1/inquiries/${inquiry.id}/answer`, {
        token: owner.token,
        body: { values: { when: { day } } },
      });
    deepStrictEqual([(await given('Monday')).status, (await given('Mon')).status], [422, 200]);
  });

  test('beckon gate holds a call of a local MCP server', async (t) => {
    const client = await connect(t, 'gate', '--ask', 'echo', '--', ...CHILD.everything);
    const calling = client.callTool({ name: 'echo', arguments: { message: 'one' } }, KEEPS);
    const [inquiry] = await asked(hub, owner);
    await decide(hub, owner, inquiry, { type: 'edit', args: { message: 'two' } });
    match(JSON.stringify((await calling).content), /Echo: two/);
  });

  test('a wrapped server gets the DATA_DIR that its client set, and not the one of the hub', async () => {
    const says = ['--', 'node', '-e', 'process.exit(process.env.DATA_DIR === undefined ? 3 : 4)'];
    const codeWith = async (set: Record<string, string>) =>
      (await new Program(beckon('gate', ...says), { ...env, ...set }).ended).code;
    deepStrictEqual([await codeWith({}), await codeWith({ DATA_DIR: folder })], [3, 4]);
  });

  test('beckon mcp is the hub as a local MCP server', async (t) => {
    const client = await connect(t, 'mcp');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    strictEqual(client.getServerVersion()?.version, version);
    const calling = client.callTool({ name: 'send_inquiry', arguments: { prompt: 'Which city?' } }, KEEPS);
    const [inquiry] = await asked(hub, owner);
    await answer(hub, owner, inquiry, { text: 'Lisbon' });
    deepStrictEqual((await calling).content, [{ type: 'text', text: 'Lisbon' }]);
  });
});
