import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { answer, asked } from '../gate/people.ts';
import { ownerDevice } from '../hub/people.ts';
import { type Ended, Program } from '../hub/process.ts';
import { freePort } from '../hub/servers.ts';
import { until } from '../hub/until.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The oldest Node that npm still calls maintained, whatever this machine has. */
const OLD_NODE = '20.20.2';
/** How this machine reaches the registry. */
const WAY =
  /^(node_extra_ca_certs|ssl_cert_(file|dir)|(https?|no)_proxy|npm_config_(registry|cafile|proxy|https_proxy))$/i;

describe(
  'npx with the file of "npm pack", on an old Node, in an empty folder with an empty home',
  { timeout: 300_000 },
  () => {
    let folder: string;
    let env: NodeJS.ProcessEnv;
    let npx: string[];

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'beckon-npx-'));
      for (const made of ['home', 'empty', 'old']) mkdirSync(join(folder, made));
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
      await run(['npm', 'install', ...quiet, '--prefix', join(folder, 'old'), `node@${OLD_NODE}`], process.env);
      await run(['npm', 'pack', ROOT, '--pack-destination', folder], process.env);
      const PATH = [join(folder, 'old/node_modules/node/bin'), process.env['PATH']].join(delimiter);
      const way = Object.entries(process.env).filter(([name]) => WAY.test(name));
      env = {
        ...Object.fromEntries(way),
        HOME: join(folder, 'home'),
        PATH,
        LOG_LEVEL: 'error',
        npm_config_update_notifier: 'false',
      };
      const [tarball = ''] = globSync('beckon-*.tgz', { cwd: folder });
      npx = ['npx', '--yes', '--package', join(folder, tarball), 'beckon'];
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    const inFolder = (command: string[]) => ['env', '-C', join(folder, 'empty'), ...command];

    async function run(command: string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
      const ended = await new Program(inFolder(command), environment).ended;
      strictEqual(ended.code, 0, ended.err);
      return ended;
    }

    test('it fetches the pinned Node once, and asks, shows and prints the answer of one question', async (t) => {
      const first = await run([...npx, '--version'], env);
      match(first.err, /^This is Node v20\.20\.2\. Fetching 24\.\d+\.\d+, once, into \S+ … done\.\n$/);
      deepStrictEqual(await run([...npx, '--version'], env), { ...first, err: '' });

      const port = String(await freePort());
      const hub = { url: `http://127.0.0.1:${port}`, dataDir: join(folder, 'home/.beckon') };
      const program = new Program(inFolder(npx), { ...env, PORT: port });
      t.after(() => program.end('SIGTERM'));
      await until('the hub to say where it is', () => program.out.includes(`open at http://localhost:${port}`), 90_000);
      const owner = await ownerDevice(hub);
      const saying = run([...npx, 'ask', 'Ship it?'], { ...env, BECKON_URL: hub.url });
      const [inquiry] = await asked(hub, owner);
      await answer(hub, owner, inquiry, { text: 'After lunch' });
      deepStrictEqual(await saying, { code: 0, out: 'After lunch\n', err: '' });
      deepStrictEqual([program.err, globSync('*', { cwd: join(folder, 'empty') })], ['', []]);
    });
  },
);
