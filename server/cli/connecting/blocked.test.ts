import { deepStrictEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { listAgents } from './agents.ts';
import { findBlockers } from './blocked.ts';

const LINE = { url: 'https://beckon.example.com', key: `bks_${'k'.repeat(43)}` };
/** Files below a root that holds the system's, the user's home and a project; and what is to be found. */
type Case = { agent: string; files: Record<string, object | string>; found: [setting: string, file: string][] };
const USER = { claude: 'home/.claude/settings.json', gemini: 'home/.gemini/settings.json' };
const MANAGED = 'etc/claude-code/managed-settings.json';
const off = { hooksConfig: { enabled: false } };

const CASES: Record<string, Case> = {
  'claude: nothing': { agent: 'claude', files: { [USER.claude]: { theme: 'dark' } }, found: [] },
  'claude: all hooks off in any of its files': {
    agent: 'claude',
    files: {
      [USER.claude]: { disableAllHooks: true },
      'home/project/.claude/settings.json': { disableAllHooks: true },
      'home/project/.claude/settings.local.json': { disableAllHooks: false },
    },
    found: [['disableAllHooks', USER.claude]],
  },
  'claude: all hooks off in the project, or only above it': {
    agent: 'claude',
    files: {
      'home/project/.claude/settings.local.json': { disableAllHooks: true },
      'home/project/sub/.claude/settings.json': { disableAllHooks: 'yes' },
    },
    found: [
      ['disableAllHooks', 'home/project/.claude/settings.local.json'],
      ['disableAllHooks', 'home/project/sub/.claude/settings.json'],
    ],
  },
  'claude: what an operator says, in any of the files': {
    agent: 'claude',
    files: {
      [MANAGED]: { allowManagedHooksOnly: true },
      'etc/claude-code/managed-settings.d/10-a.json': { strictPluginOnlyCustomization: ['skills', 'hooks'] },
      'etc/claude-code/managed-settings.d/.b.json': '{ no JSON',
      'home/.claude/remote-settings.json': { settings: { disableAllHooks: true } },
    },
    found: [
      ['disableAllHooks', 'home/.claude/remote-settings.json'],
      ['allowManagedHooksOnly', MANAGED],
      ['strictPluginOnlyCustomization', 'etc/claude-code/managed-settings.d/10-a.json'],
    ],
  },
  'claude: what counts in managed files alone is said elsewhere': {
    agent: 'claude',
    files: { [USER.claude]: { allowManagedHooksOnly: true, strictPluginOnlyCustomization: true } },
    found: [],
  },
  'claude: addresses without this hub, joined over the files': {
    agent: 'claude',
    files: {
      [USER.claude]: {
        allowedHttpHookUrls: ['https://hooks.example.com/*', 'https://*.example.org', 'https://beckon.example.com/'],
      },
      'home/project/.claude/settings.json': { allowedHttpHookUrls: ['http://beckon.example.com/*'] },
    },
    found: [['allowedHttpHookUrls', USER.claude]],
  },
  'claude: addresses with this hub': {
    agent: 'claude',
    files: {
      [USER.claude]: { allowedHttpHookUrls: [] },
      [MANAGED]: { allowedHttpHookUrls: ['https://*.example.com/v1/*'], httpHookAllowedEnvVars: ['BECKON_KEY'] },
    },
    found: [],
  },
  'claude: names of the environment without that of the key': {
    agent: 'claude',
    files: { [MANAGED]: { httpHookAllowedEnvVars: ['OTHER'], allowedHttpHookUrls: ['https://BECKON.example.com'] } },
    found: [['httpHookAllowedEnvVars', MANAGED]],
  },
  'claude: a mode without hooks, in the environment that a file sets': {
    agent: 'claude',
    files: {
      [USER.claude]: { env: { CLAUDE_CODE_SIMPLE: '0' } },
      'home/project/.claude/settings.json': { env: { CLAUDE_CODE_SAFE_MODE: '1' } },
    },
    found: [['env.CLAUDE_CODE_SAFE_MODE', 'home/project/.claude/settings.json']],
  },
  'codex: hooks off, by the name of today or by that of before': {
    agent: 'codex',
    files: {
      'home/project/.codex/config.toml': '[features]\nhooks = false\n',
      'home/project/sub/.codex/config.toml': '[features]\ncodex_hooks = false\n',
    },
    found: [
      ['features.hooks', 'home/project/.codex/config.toml'],
      ['features.codex_hooks', 'home/project/sub/.codex/config.toml'],
    ],
  },
  'codex: the name of today counts before that of before': {
    agent: 'codex',
    files: { 'home/.codex/config.toml': '[features]\nhooks = true\ncodex_hooks = false\n' },
    found: [],
  },
  'codex: the very hook off, and hooks of operators alone': {
    agent: 'codex',
    files: {
      'home/.codex/config.toml':
        '[hooks.state."ROOT/home/.codex/config.toml:permission_request:0:0"]\nenabled = false\n',
      'etc/codex/requirements.toml': 'allow_managed_hooks_only = true\n',
    },
    found: [
      ['allow_managed_hooks_only', 'etc/codex/requirements.toml'],
      ['hooks.state.ROOT/home/.codex/config.toml:permission_request:0:0.enabled', 'home/.codex/config.toml'],
    ],
  },
  'gemini: hooks off for the user, though the project says on': {
    agent: 'gemini',
    files: { [USER.gemini]: off, 'home/project/.gemini/settings.json': { hooksConfig: { enabled: true } } },
    found: [['hooksConfig.enabled', USER.gemini]],
  },
  'gemini: hooks off in the project': {
    agent: 'gemini',
    files: { 'home/project/.gemini/settings.json': off },
    found: [['hooksConfig.enabled', 'home/project/.gemini/settings.json']],
  },
  'gemini: hooks off by the system, before what its user says': {
    agent: 'gemini',
    files: { [USER.gemini]: { hooksConfig: { enabled: true } }, 'etc/gemini-cli/settings.json': off },
    found: [['hooksConfig.enabled', 'etc/gemini-cli/settings.json']],
  },
  'gemini: a default of the system that its user overrides': {
    agent: 'gemini',
    files: { 'etc/gemini-cli/system-defaults.json': off, [USER.gemini]: { hooksConfig: { enabled: true } } },
    found: [],
  },
  'cursor: no hook of it is known': { agent: 'cursor', files: { 'home/.cursor/mcp.json': {} }, found: [] },
};

for (const [what, { agent, files, found }] of Object.entries(CASES))
  test(`${what}`, async (t) => {
    const { root, blockers } = placeOf(t, agent, files);
    deepStrictEqual(
      await blockers(),
      found.map(([setting, file]) => `"${setting.replace('ROOT', root)}" in ${join(root, file)}`),
    );
  });

test('gemini: the very hook off, by its command', async (t) => {
  const { part, blockers, root } = placeOf(t, 'gemini', {});
  const { hooks } = JSON.parse(part.put('', LINE)) as { hooks: { BeforeTool: [{ hooks: [{ command: string }] }] } };
  const { command } = hooks.BeforeTool[0].hooks[0];
  write(root, { 'home/project/.gemini/settings.json': { hooksConfig: { disabled: [command] } } });
  deepStrictEqual(await blockers(), [`"hooksConfig.disabled" in ${join(root, 'home/project/.gemini/settings.json')}`]);
});

test('a file that is damaged, no text, or that nobody may read is named, and is never taken for one that allows', async (t) => {
  const { root, blockers } = placeOf(t, 'claude', {
    [MANAGED]: '{\n  "disableAllHooks": tru\n}',
    'home/project/.claude/settings.json': '[]',
    'home/project/sub/.claude/settings.json/x': '',
  });
  deepStrictEqual(await blockers(), [
    `${join(root, 'home/project/.claude/settings.json')}, which cannot be read: it holds no object`,
    `${join(root, 'home/project/sub/.claude/settings.json')}, which cannot be read: EISDIR: illegal operation on a directory, read`,
    `${join(root, MANAGED)}, which cannot be read: line 2 is no JSON`,
  ]);
});

test('claude: what the shell sets blocks too, where no file sets it otherwise', async (t) => {
  const env = { CLAUDE_CODE_SIMPLE: '1', CLAUDE_CODE_SAFE_MODE: '0' };
  const { blockers } = placeOf(t, 'claude', {}, env);
  deepStrictEqual(await blockers(), ['"env.CLAUDE_CODE_SIMPLE" in the environment']);
  const files = { [USER.claude]: { env: { CLAUDE_CODE_SIMPLE: '0' } } };
  deepStrictEqual(await placeOf(t, 'claude', files, env).blockers(), []);
});

for (const text of ['{\n  // mine\n  "a": 1\n}', '{ "a": 1, }'])
  test(`claude: a file of which Claude Code loads nothing runs no hook: ${JSON.stringify(text)}`, async (t) => {
    const { root, blockers } = placeOf(t, 'claude', { [USER.claude]: text });
    deepStrictEqual(await blockers(), [
      `${join(root, USER.claude)}, which cannot be read: with its comment or last comma Claude Code loads none of it`,
    ]);
  });

function write(root: string, files: Record<string, object | string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(
      join(root, name),
      typeof content === 'string' ? content.replace('ROOT', root) : JSON.stringify(content),
    );
  }
}

/** A machine with these files, on which the agent is connected, seen from a folder of a project. */
function placeOf(t: TestContext, agent: string, files: Record<string, object | string>, more: object = {}) {
  const root = mkdtempSync(join(tmpdir(), 'beckon-blocked-'));
  t.after(() => rmSync(root, { recursive: true }));
  write(root, files);
  const env = { HOME: join(root, 'home'), ...more };
  const parts = listAgents(env)[agent]?.parts ?? [];
  const textOf = (file: string): string => {
    const own = files[file.slice(root.length + 1)] ?? '';
    return typeof own === 'string' ? own.replace('ROOT', root) : JSON.stringify(own);
  };
  const texts = Object.fromEntries(parts.map((part) => [part.file, part.put(textOf(part.file), LINE)]));
  const place = { env, folder: join(root, 'home/project/sub'), root };
  const [part = { put: () => '' }] = parts.filter(({ own }) => !own);
  return { root, part, blockers: () => findBlockers(agent, place, texts) };
}
