import { existsSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { SOURCE_TOOLS } from '#shared/reference/source-tools.ts';
import { at, push, put, restore, takeItems } from './json.ts';
import { CannotChange } from './cannot-change.ts';
import { hookAddress, hookCommand, type Hook } from './hook-line.ts';
import { appendBlock, takeBlock } from './toml.ts';

/** The hub as the agent reaches it; `waitS`: how long a hook may keep a terminal that stands still meanwhile. */
export type Line = { url: string; key: string; waitS?: number | undefined };

/**
 * One file of an agent, and how its text changes; `take` undoes `put`, and puts back what `put` replaced of the file's
 * text before that. A file that `put` alone would make is `own`.
 */
export type Part = {
  file: string;
  put(text: string, line: Line): string;
  take(text: string, first?: string): string;
  own?: true;
};

export type Agent = {
  /** What the source is called. */
  label: string;
  parts: Part[];
  /** What its user has to know, one line. */
  then: string;
  hook?: Hook;
};

/** The question lives an hour; the hook waits a minute longer than the hub, so that the hub says how it ended. */
export const HUB_S = 3_600;
const HOOK_S = HUB_S + 60;
/** A hook that only tells something: each tool of Claude Code waits for it, whatever became of the hub. */
const TELLS_S = 5;

const CLAUDE_EVENTS = {
  PermissionRequest: HOOK_S,
  PostToolUse: TELLS_S,
  PostToolUseFailure: TELLS_S,
  Elicitation: HOOK_S,
  ElicitationResult: TELLS_S,
  SessionEnd: TELLS_S,
};

/**
 * Every tool of Gemini CLI but those that only read or keep its own notes, so also each that is not known here. None of
 * an MCP server, or discovered in a project, can be called like them.
 */
const GEMINI_ASKS =
  '^(?!(glob|grep_search|list_directory|read_file|read_many_files|google_web_search|codebase_investigator|cli_help|get_internal_docs|update_topic|write_todos|ask_user|complete_task|list_mcp_resources|read_mcp_resource)$)';

/** What `beckon connect` knows, with the files where each agent looks for them. */
export function listAgents(env: Record<string, string | undefined>): Record<string, Agent> {
  const home = env['HOME'] || homedir();
  const { CLAUDE_CONFIG_DIR, CODEX_HOME } = env;
  const claude = CLAUDE_CONFIG_DIR || join(home, '.claude');
  const codex = CODEX_HOME || join(home, '.codex');
  const gemini = join(home, '.gemini');
  const codexHook = { dialect: 'codex-hook', key: join(codex, 'beckon-key') } as const;
  const geminiHook = { dialect: 'gemini-hook', key: join(gemini, 'beckon-key') } as const;
  return {
    claude: {
      label: 'Claude Code',
      hook: { dialect: 'claude-hook' },
      parts: [
        claudeHooks(join(claude, 'settings.json')),
        server(join(CLAUDE_CONFIG_DIR || home, '.claude.json'), 'deadline=3600', (url, headers) => ({
          type: 'http',
          url,
          headers,
          timeout: HOOK_S * 1_000,
        })),
      ],
      then: 'Sessions of Claude Code that run already keep their old settings; start them again.',
    },
    codex: {
      label: 'Codex',
      hook: codexHook,
      parts: [keyFile(codexHook.key), codexBlock(join(codex, 'config.toml'), codexHook)],
      then: 'Codex asks once whether it may trust the hook. Its terminal cannot answer while a question is on your devices; Esc takes that back.',
    },
    gemini: {
      label: 'Gemini CLI',
      hook: geminiHook,
      parts: [keyFile(geminiHook.key), geminiSettings(join(gemini, 'settings.json'), geminiHook)],
      then: 'Gemini CLI asks on your devices before every tool that may change something.',
    },
    cursor: {
      label: 'Cursor',
      parts: [server(join(home, '.cursor', 'mcp.json'), 'wait=50', (url, headers) => ({ url, headers }))],
      then: 'Switch the server on in Cursor, under Settings, MCP.',
    },
    ...listServersOnly(env, home),
  };
}

/** Agents that get the MCP server alone: no hook of theirs is known to wait for people. */
function listServersOnly(env: Record<string, string | undefined>, home: string): Record<string, Agent> {
  const { XDG_CONFIG_HOME, COPILOT_HOME } = env;
  const config = XDG_CONFIG_HOME || join(home, '.config');
  const code = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
  };
  const [json, jsonc] = ['json', 'jsonc'].map((end) => join(config, 'opencode', `opencode.${end}`)) as [string, string];
  return {
    vscode: {
      label: 'VS Code',
      parts: [
        server(
          join(platform() in code ? code[platform() as keyof typeof code] : config, 'Code', 'User', 'mcp.json'),
          `deadline=${HUB_S}`,
          (url, headers) => ({ type: 'http', url, headers }),
          ['servers', 'beckon'],
        ),
      ],
      then: 'VS Code asks once whether it may trust the server, in the chat of its agent.',
    },
    opencode: {
      label: 'opencode',
      parts: [
        server(
          existsSync(json) || !existsSync(jsonc) ? json : jsonc,
          'wait=50',
          // Without oauth it looks for a sign-in first. A minute is above the 50 s after which the hub replies.
          (url, headers) => ({ type: 'remote', url, headers, oauth: false, timeout: 60_000 }),
          ['mcp', 'beckon'],
        ),
      ],
      then: 'Start opencode again where it runs.',
    },
    windsurf: {
      label: 'Windsurf',
      parts: [
        server(join(home, '.codeium', 'windsurf', 'mcp_config.json'), 'wait=50', (serverUrl, headers) => ({
          serverUrl,
          headers,
        })),
      ],
      then: 'Refresh the servers in Windsurf, under Cascade, MCPs.',
    },
    copilot: {
      label: 'Copilot CLI',
      parts: [
        server(join(COPILOT_HOME || join(home, '.copilot'), 'mcp-config.json'), 'wait=50', (url, headers) => ({
          type: 'http',
          url,
          headers,
          tools: SOURCE_TOOLS,
        })),
      ],
      then: 'Start Copilot CLI again where it runs; "/mcp show" lists the server.',
    },
  };
}

type CommandHook = Extract<Hook, { key: string }>;

const bearer = (key: string): string => `Bearer ${key}`;

function claudeHooks(file: string): Part {
  const takeHooks = (text: string): string =>
    Object.keys(CLAUDE_EVENTS).reduce((left, event) => takeHook(left, event, '/v1/ask/claude-hook'), text);
  const path = ['env', 'BECKON_KEY'];
  const part: Part = {
    file,
    put: (text, { url, key }) => {
      const hook = {
        type: 'http',
        url: hookAddress(url, { dialect: 'claude-hook' }, HUB_S),
        headers: { Authorization: 'Bearer $BECKON_KEY' },
        allowedEnvVars: ['BECKON_KEY'],
      };
      const withoutOurs = part.take(text);
      if (![undefined, key].includes(at(withoutOurs, path) as string | undefined))
        throw new CannotChange('it has a BECKON_KEY of its own; take that out first');
      return Object.entries(CLAUDE_EVENTS).reduce(
        (changed, [event, timeout]) => push(changed, ['hooks', event], { hooks: [{ ...hook, timeout }] }),
        put(withoutOurs, path, key),
      );
    },
    // Without these hooks the key was not put in by this.
    take: (text, first = '') => (takeHooks(text) === text ? text : restore(takeHooks(text), path, first)),
  };
  return part;
}

/** Takes the hooks of an event out that call this path of a hub, and the groups that hold no others. */
function takeHook(text: string, event: string, called: string): string {
  const isOurs = (value: unknown): boolean => {
    const { url, command } = (value ?? {}) as { url?: unknown; command?: unknown };
    return [url, command].some((one) => typeof one === 'string' && one.includes(`${called}?`));
  };
  const readHooks = (group: unknown): unknown[] => {
    const { hooks } = (group ?? {}) as { hooks?: unknown };
    return Array.isArray(hooks) ? hooks : [];
  };
  const path = ['hooks', event];
  const left = takeItems(text, path, (group) => readHooks(group).length > 0 && readHooks(group).every(isOurs));
  const groups = at(left, path);
  if (!Array.isArray(groups)) return left;
  return groups.reduce<string>((rest, _, place) => takeItems(rest, [...path, place, 'hooks'], isOurs), left);
}

function server(
  file: string,
  query: string,
  entry: (url: string, headers: { Authorization: string }) => Record<string, unknown>,
  path = ['mcpServers', 'beckon'],
): Part {
  return {
    file,
    put: (text, { url, key }) => {
      const there = at(text, path);
      if (there !== undefined && !isOurs(there) && readAddress(there).split('?', 1)[0] !== `${url}/mcp`)
        throw new CannotChange('it has a server "beckon" of its own; take that out first');
      return put(text, path, entry(`${url}/mcp?${query}`, { Authorization: bearer(key) }));
    },
    take: (text, first = '') => (isOurs(at(text, path)) ? restore(text, path, first) : text),
  };
}

/** True for a server as `connect` writes it, with the key itself: by hand the key is named. */
function isOurs(server: unknown): boolean {
  const { headers } = (server ?? {}) as { headers?: { Authorization?: unknown } };
  return /\/mcp\?(deadline|wait)=/.test(readAddress(server)) && String(headers?.Authorization).startsWith(bearer('bk'));
}

function readAddress(server: unknown): string {
  const { url, httpUrl, serverUrl } = (server ?? {}) as { url?: unknown; httpUrl?: unknown; serverUrl?: unknown };
  const [address = ''] = [httpUrl, serverUrl, url].filter((one) => typeof one === 'string');
  return address;
}

function geminiSettings(file: string, asks: CommandHook): Part {
  const mcp = server(file, `deadline=${HUB_S}`, (httpUrl, headers) => ({
    httpUrl,
    headers,
    timeout: HOOK_S * 1_000,
    // A project's own server of this name has an entry of its own, without these.
    trust: true,
    includeTools: SOURCE_TOOLS,
  }));
  const part: Part = {
    file,
    put: (text, line) => {
      const command = hookCommand(asks, line.url, HUB_S);
      const hook = { type: 'command', command, timeout: HOOK_S * 1_000 };
      return mcp.put(push(part.take(text), ['hooks', 'BeforeTool'], { matcher: GEMINI_ASKS, hooks: [hook] }), line);
    },
    take: (text, first) => mcp.take(takeHook(text, 'BeforeTool', '/v1/ask/gemini-hook'), first),
  };
  return part;
}

function codexBlock(file: string, asks: CommandHook): Part {
  return {
    file,
    put: (text, line) => {
      const [, seconds] = /\/v1\/ask\/codex-hook\?deadline=(\d+)/.exec(text) ?? [];
      const waitS = line.waitS ?? (seconds === undefined ? HUB_S : Number(seconds));
      return appendBlock(
        takeBlock(text),
        `[mcp_servers.beckon]
url = ${JSON.stringify(`${line.url}/mcp?deadline=${HUB_S}`)}
http_headers = { Authorization = ${JSON.stringify(bearer(line.key))} }
tool_timeout_sec = ${HOOK_S}
${SOURCE_TOOLS.map((tool) => `\n[mcp_servers.beckon.tools.${tool}]\napproval_mode = "approve"\n`).join('')}
[[hooks.PermissionRequest]]
[[hooks.PermissionRequest.hooks]]
type = "command"
command = ${JSON.stringify(hookCommand(asks, line.url, waitS))}
timeout = ${waitS + 60}`,
      );
    },
    take: (text) => takeBlock(text),
  };
}

/** A header in a file of its own: what stands in the command is seen by everybody who lists processes. */
function keyFile(file: string): Part {
  return { file, put: (_text, { key }) => `Authorization: ${bearer(key)}\n`, take: () => '', own: true };
}
