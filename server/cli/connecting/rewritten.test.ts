import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { listAgents, type Line, type Part } from './agents.ts';
import { write } from './files.ts';
import { valueOf } from './json.ts';

const LINE = { url: 'https://beckon.example.com', key: `bks_${'k'.repeat(43)}` };
const OTHER = { url: 'https://beckon.other.example', key: `bks_${'o'.repeat(43)}` };
const MINE = { hooks: [{ type: 'command', command: 'notify-send done' }] };
const OWN = {
  theme: 'dark',
  hooks: { PermissionRequest: [MINE], BeforeTool: [MINE], Stop: [MINE] },
  env: { A: '1' },
  mcpServers: { own: { url: 'u' } },
  servers: { own: { url: 'u' } },
  mcp: { own: { url: 'u' } },
};
const OWN_TOML = { model: 'x', mcp_servers: { own: { url: 'u' } }, hooks: { PermissionRequest: [MINE] } };
type Json = Record<string, unknown>;
/** How an agent writes its file anew: with what indent, in what order, and what it puts in beside and inside. */
type Rewriting = { indent: number; isTurned: boolean; beside: string; inside: boolean };
const rewritings = fc.record({
  indent: fc.constantFrom(0, 2, 4),
  isTurned: fc.boolean(),
  beside: fc.constantFrom('a', 'zz'),
  inside: fc.boolean(),
});

for (const [name, { parts }] of Object.entries(listAgents({ HOME: '/' }))) {
  const files = parts.filter(({ own }) => !own).map(({ file }) => file);
  test(`${name}: whatever rewrote its files, --remove leaves no word of Beckon and all that is its user's`, async (t) => {
    const cases = [fc.subarray(files), fc.array(rewritings, { minLength: 2, maxLength: 2 }), fc.boolean()] as const;
    await fc.assert(
      fc.asyncProperty(...cases, async (there, [first, second], isOlder) => {
        const home = homeOf(t, name, there);
        await home.connect(LINE);
        if (first) home.rewrite(first);
        if (isOlder) home.copy();
        await home.connect(OTHER);
        if (second) home.rewrite(second);
        await home.remove();
        const wanted = files.map((file) => [file, { ...(there.includes(file) && ownOf(file)), a: 1, zz: 1 }]);
        deepStrictEqual([home.words(), files.map((file) => [file, { ...home.read(file), a: 1, zz: 1 }])], [[], wanted]);
      }),
      { numRuns: 15 },
    );
  });
}

test('claude: a copy of a connected file, made by an earlier version, is never put back and does not stay', async (t) => {
  const home = homeOf(t, 'claude', []);
  await home.connect(LINE);
  home.copy();
  await home.connect(OTHER);
  await home.remove();
  deepStrictEqual(home.files(), []);
});

test('claude: what its user had for themselves before is theirs again, also in a file that was rewritten', async (t) => {
  const home = homeOf(t, 'claude', []);
  const own = { env: { BECKON_KEY: LINE.key }, mcpServers: { beckon: { url: `${LINE.url}/mcp` } } };
  for (const { file } of home.parts) home.write(file, JSON.stringify(own));
  await home.connect(LINE);
  home.rewrite({ indent: 4, isTurned: true, beside: 'a', inside: true });
  await home.remove();
  deepStrictEqual(
    home.parts.map(({ file }) => valueOf(readFileSync(file, 'utf8'))),
    home.parts.map(() => ({ a: 1, ...own })),
  );
  for (const { file } of home.parts) home.write(file, '{"b":1}');
  await home.connect(LINE);
  home.rewrite({ indent: 4, isTurned: true, beside: 'a', inside: true });
  await home.remove();
  deepStrictEqual(home.words(), []);
});

test('codex: what Codex wrote between the lines of connect stays, with each comment, digit and date', async (t) => {
  const home = homeOf(t, 'codex', []);
  const [, part] = home.parts as [Part, Part];
  const own =
    '# mine\nbig = 12345678901234567890\nhalf = 1.0\nday = 2026-11-29\ntext = """\n[mcp_servers.beckon]\n"""\n';
  const trusts = '[hooks.state."/h/config.toml:permission_request:0:0"]\ntrusted_hash = "sha256:1"\n';
  home.write(part.file, own);
  await home.connect(LINE);
  const connected = readFileSync(part.file, 'utf8');
  const sorted = connected.replace(
    /^# The end/m,
    `# a note\n${trusts}\n[projects."/x"]\ntrust_level = "trusted"\n\n$&`,
  );
  for (const text of [sorted, sorted.replaceAll(/^#.*beckon.*\n/gm, ''), sorted.replaceAll('\n', '\r\n')]) {
    home.write(part.file, text);
    await home.remove();
    const left = readFileSync(part.file, 'utf8').replaceAll('\r\n', '\n');
    strictEqual(left.replace(/\n\n$/, '\n'), `${own}# a note\n${trusts}\n[projects."/x"]\ntrust_level = "trusted"\n`);
  }
});

test('codex: a file whose tables were joined into one line loses what is ours and keeps its numbers', async (t) => {
  const home = homeOf(t, 'codex', []);
  const [, part] = home.parts as [Part, Part];
  const hook = '{ type = "command", command = "curl \'https://beckon.example.com/v1/ask/codex-hook?deadline=3600\'" }';
  const server = `{ url = "${LINE.url}/mcp?deadline=3600", http_headers = { Authorization = "Bearer ${LINE.key}" } }`;
  home.write(
    part.file,
    `half = 1.0\nhooks.PermissionRequest = [{ hooks = [${hook}, { command = "own" }] }]\nmcp_servers = { beckon = ${server}, own = { url = "u" } }\n`,
  );
  await home.remove();
  const text = readFileSync(part.file, 'utf8');
  deepStrictEqual(
    [text.startsWith('half = 1.0\n'), plain(parse(text))],
    [
      true,
      { half: 1, hooks: { PermissionRequest: [{ hooks: [{ command: 'own' }] }] }, mcp_servers: OWN_TOML.mcp_servers },
    ],
  );
});

const isToml = (file: string): boolean => file.endsWith('.toml');
const ownOf = (file: string): object => (isToml(file) ? OWN_TOML : OWN);
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** An agent's files in a new folder; those in `there` have their user's own members. */
function homeOf(t: TestContext, name: string, there: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'beckon-rewritten-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const parts = (listAgents({ HOME: '/' })[name]?.parts ?? []).map((part) => ({
    ...part,
    file: join(home, part.file),
  }));
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const read = (file: string): string | undefined => (files().includes(file) ? readFileSync(file, 'utf8') : undefined);
  const files = (): string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  for (const file of there) put(join(home, file), isToml(file) ? stringify(OWN_TOML) : JSON.stringify(OWN));
  const changed = parts.filter(({ own }) => !own);
  const set = async (line: Line | undefined) => {
    for (const part of parts) await write(part, line);
  };
  return {
    parts,
    files,
    write: put,
    connect: set,
    remove: () => set(undefined),
    /** As earlier versions did it for a file that was connected by then. */
    copy: () => changed.forEach(({ file }) => put(`${file}.before-beckon`, read(file) ?? '')),
    rewrite: (how: Rewriting) => changed.forEach(({ file }) => put(file, rewritten(file, read(file) ?? '', how))),
    read: (file: string): Json => {
      const text = read(join(home, file)) ?? '';
      return isToml(file) ? plain(parse(text)) : (valueOf(text) as Json);
    },
    /** The files that say anything of Beckon. */
    words: () => files().filter((file) => /beckon|bks_/i.test(readFileSync(file, 'utf8'))),
  };
}

function rewritten(file: string, text: string, { indent, isTurned, beside, inside }: Rewriting): string {
  const value = isToml(file) ? plain(parse(text)) : valueOf(text);
  const turned = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(turned);
    if (typeof one !== 'object' || one === null) return one;
    const members = Object.entries(one).map(([name, inner]) => [name, turned(inner)] as const);
    const isOurs = inside && JSON.stringify(one).includes('/v1/ask/') && ('command' in one || 'url' in one);
    return { ...Object.fromEntries(isTurned ? members.toReversed() : members), ...(isOurs && { added: 1 }) };
  };
  const whole = { [beside]: 1, ...(turned(value) as Json) };
  return isToml(file) ? stringify(whole) : JSON.stringify(whole, null, indent);
}
