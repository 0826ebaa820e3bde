import { readdir, readFile, realpath } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { CannotChange } from './cannot-change.ts';
import { valueOf } from './json.ts';
import { readToml } from './toml.ts';

/**
 * A file that an agent reads settings from. `folder`: only what is started there reads it; `isManaged`: an operator's;
 * `isStrict`: with a comment or a last comma none of it is loaded, hooks neither.
 */
type Listed = { file: string; folder?: string; isManaged?: boolean; isStrict?: boolean };
type Layer = Listed & { realFile: string; settings: Table };
type Table = Record<string, unknown>;
type Place = { env: Record<string, string | undefined>; folder: string; root?: string };
/** What one agent reads, the stronger later, and which of its settings keep its hooks from running. */
type Known = {
  list(place: Place & { root: string; home: string }): Listed[];
  find(layers: Layer[], hooks: Hook[]): Found[];
};
type Found = { setting: string; file: string } | undefined;
type Hook = { type?: unknown; url?: unknown; command?: unknown; name?: unknown; allowedEnvVars?: unknown };

const OUR_HOOK = /\/v1\/ask\/(claude|codex|gemini)-hook\?/;

/**
 * What keeps the hooks that `texts` hold from running, each as a sentence's end: a setting and its file, or a file that
 * nobody can read. Files that `texts` has no text of are read as they stand, in this folder and those above it too.
 */
export async function findBlockers(agent: string, place: Place, texts: Record<string, string>): Promise<string[]> {
  const known = KNOWN[agent];
  if (!known) return [];
  const { root = '/', env } = place;
  const listed = known.list({ ...place, root, home: env['HOME'] || homedir() });
  const read = await Promise.all((await withParts(listed)).map((one) => readLayer(one, texts)));
  // What is set in the shell counts where no file sets it.
  const shell: Layer = { file: 'the environment', realFile: '', settings: { env } };
  const layers = [shell, ...read.filter((one) => typeof one !== 'string')];
  const hooks = Object.entries(texts).flatMap(([file, text]) => (isSettings(file) ? hooksIn(parse(file, text)) : []));
  const folders = [undefined, ...new Set(layers.flatMap(({ folder }) => folder ?? []))];
  const found = folders.flatMap((folder) =>
    known.find(
      layers.filter((layer) => layer.folder === undefined || layer.folder === folder),
      hooks.filter((hook) => OUR_HOOK.test(`${String(hook.url)} ${String(hook.command)}`)),
    ),
  );
  const said = found.flatMap((one) => (one ? [`"${one.setting}" in ${one.file}`] : []));
  return [...new Set([...said, ...read.filter((one) => typeof one === 'string')])];
}

const KNOWN: Record<string, Known> = {
  claude: {
    list: ({ env, folder, root, home }) => {
      const user = env['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
      const { CLAUDE_CODE_MANAGED_SETTINGS_PATH: named } = env;
      const system = {
        darwin: '/Library/Application Support/ClaudeCode',
        win32: 'C:\\Program Files\\ClaudeCode',
      };
      const managed = [named, byPlatform(system, join(root, 'etc/claude-code'))].filter((one) => one !== undefined);
      return [
        { file: join(user, 'settings.json'), isStrict: true },
        ...above(folder, ['.claude/settings.json', '.claude/settings.local.json']),
        ...managed.flatMap((at) => ['managed-settings.json', 'managed-settings.d/'].map((name) => join(at, name))),
        join(user, 'remote-settings.json'),
      ].map((one) => (typeof one === 'string' ? { file: one, isManaged: true } : one));
    },
    find: (layers, hooks) => {
      const managed = layers.filter(({ isManaged }) => isManaged);
      const http = hooks.filter(({ type }) => type === 'http');
      const allowed = (name: string, isAllowed: (list: string[]) => boolean) => {
        const [first] = layers.filter(({ settings }) => isSaid(settings[name]));
        const list = layers.flatMap(({ settings }) => listOf(settings[name])).map(String);
        return first && http.length > 0 && !isAllowed(list) ? { setting: name, file: first.file } : undefined;
      };
      return [
        ...[['disableAllHooks'], ['env', 'CLAUDE_CODE_SAFE_MODE'], ['env', 'CLAUDE_CODE_SIMPLE']].map((path) =>
          lastSaid(layers, path, isOn),
        ),
        ...managed.flatMap((one) => [
          lastSaid([one], ['disableAllHooks'], isOn),
          lastSaid([one], ['allowManagedHooksOnly'], isOn),
          lastSaid(
            [one],
            ['strictPluginOnlyCustomization'],
            (value) => value === true || listOf(value).includes('hooks'),
          ),
        ]),
        allowed('allowedHttpHookUrls', (list) =>
          http.every(({ url }) => list.some((pattern) => isMatch(String(url), pattern))),
        ),
        allowed('httpHookAllowedEnvVars', (list) =>
          http.every(({ allowedEnvVars }) => listOf(allowedEnvVars).every((name) => list.includes(String(name)))),
        ),
      ];
    },
  },
  codex: {
    list: ({ env, folder, root, home }) => {
      const user = env['CODEX_HOME'] || join(home, '.codex');
      const system = byPlatform(
        { win32: join(env['ProgramData'] || 'C:\\ProgramData', 'OpenAI', 'Codex') },
        join(root, 'etc/codex'),
      );
      return [
        { file: join(system, 'config.toml') },
        { file: join(user, 'config.toml') },
        ...above(folder, ['.codex/config.toml']),
        { file: join(system, 'managed_config.toml') },
        { file: join(system, 'requirements.toml'), isManaged: true },
      ];
    },
    find: (layers) => [
      // The older name counts where nothing says the newer one.
      lastSaid(layers, ['features', 'hooks'], isOff) ??
        (layers.some(({ settings }) => isSaid(valueAt(settings, ['features', 'hooks'])))
          ? undefined
          : lastSaid(layers, ['features', 'codex_hooks'], isOff)),
      ...layers.map((one) => (one.isManaged ? lastSaid([one], ['allow_managed_hooks_only'], isOn) : undefined)),
      ...layers.flatMap((one) =>
        ourCodexHooks(one).map((key) => lastSaid(layers, ['hooks', 'state', key, 'enabled'], isOff)),
      ),
    ],
  },
  gemini: {
    list: ({ env, folder, root, home }) => {
      const system = {
        darwin: '/Library/Application Support/GeminiCli/settings.json',
        win32: 'C:\\ProgramData\\gemini-cli\\settings.json',
      };
      const strongest =
        env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] || byPlatform(system, join(root, 'etc/gemini-cli/settings.json'));
      return [
        { file: env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] || join(dirname(strongest), 'system-defaults.json') },
        { file: join(home, '.gemini/settings.json') },
        ...above(folder, ['.gemini/settings.json']),
        { file: strongest },
      ];
    },
    find: (layers, hooks) => [
      lastSaid(layers, ['hooksConfig', 'enabled'], isOff),
      ...layers.map((one) =>
        lastSaid([one], ['hooksConfig', 'disabled'], (names) =>
          hooks.some(({ name, command }) => listOf(names).includes(name || command)),
        ),
      ),
    ],
  },
};

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;
/** Anything but a plain "no" is taken for a yes, and the other way round: what an agent makes of it differs. */
const isOn = (value: unknown): boolean => isSaid(value) && !['false', '', '0', 'no', 'off'].includes(String(value));
const isOff = (value: unknown): boolean => isSaid(value) && value !== true;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The strongest layer that says anything of this setting, where that blocks. */
function lastSaid(layers: Layer[], path: string[], isBlocking: (value: unknown) => boolean): Found {
  const last = layers.findLast(({ settings }) => isSaid(valueAt(settings, path)));
  return last && isBlocking(valueAt(last.settings, path)) ? { setting: path.join('.'), file: last.file } : undefined;
}

function valueAt(settings: unknown, path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Table)[step] : undefined),
    settings,
  );
}

/** By these keys Codex keeps what it was told of a hook: the file, the event, and the places of group and hook. */
function ourCodexHooks({ file, realFile, settings }: Layer): string[] {
  return listOf(valueAt(settings, ['hooks', 'PermissionRequest'])).flatMap((group, at) =>
    listOf(valueAt(group, ['hooks'])).flatMap((hook, place) =>
      OUR_HOOK.test(String(valueAt(hook, ['command'])))
        ? [file, realFile].map((path) => `${path}:permission_request:${at}:${place}`)
        : [],
    ),
  );
}

function hooksIn(settings: unknown): Hook[] {
  const groups = Object.values((valueAt(settings, ['hooks']) ?? {}) as Table).flatMap(listOf);
  return groups.flatMap((group) => listOf(valueAt(group, ['hooks']))) as Hook[];
}

/** A `*` stands for anything, but in a host for no more of the address; an address without a path stands for all of it. */
function isMatch(url: string, pattern: string): boolean {
  if (pattern === '*') return true;
  const [, scheme = '', host = '', path = ''] = /^([a-z*]+):\/\/([^/?#]*)(.*)$/i.exec(pattern) ?? [];
  const target = URL.parse(url);
  const glob = (text: string, any: string): RegExp =>
    new RegExp(`^${text.split('*').map(RegExp.escape).join(any)}$`, 'i');
  if (!target || host === '' || !glob(scheme, '.*').test(target.protocol.slice(0, -1))) return false;
  const hosts = [target.host, ...(host.includes('*') ? [target.hostname] : [])];
  const isHost = hosts.some((one) => glob(host, '[^/]*').test(one));
  return isHost && (path === '' || glob(path, '.*').test(target.pathname + target.search));
}

/** The files of these names in a folder and in those above it, which an agent that is started there reads. */
function above(folder: string, names: string[]): Listed[] {
  const own = names.map((name) => ({ file: join(folder, name), folder }));
  return dirname(folder) === folder ? own : [...above(dirname(folder), names), ...own];
}

/** The files in the folders of a list, which end with a slash, in their order. */
async function withParts(layers: Listed[]): Promise<Listed[]> {
  const parts = layers.map(async (layer) => {
    if (!layer.file.endsWith('/')) return [layer];
    const names = await readdir(layer.file).catch((error: unknown) => (isAbsent(error) ? [] : undefined));
    if (!names) return [layer];
    return names
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted()
      .map((name) => ({ ...layer, file: join(layer.file, name) }));
  });
  const files = (await Promise.all(parts)).flat();
  // A user's own file is not that of a folder too, where that is their home.
  return files.filter(({ file }, at) => files.findIndex((one) => one.file === file) === at);
}

async function readLayer(layer: Listed, texts: Record<string, string>): Promise<Layer | string> {
  const { file } = layer;
  try {
    const text = texts[file] ?? (await readFile(file, 'utf8'));
    const settings = parse(file, text);
    if (layer.isStrict && !isPlainJson(text))
      throw new CannotChange('with its comment or last comma Claude Code loads none of it');
    const inner = file.endsWith('remote-settings.json') ? settings['settings'] : undefined;
    const realFile = await realpath(file).catch(() => file);
    return { ...layer, realFile, settings: typeof inner === 'object' && inner !== null ? (inner as Table) : settings };
  } catch (error) {
    if (isAbsent(error)) return { ...layer, realFile: file, settings: {} };
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined && !(error instanceof CannotChange)) throw error;
    return `${file}, which cannot be read: ${message}`;
  }
}

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
const isSettings = (file: string): boolean => /\.(json|toml)$/.test(file);

function parse(file: string, text: string): Table {
  const value = file.endsWith('.toml') ? readToml(text) : valueOf(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Table;
  throw new CannotChange('it holds no object');
}

function isPlainJson(text: string): boolean {
  try {
    return text.trim() === '' || JSON.parse(text.replace(/^\uFEFF/, '')) !== undefined;
  } catch {
    return false;
  }
}

function byPlatform(paths: Partial<Record<NodeJS.Platform, string>>, other: string): string {
  return paths[platform()] ?? other;
}
