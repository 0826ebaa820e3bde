import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { asked, answer, decide } from './gate/people.ts';
import { CHILD } from './gate/wrapped.ts';
import { snippet } from './guides/snippets.ts';
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
    program = new Program(beckon(), { ...env, PORT: port, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
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

  // infra/README.md > As a service, and infra/upgrading.md > As a service: all but the account and systemd itself.
  test('the service’s steps install the file, and its unit starts, is upgraded and stops as they say', async (t) => {
    const system = join(folder, 'system');
    const elsewhere = join(folder, 'elsewhere');
    for (const made of ['opt', 'etc/systemd/system', 'var/lib/beckon'])
      mkdirSync(join(system, made), { recursive: true });
    const here = (text: string): string =>
      text
        .replaceAll(/sudo (-u beckon )?/g, '')
        .replaceAll(/(^|[ =])(\/(?:opt|etc|var)\/)/gm, `$1${system}$2`)
        .replaceAll(/\.\/beckon-[\d.]+\.tgz/g, join(folder, 'beckon-*.tgz'));
    const steps = (name: string) => here(snippet(name)).trim().split('\n');
    const isFor =
      (...commands: string[]) =>
      (step: string) =>
        commands.some((one) => step.startsWith(one));
    const sh = (some: string[]) => run(['sh', '-ec', some.join('\n')], { ...env, npm_config_offline: 'true' });

    const guide = steps('infra/README.md > As a service > sh 0');
    const [link = '', ...none] = guide.filter(isFor('cat '));
    const before = guide.filter((step) => !isFor('cat ', 'useradd ', 'systemctl ')(step));
    deepStrictEqual([guide.length, before.length, none], [7, 4, []]);
    await sh(before);
    const unit = readFileSync(join(system, 'etc/systemd/system/beckon.service'), 'utf8');
    const set = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=-?(.*)$`, 'gm'))].map(([, value = '']) => here(value));
    const given = [
      ...set('Environment').join(' ').split(' '),
      ...readFileSync(set('EnvironmentFile')[0] ?? '', 'utf8')
        .trim()
        .split('\n'),
    ];
    const port = String(await freePort());
    const settings = { ...env, ...Object.fromEntries(given.map((pair) => pair.split('=', 2))), PORT: port };
    const started = () =>
      new Program(['env', '-C', ...set('WorkingDirectory'), ...set('ExecStart').join(' ').split(' ')], settings);
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );

    let service = started();
    t.after(() => service.end('SIGTERM'));
    await until('the service', ready, 60_000);
    // It is written a moment after the port is open.
    await until('its link', async () => existsSync(join(system, 'var/lib/beckon/sign-in-link')));
    match(await sh([link]), /^https:\/\/beckon\.example\.com\//);
    const upgrade = steps('infra/upgrading.md > As a service > sh 0').filter((step) => !step.startsWith('systemctl '));
    deepStrictEqual(
      upgrade.map((step) => step.split(' ')[0]),
      ['env', 'npm', 'curl'],
    );
    const [backup = '', install = '', look = ''] = upgrade;
    await sh([backup]);
    deepStrictEqual((await service.end('SIGTERM')).code, 0);
    await sh([install]);
    service = started();
    await until('the service', ready, 60_000);
    match(await sh([look.replaceAll('4275', port)]), /"status":"ok","version":"[\d.]+"/);
    deepStrictEqual(globSync('*.sqlite', { cwd: join(system, 'var/lib/beckon') }).toSorted(), [
      'beckon.sqlite',
      'before-0.2.0.sqlite',
    ]);
    deepStrictEqual(globSync('*', { cwd: elsewhere }), []);
  });

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

  test('spans that are asked for without OpenTelemetry beside it cost one sentence that says what to install, and the hub runs', () => {
    const said = program.err.split('\n').filter((line) => line.includes('OpenTelemetry'));
    deepStrictEqual(
      said.map((line) => (JSON.parse(line) as { msg: string }).msg),
      [
        'OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed beside the hub, so no spans are exported: ' +
          'npm install @opentelemetry/resources@3 @opentelemetry/sdk-trace@3 @opentelemetry/exporter-trace-otlp-http@0.301',
      ],
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
    // It was started by its name, so that is what the page's lines call it.
    match(await (await fetch(`${hub.url}/connect`)).text(), /<html data-command="beckon" /);
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
