import { deepStrictEqual, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CHECKS, snippet, SNIPPETS } from '../../e2e/guides/snippets.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Says of each of a list of programs in Python, or settings in TOML, what is wrong with it. */
const PARSES = `
import ast, json, sys, tomllib
def fault(one):
    try:
        tomllib.loads(one["code"]) if one["language"] == "toml" else compile(one["code"], one["name"], "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except Exception as error:
        return one["name"] + ": " + str(error)
print(json.dumps([said for one in json.load(open(sys.argv[1])) if (said := fault(one))]))
`;

describe('the blocks of code in README and the guides', { timeout: 120_000 }, () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'beckon-guides-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('each is run by a test, or stands in a whole file that is, or has a reason why it is parsed alone', () => {
    deepStrictEqual(CHECKS.map(([name]) => name).toSorted(), SNIPPETS.map(({ name }) => name).toSorted());
    const faults = CHECKS.flatMap(([name, how, what]) => {
      const [, file = '', words] = /^(\S+?)(?:: (.*))?$/.exec(what) ?? [];
      if (how === 'parsed') return what.includes(' ') ? [] : [`${name}: no reason`];
      const text = readFileSync(join(ROOT, file), 'utf8');
      if (how === 'whole')
        return [text, snippet(name)].every((one) => words && one.includes(words)) ? [] : [`${name}: not in ${file}`];
      const [guide = '', heading = ''] = name.split(' > ');
      return [guide, heading].some((one) => text.includes(one.replace('infra/', '')))
        ? []
        : [`${name}: not in ${file}`];
    });
    deepStrictEqual(faults, []);
  });

  test('each can be parsed', async () => {
    const of = (...languages: string[]) => SNIPPETS.filter(({ language }) => languages.includes(language));
    for (const { code, name } of of('json')) ok(typeof JSON.parse(code) === 'object', name);
    for (const [at, { language, code }] of of('js', 'sh').entries())
      writeFileSync(join(folder, `${at}.${language === 'js' ? 'mjs' : 'sh'}`), code);
    const files = readdirSync(folder);
    const checks = files.map((file) =>
      file.endsWith('.mjs') ? [process.execPath, '--check', file] : ['sh', '-n', file],
    );
    const ended = await Promise.all(checks.map((check) => run(check, { cwd: folder })));
    deepStrictEqual([files.length, ended.filter(({ code }) => code !== 0)], [of('js', 'sh').length, []]);
    writeFileSync(join(folder, 'rest.json'), JSON.stringify(of('python', 'toml')));
    const { out, err } = await run(['python3', '-c', PARSES, 'rest.json'], { cwd: folder });
    deepStrictEqual([out, err], ['[]\n', '']);
    const parsed = new Set(['json', 'js', 'sh', 'python', 'toml', 'sql', 'lua', 'text', '']);
    deepStrictEqual(
      SNIPPETS.filter(({ language }) => !parsed.has(language)),
      [],
    );
  });
});

function run(
  [file = '', ...args]: string[],
  options: { cwd: string },
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) =>
    execFile(file, args, options, (error, out, err) => done({ code: error ? 1 : 0, out, err })),
  );
}
