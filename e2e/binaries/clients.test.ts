import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import { answer, asked } from '../gate/people.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { Program } from '../hub/process.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a person says to each question of a program, in turn, and what the program prints of it. */
const ANSWERS: AnswerBody[] = [
  { text: 'After lunch' },
  { decisions: [{ type: 'approve' }] },
  { decisions: [{ type: 'reject', message: 'No.' }] },
  { values: { choice: 'staging' } },
];
const PRINTED = ['After lunch', true, false, 'staging'];

const MODULES = ['langchain', 'deepagents', 'openai_agents', 'receipt'];
const THREADED = `
import json
from beckon import approve, ask, choose
refund = {"cents": 1}
print(json.dumps([ask("Ship it?"), approve("refund", refund), approve("refund", refund), choose("Where?", ["prod", "staging"])]))
`;
const COROUTINE = `
import asyncio, json
from beckon import AsyncClient
async def main():
    hub, refund = AsyncClient(), {"cents": 1}
    said = [await hub.ask("Ship it?"), await hub.approve("refund", refund), await hub.approve("refund", refund)]
    print(json.dumps([*said, await hub.choose("Where?", ["prod", "staging"])]))
asyncio.run(main())
`;
const TYPED = `
import { approve, ask, choose } from '@beckon/client';
const refund = { cents: 1 };
const said: string = await ask('Ship it?');
const [one, two]: boolean[] = [await approve('refund', refund), await approve('refund', refund)];
const where: 'prod' | 'staging' = await choose('Where?', ['prod', 'staging']);
// @ts-expect-error -- what was not offered cannot be chosen
const never = () => where === 'moon';
console.log(JSON.stringify([said, one, two, where]));
`;
const COMPILER = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    types: [],
  },
  files: ['use.mts'],
};
/** The oldest Node that the package names, whatever this machine has. */
const OLD_NODE = '20.20.2';

describe('clients installed from their files, in an empty folder with an empty home', { timeout: 240_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-clients-'));
    for (const made of ['home', 'files', 'empty']) mkdirSync(join(folder, made));
    hub = await startHub();
    owner = await ownerDevice(hub);
    const { key } = await addSource(hub, owner, 'Installed');
    const { PATH } = process.env;
    env = { HOME: join(folder, 'home'), PATH, BECKON_URL: hub.url, BECKON_KEY: key };
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function run(command: string[], environment = env): Promise<string> {
    const { code, out, err } = await new Program(['env', '-C', join(folder, 'empty'), ...command], environment).ended;
    strictEqual(code, 0, out + err);
    return out.trim();
  }

  /** Runs a program whose questions the owner answers one after the other. */
  async function answered(command: string[]): Promise<unknown> {
    const printing = run(command);
    for (const said of ANSWERS) {
      const [inquiry] = await Promise.race([asked(hub, owner), printing.then((out) => Promise.reject(new Error(out)))]);
      await answer(hub, owner, inquiry, said);
    }
    return JSON.parse(await printing);
  }

  test('[DIA1] the wheel, by pip without an index, asks for threads and for asyncio', async () => {
    const files = join(folder, 'files');
    // A manager of versions finds its Python by the home.
    const python = await run(['python3', '-c', 'import sys; print(sys.executable)'], process.env);
    const wheel = await run([python, join(ROOT, 'infra/pack/wheel.py'), files]);
    await run([python, '-m', 'venv', 'venv']);
    const inVenv = join(folder, 'empty/venv/bin/python');
    await run([inVenv, '-m', 'pip', 'install', '--quiet', '--no-index', wheel]);
    await run([inVenv, '-m', 'pip', 'check']);
    // Their frameworks are not here: e2e/frameworks/python.test.ts runs them on stand-ins.
    const found = `import importlib.util as u; print(*[one for one in ${JSON.stringify(MODULES)} if u.find_spec("beckon." + one)])`;
    strictEqual(await run([inVenv, '-I', '-c', found]), MODULES.join(' '));
    deepStrictEqual(await answered([inVenv, '-I', '-c', THREADED]), PRINTED);
    deepStrictEqual(await answered([inVenv, '-I', '-c', COROUTINE]), PRINTED);
  });

  test('[DIA1] @beckon/client, by npm without a registry, compiles strictly and asks on Node 20', async () => {
    const [empty, old] = [join(folder, 'empty'), join(folder, 'old')];
    mkdirSync(old);
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run(['npm', 'install', ...quiet, '--prefix', old, `node@${OLD_NODE}`], process.env);
    await run([process.execPath, join(ROOT, 'infra/pack/client.ts'), join(folder, 'files')]);
    const [file = ''] = globSync('beckon-client-*.tgz', { cwd: join(folder, 'files') });
    await run(['npm', 'install', ...quiet, '--offline', join(folder, 'files', file)]);
    writeFileSync(join(empty, 'use.mts'), TYPED);
    writeFileSync(join(empty, 'tsconfig.json'), JSON.stringify(COMPILER));
    await run([join(ROOT, 'node_modules/.bin/tsc'), '-p', '.']);
    deepStrictEqual(await answered([join(old, 'node_modules/node/bin/node'), 'use.mjs']), PRINTED);
    deepStrictEqual(globSync('node_modules/**/package.json', { cwd: empty }), [
      'node_modules/@beckon/client/package.json',
    ]);
  });
});
