import { homedir } from 'node:os';
import { join } from 'node:path';
import { at, push, put, take, takeItems } from './json.ts';
import { CannotChange } from './cannot-change.ts';
import { appendBlock, takeBlock } from './toml.ts';

/** The hub as the agent reaches it. */
export type Line = { url: string; key: string };

/** One file of an agent, and how its text changes; `take` undoes `put`. A file that `put` alone would make is `own`. */
export type Part = {
  file: string;
  put(text: string, line: Line): string;
  take(text: string): string;
  own?: true;
};

export type Agent = {
  /** What the source is called. */
  label: string;
  parts: Part[];
  /** What its user has to know, one line. */
  then: string;
};

/** The question lives an hour; the hook waits a minute longer than the hub, so that the hub says how it ended. */
const HUB_S = 3_600;
const HOOK_S = HUB_S + 60;
const CURL_S = HUB_S + 50;

const CLAUDE_EVENTS = [
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'Elicitation',
  'ElicitationResult',
  'SessionEnd',
];

/** What `beckon connect` knows, with the files where each agent looks for them. */
export function agentsOf(env: Record<string, string | undefined>): Record<string, Agent> {
  const home = env['HOME'] || homedir();
  const { CLAUDE_CONFIG_DIR, CODEX_HOME } = env;
  const claude = CLAUDE_CONFIG_DIR || join(home, '.claude');
  const codex = CODEX_HOME || join(home, '.codex');
  const gemini = join(home, '.gemini');
  return {
    claude: {
      label: 'Claude Code',
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
      parts: [keyFile(join(codex, 'beckon-key')), codexBlock(join(codex, 'config.toml'), join(codex, 'beckon-key'))],
      then: 'Codex asks once whether it may trust the hook.',
    },
    gemini: {
      label: 'Gemini CLI',
      parts: [
        keyFile(join(gemini, 'beckon-key')),
        geminiSettings(join(gemini, 'settings.json'), join(gemini, 'beckon-key')),
      ],
      then: 'Gemini CLI asks on your devices before every tool that it runs.',
    },
    cursor: {
      label: 'Cursor',
      parts: [server(join(home, '.cursor', 'mcp.json'), 'wait=50', (url, headers) => ({ url, headers }))],
      then: 'Switch the server on in Cursor, under Settings, MCP.',
    },
  };
}

const bearer = (key: string): string => `Bearer ${key}`;

function claudeHooks(file: string): Part {
  const takeHooks = (text: string): string =>
    CLAUDE_EVENTS.reduce((left, event) => takeHook(left, event, '/v1/ask/claude-hook'), text);
  const path = ['env', 'BECKON_KEY'];
  const part: Part = {
    file,
    put: (text, { url, key }) => {
      const hook = {
        type: 'http',
        url: `${url}/v1/ask/claude-hook?deadline=${HUB_S}`,
        timeout: HOOK_S,
        headers: { Authorization: 'Bearer $BECKON_KEY' },
        allowedEnvVars: ['BECKON_KEY'],
      };
      const withoutOurs = part.take(text);
      if (![undefined, key].includes(at(withoutOurs, path) as string | undefined))
        throw new CannotChange('it has a BECKON_KEY of its own; take that out first');
      return CLAUDE_EVENTS.reduce(
        (changed, event) => push(changed, ['hooks', event], { hooks: [hook] }),
        put(withoutOurs, path, key),
      );
    },
    // Without these hooks the key was not put in by this.
    take: (text) => (takeHooks(text) === text ? text : take(takeHooks(text), path)),
  };
  return part;
}

/** Takes the hooks of an event out that call this path of a hub, and the groups that hold no others. */
function takeHook(text: string, event: string, called: string): string {
  const isOurs = (value: unknown): boolean => {
    const { url, command } = (value ?? {}) as { url?: unknown; command?: unknown };
    return [url, command].some((one) => typeof one === 'string' && one.includes(`${called}?`));
  };
  const hooksOf = (group: unknown): unknown[] => {
    const { hooks } = (group ?? {}) as { hooks?: unknown };
    return Array.isArray(hooks) ? hooks : [];
  };
  const path = ['hooks', event];
  const left = takeItems(text, path, (group) => hooksOf(group).length > 0 && hooksOf(group).every(isOurs));
  const groups = at(left, path);
  if (!Array.isArray(groups)) return left;
  return groups.reduce<string>((rest, _, place) => takeItems(rest, [...path, place, 'hooks'], isOurs), left);
}

function server(
  file: string,
  query: string,
  entry: (url: string, headers: { Authorization: string }) => Record<string, unknown>,
): Part {
  const path = ['mcpServers', 'beckon'];
  return {
    file,
    put: (text, { url, key }) => {
      const there = at(text, path);
      if (there !== undefined && !isOurs(there) && addressOf(there).split('?', 1)[0] !== `${url}/mcp`)
        throw new CannotChange('it has a server "beckon" of its own; take that out first');
      return put(text, path, entry(`${url}/mcp?${query}`, { Authorization: bearer(key) }));
    },
    take: (text) => (isOurs(at(text, path)) ? take(text, path) : text),
  };
}

/** True for a server as `connect` writes it, with the key itself: by hand the key is named. */
function isOurs(server: unknown): boolean {
  const { headers } = (server ?? {}) as { headers?: { Authorization?: unknown } };
  return /\/mcp\?(deadline|wait)=/.test(addressOf(server)) && String(headers?.Authorization).startsWith(bearer('bks_'));
}

function addressOf(server: unknown): string {
  const { url, httpUrl } = (server ?? {}) as { url?: unknown; httpUrl?: unknown };
  const [address = ''] = [httpUrl, url].filter((one) => typeof one === 'string');
  return address;
}

function geminiSettings(file: string, key: string): Part {
  const mcp = server(file, `deadline=${HUB_S}`, (httpUrl, headers) => ({
    httpUrl,
    headers,
    timeout: HOOK_S * 1_000,
  }));
  const part: Part = {
    file,
    put: (text, line) => {
      // Without these ends Gemini runs the tool where the hub refuses the call.
      const command = `${curl('-sS --fail-with-body', key, `${line.url}/v1/ask/gemini-hook`)} || exit 2`;
      const hook = { type: 'command', command, timeout: HOOK_S * 1_000 };
      return mcp.put(push(part.take(text), ['hooks', 'BeforeTool'], { hooks: [hook] }), line);
    },
    take: (text) => mcp.take(takeHook(text, 'BeforeTool', '/v1/ask/gemini-hook')),
  };
  return part;
}

function codexBlock(file: string, key: string): Part {
  return {
    file,
    put: (text, line) =>
      appendBlock(
        takeBlock(text),
        `[mcp_servers.beckon]
url = ${JSON.stringify(`${line.url}/mcp?deadline=${HUB_S}`)}
http_headers = { Authorization = ${JSON.stringify(bearer(line.key))} }
tool_timeout_sec = ${HOOK_S}

[[hooks.PermissionRequest]]
[[hooks.PermissionRequest.hooks]]
type = "command"
command = ${JSON.stringify(curl('-fsS', key, `${line.url}/v1/ask/codex-hook`))}
timeout = ${HOOK_S}`,
      ),
    take: takeBlock,
  };
}

/** A header in a file of its own: what stands in the command is seen by everybody who lists processes. */
function keyFile(file: string): Part {
  return { file, put: (_text, { key }) => `Authorization: ${bearer(key)}\n`, take: () => '', own: true };
}

function curl(flags: string, key: string, address: string): string {
  return `curl ${flags} -N --max-time ${CURL_S} --data-binary @- -H ${quoted(`@${key}`)} ${quoted(`${address}?deadline=${HUB_S}`)}`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
