import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Source } from '#shared/wire.ts';
import { asked, answer } from './gate/people.ts';
import { must } from './hub/call.ts';
import { environment, type Hub, runCommand, startHub } from './hub/hub.ts';
import { addSource, type Device, ownerDevice } from './hub/people.ts';

const SETTINGS = '{\n  // mine\n  "model": "x",\n  "hooks": {\n    "Stop": [{ "hooks": [] }]\n  }\n}\n';
const FILES: Record<string, Record<string, string>> = {
  // Claude Code loads nothing of settings with a comment.
  claude: {
    '.claude/settings.json': SETTINGS.replace('  // mine\n', ''),
    '.claude.json': '{"numStartups":3,"mcpServers":{"own":{"url":"u"}}}',
  },
  codex: { '.codex/config.toml': 'model = "x" # mine\n\n[mcp_servers.own]\nurl = "u"' },
  gemini: { '.gemini/settings.json': SETTINGS },
  cursor: { '.cursor/mcp.json': '{\r\n\t"mcpServers": {}, // none yet\r\n}\r\n' },
  vscode: { '.config/Code/User/mcp.json': '{\n\t"servers": { "own": { "url": "u" } },\n\t"inputs": [],\n}\n' },
  opencode: { '.config/opencode/opencode.jsonc': '{\n  // mine\n  "model": "x",\n}\n' },
  windsurf: { '.codeium/windsurf/mcp_config.json': '{"mcpServers":{}}' },
  copilot: { '.copilot/mcp-config.json': '{\n  "mcpServers": {}\n}\n' },
};
const MADE: Record<string, string[]> = {
  claude: ['.claude.json', '.claude/settings.json'],
  codex: ['.codex/beckon-key', '.codex/config.toml'],
  gemini: ['.gemini/beckon-key', '.gemini/settings.json'],
  cursor: ['.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json'],
  opencode: ['.config/opencode/opencode.json'],
  windsurf: ['.codeium/windsurf/mcp_config.json'],
  copilot: ['.copilot/mcp-config.json'],
};

describe('beckon connect', { timeout: 240_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let key: string;
  let home: string;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Coder'));
  });
  after(() => hub?.remove());
  beforeEach((t) => {
    home = mkdtempSync(join(tmpdir(), 'beckon-home-'));
    const made = home;
    (t as { after(done: () => void): void }).after(() => rmSync(made, { recursive: true }));
  });

  const connect = (args: string[], env: Record<string, string> = { BECKON_URL: hub.url, BECKON_KEY: key }) =>
    runCommand(['connect', ...args], environment({ HOME: home, ...env }));
  const onHubsMachine = () => ({ DATA_DIR: hub.dataDir, PORT: new URL(hub.url).port });
  const files = () =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
      .toSorted();
  const read = (file: string) => readFileSync(join(home, file), 'utf8');
  const modeOf = (file: string) => statSync(join(home, file)).mode & 0o777;
  function write(file: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
    chmodSync(join(home, file), mode);
  }

  for (const [agent, texts] of Object.entries(FILES)) {
    test(`${agent}: what it puts in only its user can read, and --remove leaves every file as it was`, async () => {
      for (const [file, text] of Object.entries(texts)) write(file, text);
      // opencode reads either file; the one that is there is changed.
      const changed = agent === 'opencode' ? Object.keys(texts) : (MADE[agent] ?? []);
      const made = await connect([agent, '--yes', '--no-test']);
      strictEqual(made.code, 0, made.err);
      deepStrictEqual(
        changed.map((file) => [file, modeOf(file), made.out.includes(`+++ ${join(home, file)}`)]),
        changed.map((file) => [file, 0o600, true]),
      );
      deepStrictEqual([changed.some((file) => read(file).includes(key)), made.out.includes(key)], [true, false]);
      match((await connect([agent, '--yes', '--no-test'])).out, /^There is nothing to change\./);
      match((await connect([agent, '--remove', '--yes'])).out, /is no longer connected\.\nIts key still works;/);
      deepStrictEqual(
        files().map((file) => [file, read(file), modeOf(file)]),
        Object.entries(texts)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([file, text]) => [file, text, 0o644]),
      );
    });

    test(`${agent}: files that it makes itself are gone after --remove`, async () => {
      await connect([agent, '--yes', '--no-test']);
      deepStrictEqual(files(), MADE[agent]);
      await connect([agent, '--remove', '--yes']);
      deepStrictEqual(files(), []);
    });
  }

  test('claude: what it wrote in between stays, and --remove leaves no word of Beckon, also in an older copy', async () => {
    await connect(['claude', '--yes', '--no-test']);
    const rewrite = (file: string, added: object) =>
      write(file, JSON.stringify({ ...added, ...(JSON.parse(read(file)) as object) }));
    for (const file of MADE['claude'] ?? []) rewrite(file, { theme: 'dark' });
    const connected = read('.claude/settings.json');
    write('.claude/settings.json.before-beckon', connected);
    await connect(['claude', '--yes', '--no-test']);
    for (const file of MADE['claude'] ?? []) rewrite(file, { numStartups: 4 });
    match((await connect(['claude', '--remove', '--yes'])).out, /is no longer connected\./);
    deepStrictEqual(
      files().map((file) => [file, JSON.parse(read(file))]),
      [
        ['.claude.json', { numStartups: 4, theme: 'dark' }],
        ['.claude/settings.json', { numStartups: 4, theme: 'dark' }],
        ['.claude/settings.json.before-beckon', { theme: 'dark' }],
      ],
    );
    write('.claude/settings.json.before-beckon', connected);
    match((await connect(['claude', '--remove', '--yes'])).out, /^There is nothing to change\./);
    strictEqual(read('.claude/settings.json.before-beckon').includes(key), false);
  });

  test('--list says which agents are connected, to which hub and where, and shows no key', async () => {
    for (const agent of ['claude', 'gemini', 'vscode']) await connect([agent, '--yes', '--no-test']);
    rmSync(join(home, '.claude.json'));
    write('.cursor/mcp.json', '{ no JSON');
    const { code, out } = await connect(['--list', '--json'], {});
    const at = (...paths: string[]) => paths.map((file) => join(home, file));
    deepStrictEqual([code, out.includes(key)], [0, false]);
    deepStrictEqual((JSON.parse(out) as { items: object[] }).items, [
      { agent: 'claude', connected: 'in part', hub: hub.url, files: at('.claude/settings.json') },
      { agent: 'codex', connected: 'no', files: [] },
      { agent: 'gemini', connected: 'yes', hub: hub.url, files: at('.gemini/beckon-key', '.gemini/settings.json') },
      { agent: 'cursor', connected: 'unreadable', files: [] },
      { agent: 'vscode', connected: 'yes', hub: hub.url, files: at('.config/Code/User/mcp.json') },
      { agent: 'opencode', connected: 'no', files: [] },
      { agent: 'windsurf', connected: 'no', files: [] },
      { agent: 'copilot', connected: 'no', files: [] },
    ]);
    match((await connect(['--list'], {})).out, /^AGENT +CONNECTED +HUB +FILES\nclaude +in part +http/);
    strictEqual((await connect([], {})).code, 2);
    strictEqual((await connect(['claude', '--list'], {})).code, 2);
  });

  test('[DIA5] settings that keep the hooks from running are named, before anything is written and by --list', async () => {
    const managed = { BECKON_URL: hub.url, BECKON_KEY: key, CLAUDE_CODE_MANAGED_SETTINGS_PATH: join(home, 'managed') };
    write('managed/managed-settings.json', '{"allowManagedHooksOnly":true}');
    write('.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }');
    write('.codex/config.toml', '[features]\nhooks = false\n');
    const before = files();
    const refused = await Promise.all(
      ['claude', 'codex', 'gemini'].map((agent) => connect([agent, '--yes', '--no-test'], managed)),
    );
    const at = (file: string) => join(home, file);
    deepStrictEqual(
      refused.map(({ code, err }) => [code, err.replace(/^Nothing was written: .* It is /, '')]),
      [
        [2, `blocked by "allowManagedHooksOnly" in ${at('managed/managed-settings.json')}.\n`],
        [2, `blocked by "features.hooks" in ${at('.codex/config.toml')}.\n`],
        [2, `blocked by "hooksConfig.enabled" in ${at('.gemini/settings.json')}.\n`],
      ],
    );
    deepStrictEqual(files(), before);
    await connect(['claude', '--yes', '--no-test']);
    write('managed/managed-settings.json', '{ no JSON');
    const { items } = JSON.parse((await connect(['--list', '--json'], managed)).out) as { items: object[] };
    deepStrictEqual(items[0], {
      agent: 'claude',
      connected: 'blocked',
      hub: hub.url,
      files: [at('.claude/settings.json'), at('.claude.json')],
      blockedBy: [`${at('managed/managed-settings.json')}, which cannot be read: line 1 is no JSON`],
    });
    match(
      (await connect(['--list'], managed)).out,
      /\nclaude runs no hook of Beckon here: it is blocked by .*JSON\.\n$/,
    );
    match((await connect(['claude', '--remove', '--yes'], managed)).out, /is no longer connected\./);
  });

  test('on the machine of the hub it makes the key, once, and a test question arrives', async () => {
    const connecting = connect(['cursor', '--yes'], onHubsMachine());
    const [inquiry] = await asked(hub, owner);
    strictEqual(inquiry.prompt ?? inquiry.title, 'Cursor is connected. Can you read this?');
    await answer(hub, owner, inquiry, { values: { seen: 'yes' } });
    const { code, out } = await connecting;
    deepStrictEqual([code, out.includes('It was answered.')], [0, true]);
    strictEqual((await connect(['cursor', '--yes', '--no-test'], onHubsMachine())).code, 0);
    const made = async () => {
      const { items } = await must<{ items: Source[] }>(hub, 'GET /v1/sources', { token: owner.token });
      return items.filter(({ name }) => name.startsWith('Cursor')).map(({ id }) => id);
    };
    deepStrictEqual(await made(), [inquiry.source.id]);
    const shared = { ...onHubsMachine(), BECKON_KEY: /bks_[\w-]+/.exec(read('.cursor/mcp.json'))?.[0] ?? '' };
    await connect(['gemini', '--yes', '--no-test'], shared);
    match(
      (await connect(['gemini', '--remove', '--yes', '--revoke'], onHubsMachine())).out,
      /\nIts key was not revoked: Cursor uses it too\.\n$/,
    );
    deepStrictEqual(await made(), [inquiry.source.id]);
    const removed = await connect(['cursor', '--remove', '--yes', '--revoke'], onHubsMachine());
    match(removed.out, /\nThe key of "Cursor, .*" is revoked\.\n$/);
    deepStrictEqual(await made(), []);
    match((await connect(['cursor', '--remove', '--revoke', '--yes'])).err, /^No key stands there any more/);
  });

  test('settings that are a link elsewhere stay one', async () => {
    write('dotfiles/mcp.json', '{}\n');
    mkdirSync(join(home, '.cursor'));
    symlinkSync(join(home, 'dotfiles/mcp.json'), join(home, '.cursor/mcp.json'));
    await connect(['cursor', '--yes', '--no-test']);
    const isLink = () => lstatSync(join(home, '.cursor/mcp.json')).isSymbolicLink();
    deepStrictEqual([isLink(), read('dotfiles/mcp.json').includes(key)], [true, true]);
    await connect(['cursor', '--remove', '--yes']);
    deepStrictEqual([isLink(), read('dotfiles/mcp.json'), modeOf('dotfiles/mcp.json')], [true, '{}\n', 0o644]);
  });

  const REFUSED: Record<
    string,
    { agent: string; args?: string[]; env?: Record<string, string>; text?: string; mode?: number; says: RegExp }
  > = {
    'no valid JSON': {
      agent: 'claude',
      text: '{\n  "a": 1,,\n}',
      says: /settings\.json was not changed: line 2 is no JSON\.\n$/,
    },
    'no valid TOML': {
      agent: 'codex',
      text: 'a = 1\nb = \n',
      says: /config\.toml was not changed: line 2 is no TOML\.\n$/,
    },
    'a server of this name': {
      agent: 'codex',
      text: '[mcp_servers.beckon]\nurl = "u"\n',
      says: /has a server or a hook of its own there/,
    },
    'a list where an object belongs': { agent: 'gemini', text: '{ "hooks": [] }', says: /line 1 holds no object\.\n$/ },
    'a read-only file': {
      agent: 'cursor',
      text: '{}',
      mode: 0o444,
      says: /mcp\.json was not changed: it is read-only\.\n$/,
    },
    'hooks that its user switched off': {
      agent: 'claude',
      text: '{ "disableAllHooks": true }',
      says: /^Nothing was written: Claude Code would run no hook of Beckon here\. It is blocked by "disableAllHooks" in .*settings\.json\.\n$/,
    },
    'a comment, with which Claude Code loads no hook': {
      agent: 'claude',
      text: '{\n  // mine\n  "a": 1\n}\n',
      says: /settings\.json, which cannot be read: with its comment or last comma Claude Code loads none of it\.\n$/,
    },
    'no yes': { agent: 'cursor', args: [], text: '{}', says: /^Nothing was written: say --yes/ },
    'a key that the hub does not know': {
      agent: 'cursor',
      env: { BECKON_KEY: `bks_${'x'.repeat(43)}` },
      says: /does not know this BECKON_KEY\.\n$/,
    },
    'the token of a device': {
      agent: 'claude',
      env: { BECKON_KEY: `bkd_${'d'.repeat(43)}` },
      says: /^This BECKON_KEY is no key of a source, /,
    },
    'the key of a connection': {
      agent: 'codex',
      env: { BECKON_KEY: `bki_${'d'.repeat(43)}` },
      says: /^This BECKON_KEY is no key of a source, /,
    },
    'more than a key': {
      agent: 'cursor',
      env: { BECKON_KEY: `bks_${'x'.repeat(43)} bkd_y` },
      says: /^This BECKON_KEY is no key of a source, /,
    },
    'a credential in the wrong place': {
      agent: 'cursor',
      env: { BECKON_URL: `bkd_${'d'.repeat(43)}` },
      says: /^BECKON_URL must look like https:\/\/beckon\.example\.com, not bkd_…\.\n$/,
    },
    'a wait that no agent but codex has': {
      agent: 'gemini',
      args: ['--yes', '--wait', '60'],
      says: /^--wait is for codex/,
    },
    'a wait of no seconds': { agent: 'codex', args: ['--yes', '--wait', '0'], says: /^--wait takes seconds/ },
    'an address of no hub': {
      agent: 'cursor',
      args: ['--hub', 'beckon.example.com'],
      says: /^--hub must look like https:/,
    },
    'no hub': {
      agent: 'cursor',
      env: { BECKON_URL: 'http://127.0.0.1:1' },
      says: /^No hub replies at http:\/\/127\.0\.0\.1:1/,
    },
    'an agent that it does not know': {
      agent: 'emacs',
      says: /write claude, .*, vscode, opencode, windsurf, copilot\.\n$/,
    },
  };
  for (const [what, { agent, args = ['--yes'], env = {}, text, mode, says }] of Object.entries(REFUSED))
    test(`${what}: one sentence, and nothing is changed`, async () => {
      const file =
        { claude: '.claude/settings.json', codex: '.codex/config.toml', gemini: '.gemini/settings.json' }[agent] ??
        '.cursor/mcp.json';
      if (text !== undefined) write(file, text, mode);
      const { code, err } = await connect([agent, ...args], {
        BECKON_URL: hub.url,
        BECKON_KEY: key,
        DATA_DIR: home,
        ...env,
      });
      match(err, says);
      deepStrictEqual([code > 0, err.trim().split('\n').length, files()], [true, 1, text === undefined ? [] : [file]]);
      if (existsSync(join(home, file))) strictEqual(read(file), text);
    });
});
