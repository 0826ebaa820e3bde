import { deepStrictEqual, match, strictEqual, throws } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'smol-toml';
import { listAgents, type Part } from './agents.ts';
import { writeDiff } from './diff.ts';
import { planChange, write } from './files.ts';
import { valueOf } from './json.ts';
import { CannotChange } from './cannot-change.ts';

const LINE = { url: 'https://beckon.example.com', key: `bks_${'k'.repeat(43)}` };
const OTHER = { url: 'https://other.example.com', key: `bks_${'o'.repeat(43)}` };
const MINE = { type: 'command', command: 'notify-send done' };

const partOf = (agent: string, file: string): Part =>
  listAgents({ HOME: '/home/anna' })[agent]?.parts.find((part) => part.file.endsWith(file)) as Part;
const HOOKS = { claude: partOf('claude', 'settings.json'), gemini: partOf('gemini', 'settings.json') };
const SERVERS = {
  claude: partOf('claude', '.claude.json'),
  gemini: HOOKS.gemini,
  cursor: partOf('cursor', 'mcp.json'),
};

for (const [name, part] of Object.entries(HOOKS))
  test(`${name}: a hook of its user's own in the group of ours stays`, () => {
    type Groups = Record<string, { matcher?: string; hooks: unknown[] }[]>;
    const connected = valueOf(part.put('', LINE)) as { hooks: Groups };
    for (const [group] of Object.values(connected.hooks)) group?.hooks.push(MINE);
    const text = JSON.stringify(connected);
    const own = Object.fromEntries(
      Object.entries(connected.hooks).map(([event, [group]]) => [event, [{ ...group, hooks: [MINE] }]]),
    );
    deepStrictEqual(valueOf(part.take(text)), { hooks: own });
    const { hooks } = valueOf(part.put(text, OTHER)) as { hooks: Groups };
    deepStrictEqual(
      Object.values(hooks).map((groups) => [groups.length, groups[0]]),
      Object.values(own).map((groups) => [2, groups[0]]),
    );
  });

test('claude: every tool waits 5 s at most for a hook that only tells something', () => {
  const { hooks } = valueOf(HOOKS.claude.put('', LINE)) as {
    hooks: Record<string, { hooks: { timeout: number }[] }[]>;
  };
  deepStrictEqual(
    Object.fromEntries(Object.entries(hooks).map(([event, [group]]) => [event, group?.hooks[0]?.timeout])),
    {
      PermissionRequest: 3660,
      PostToolUse: 5,
      PostToolUseFailure: 5,
      Elicitation: 3660,
      ElicitationResult: 5,
      SessionEnd: 5,
    },
  );
});

test('gemini: the hook asks about all but what only reads, and its own server needs no leave for its own tools', () => {
  type Written = { hooks: { BeforeTool: { matcher: string }[] }; mcpServers: { beckon: object } };
  const { hooks, mcpServers } = valueOf(HOOKS.gemini.put('', LINE)) as Written;
  const asks = new RegExp(hooks.BeforeTool[0]?.matcher ?? '');
  const unasked = ['read_file', 'list_directory', 'glob', 'grep_search'];
  const asked = ['write_file', 'replace', 'run_shell_command', 'web_fetch', 'mcp_files_read_file', 'invoke_agent'];
  const odd = ['', 'read_file_now', 'xread_file', 'read_file\n', 'Read_File', 'discovered_tool_glob', 'mcp_beckon_run'];
  deepStrictEqual(
    [...unasked, ...asked, ...odd].filter((name) => asks.test(name)),
    [...asked, ...odd],
  );
  deepStrictEqual(mcpServers.beckon, {
    httpUrl: `${LINE.url}/mcp?deadline=3600`,
    headers: { Authorization: `Bearer ${LINE.key}` },
    timeout: 3_660_000,
    trust: true,
    includeTools: ['send_inquiry', 'get_answer', 'withdraw_inquiry', 'decide_for_human', 'send_notice'],
  });
});

test('codex: its own server needs no leave for its own tools, and the hook waits as long as was said last', () => {
  const codex = partOf('codex', 'config.toml');
  const read = (text: string) =>
    parse(text) as unknown as { mcp_servers: { beckon: { tools: object } }; hooks: unknown };
  const first = codex.put('', { ...LINE, waitS: 60 });
  const { mcp_servers, hooks } = read(first);
  const approved = { approval_mode: 'approve' };
  deepStrictEqual(JSON.parse(JSON.stringify(mcp_servers.beckon.tools)), {
    send_inquiry: approved,
    get_answer: approved,
    withdraw_inquiry: approved,
    decide_for_human: approved,
    send_notice: approved,
  });
  match(JSON.stringify(hooks), /--max-time 110 .*codex-hook\?deadline=60'","timeout":120/);
  strictEqual(codex.put(first, LINE), first);
  match(codex.put('', LINE), /codex-hook\?deadline=3600/);
});

test('what VS Code, opencode, Windsurf and Copilot CLI get, and a server of their user is left as it is', () => {
  const headers = { Authorization: `Bearer ${LINE.key}` };
  const tools = ['send_inquiry', 'get_answer', 'withdraw_inquiry', 'decide_for_human', 'send_notice'];
  const soon = `${LINE.url}/mcp?wait=50`;
  const wanted: Record<string, object> = {
    vscode: { servers: { beckon: { type: 'http', url: `${LINE.url}/mcp?deadline=3600`, headers } } },
    opencode: { mcp: { beckon: { type: 'remote', url: soon, headers, oauth: false, timeout: 60_000 } } },
    windsurf: { mcpServers: { beckon: { serverUrl: soon, headers } } },
    copilot: { mcpServers: { beckon: { type: 'http', url: soon, headers, tools } } },
  };
  const agents = listAgents({ HOME: '/home/anna', XDG_CONFIG_HOME: '/cfg', COPILOT_HOME: '/cop' });
  const parts = Object.keys(wanted).map((name) => [name, agents[name]?.parts[0] as Part] as const);
  deepStrictEqual(Object.fromEntries(parts.map(([name, part]) => [name, valueOf(part.put('', LINE))])), wanted);
  for (const [name, part] of parts) {
    const connected = part.put('', LINE);
    const again = JSON.stringify(wanted[name]).replaceAll(LINE.url, OTHER.url).replaceAll(LINE.key, OTHER.key);
    deepStrictEqual([name, valueOf(part.put(connected, OTHER))], [name, JSON.parse(again)]);
    deepStrictEqual([name, valueOf(part.take(connected))], [name, {}]);
    const [root = ''] = Object.keys(wanted[name] ?? {});
    const own = JSON.stringify({ [root]: { beckon: { command: 'beckon', args: ['mcp'] } } });
    strictEqual(part.take(own), own);
    throws(() => part.put(own, LINE), CannotChange);
  }
});

test('a token of a device that an earlier connect wrote is taken out, and stands in no difference', () => {
  const token = `bkd_${'d'.repeat(43)}`;
  const text = JSON.stringify({
    mcpServers: { beckon: { url: `${LINE.url}/mcp?wait=50`, headers: { Authorization: `Bearer ${token}` } } },
  });
  const part = SERVERS.cursor;
  strictEqual(part.take(text), '{}');
  const shown = writeDiff({ part, before: text, after: part.put(text, LINE) });
  deepStrictEqual([shown.includes(token), shown.includes(LINE.key), shown.includes('bkd_…')], [false, false, true]);
});

const BY_HAND = {
  'a program': { command: 'beckon', args: ['mcp'] },
  'a server elsewhere': { url: 'https://own.example.com/mcp', headers: { Authorization: LINE.key } },
  'a hub with the key in the environment': {
    url: `${LINE.url}/mcp?deadline=3600`,
    headers: { Authorization: 'Bearer ${BECKON_KEY}' },
  },
};
for (const [name, part] of Object.entries(SERVERS))
  for (const [what, server] of Object.entries(BY_HAND))
    test(`${name}: a server "beckon" that its user wrote is neither taken out nor replaced: ${what}`, () => {
      const text = JSON.stringify({ mcpServers: { beckon: server } });
      strictEqual(part.take(text), text);
      throws(() => part.put(text, OTHER), new CannotChange('it has a server "beckon" of its own; take that out first'));
    });

test('a server "beckon" at the hub itself gives way to the one of connect, at another address of connect too', () => {
  const text = JSON.stringify({ mcpServers: { beckon: { url: `${LINE.url}/mcp` } } });
  const connected = SERVERS.cursor.put(text, LINE);
  const entry = (line: typeof LINE) => ({
    mcpServers: { beckon: { url: `${line.url}/mcp?wait=50`, headers: { Authorization: `Bearer ${line.key}` } } },
  });
  deepStrictEqual([valueOf(connected), valueOf(SERVERS.cursor.put(connected, OTHER))], [entry(LINE), entry(OTHER)]);
});

test('claude: a BECKON_KEY that its user wrote is neither taken out nor replaced', () => {
  const text = JSON.stringify({ env: { BECKON_KEY: OTHER.key } });
  strictEqual(HOOKS.claude.take(text), text);
  throws(() => HOOKS.claude.put(text, LINE), new CannotChange('it has a BECKON_KEY of its own; take that out first'));
});

test('the copy of a file stays beside it until it is put back', async () => {
  const home = mkdtempSync(join(tmpdir(), 'beckon-agents-'));
  try {
    const part = { ...SERVERS.cursor, file: join(home, 'mcp.json') };
    const old = '{"mcpServers":{"own":{"url":"u"}}}';
    writeFileSync(part.file, old);
    await write(part, LINE);
    const changed = readFileSync(part.file, 'utf8').replace('"u"', '"v"');
    writeFileSync(part.file, changed);
    await write(part, undefined);
    deepStrictEqual(
      [readFileSync(part.file, 'utf8'), readFileSync(`${part.file}.before-beckon`, 'utf8')],
      [old.replace('"u"', '"v"'), old],
    );
    writeFileSync(part.file, old);
    await write(part, LINE);
    strictEqual((await planChange(part, undefined)).after, old);
    await write(part, undefined);
    deepStrictEqual(readdirSync(dirname(part.file)), ['mcp.json']);
  } finally {
    rmSync(home, { recursive: true });
  }
});
