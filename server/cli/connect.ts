import { existsSync } from 'node:fs';
import { listAgents, type Agent, type Line } from './connecting/agents.ts';
import { findBlockers } from './connecting/blocked.ts';
import { writeDiff } from './connecting/diff.ts';
import { planChange, readSet, write } from './connecting/files.ts';
import { refuseSilentHub } from './connecting/hook-call.ts';
import { findLine, keyIn, completeLine } from './connecting/line.ts';
import { tryOut } from './connecting/try-out.ts';
import { command } from './command/command.ts';
import { hasData, withHubData } from './command/hub-data.ts';
import { readSettings } from '../platform/settings.ts';
import { findSource } from '../sources/find.ts';
import { revokeSource } from './source.ts';
import { askLine, EXIT, printList, UsageError, type Terminal } from './command/terminal.ts';

const NAMES = Object.keys(listAgents({}));

/** `connect AGENT`: puts the hub into an agent's own settings, after a yes, or takes out what was put in. */
export const connect = command({
  name: 'connect',
  does: "put this hub into an agent's own settings: hooks, MCP server, key",
  args: [`[${NAMES.join('|')}]`],
  options: {
    hub: { type: 'string', value: 'URL', means: 'the hub, in place of BECKON_URL; without a key it asks its owner' },
    list: { type: 'boolean', means: 'say which agents of this machine are connected, to which hub, in which files' },
    remove: { type: 'boolean', means: 'take out what it put in, and nothing else' },
    revoke: { type: 'boolean', means: 'with --remove: revoke its key too, without asking' },
    yes: { type: 'boolean', means: 'write without asking, for scripts' },
    wait: {
      type: 'string',
      value: 'SECONDS',
      means: 'so long the hook of Codex waits before its terminal asks; 3600, or e.g. 60 where you sit there',
    },
    'no-test': { type: 'boolean', means: 'send no test question' },
  },
  more: `It shows what changes in which file, and writes after a yes; a copy of each file as it was without Beckon stays beside it
until --remove puts it back. Whatever the agent rewrote in between stays.
The hub is that of --hub or BECKON_URL, else the one of this machine. The key is BECKON_KEY, that of a source, else the
one that the agent has for it already, else a new one: where the hub's data is not on this machine it shows a code, and
waits until the owner has compared it and said yes on a device. Without a name it is the agent whose settings are here,
where there is one. Cursor, VS Code, opencode, Windsurf and
Copilot CLI get the MCP server alone: no hook of theirs is known to wait for people.

Where a setting in any file of the agent's would keep the hooks from running, it writes nothing and names both.

Exit codes: 0 connected, or nothing to change; 1 no answer to the test question, or no hub; 2 wrong call, no yes, or blocked.`,
  json: true,
  examples: [
    'beckon connect claude',
    'beckon connect codex --hub https://beckon.example.com',
    'BECKON_URL=https://beckon.example.com BECKON_KEY=bks_… beckon connect codex --yes',
    'beckon connect claude --remove',
    'beckon connect --list',
  ],
  async run({ values, args: [given], json }, terminal) {
    if (values.list) return listConnected(given, json, terminal);
    if (json) throw new UsageError('--json goes with --list.');
    const { name, agent } = findAgent(given, values.hub, terminal);
    if (values.remove) return remove(agent, values, terminal);
    if (values.revoke) throw new UsageError('--revoke goes with --remove.');
    const waitS = readSeconds(values.wait, name);
    const wanted = await findLine(agent, terminal, values.hub);
    await refuseSilentHub(agent.hook, wanted.url);
    const planned = { url: wanted.url, key: wanted.key ?? 'bks_new', waitS };
    await refuseBlocked(name, agent, planned, terminal);
    if (!(await agreed(agent, planned, values.yes ?? false, terminal))) return EXIT.usage;
    const line = await completeLine(wanted, agent, terminal);
    for (const part of agent.parts) await write(part, { ...line, waitS });
    terminal.out.write(`${agent.label} is connected. ${agent.then}\n`);
    return values['no-test'] ? EXIT.ok : tryOut(agent, line, terminal);
  },
});

/** Nobody would be asked, and every tool would run, where a setting switches off the hooks that are to be written. */
async function refuseBlocked(name: string, agent: Agent, line: Line, { env }: Terminal): Promise<void> {
  const changes = await Promise.all(agent.parts.map((part) => planChange(part, line)));
  const texts = Object.fromEntries(changes.map(({ part, after = '' }) => [part.file, after]));
  const blockers = await findBlockers(name, { env, folder: process.cwd() }, texts);
  if (blockers.length === 0) return;
  throw new UsageError(
    `Nothing was written: ${agent.label} would run no hook of Beckon here. It is blocked by ${blockers.join(', and by ')}.`,
  );
}

/** What stands in the settings of each agent; nothing is sent anywhere. */
async function listConnected(name: string | undefined, json: boolean, terminal: Terminal): Promise<number> {
  if (name !== undefined) throw new UsageError('--list says it of every agent: name none.');
  const items = await Promise.all(
    Object.entries(listAgents(terminal.env)).map(async ([agent, { parts }]) => {
      const { texts, ...set } = await readSet(parts);
      const place = { env: terminal.env, folder: process.cwd() };
      const blockedBy = set.files.length === 0 ? [] : await findBlockers(agent, place, texts);
      return { agent, ...set, ...(blockedBy.length > 0 ? { connected: 'blocked', blockedBy } : {}) };
    }),
  );
  type Item = (typeof items)[number];
  const columns = {
    AGENT: ({ agent }: Item) => agent,
    CONNECTED: ({ connected }: Item) => connected,
    HUB: ({ hub }: Item) => hub ?? '',
    FILES: ({ files }: Item) => files.join(', '),
  };
  printList(terminal.out, items, { json, columns });
  for (const { agent, blockedBy = [] } of json ? [] : items)
    if (blockedBy.length > 0)
      terminal.out.write(`${agent} runs no hook of Beckon here: it is blocked by ${blockedBy.join(', and by ')}.\n`);
  return EXIT.ok;
}

/** The agent of this name; with the address of a hub alone, the one that has settings here, where no other has. */
function findAgent(
  given: string | undefined,
  hub: string | undefined,
  { env }: Terminal,
): { name: string; agent: Agent } {
  const agents = listAgents(env);
  const here = NAMES.filter((one) => agents[one]?.parts.some(({ file }) => existsSync(file)));
  const name = given ?? (hub !== undefined && here.length === 1 ? here[0] : undefined);
  const found = hub !== undefined && here.length > 0 ? ` Settings of these are here: ${here.join(', ')}.` : '';
  if (name === undefined) throw new UsageError(`Name an agent: ${NAMES.join(', ')}; or write --list.${found}`);
  const agent = NAMES.includes(name) ? agents[name] : undefined;
  if (!agent) throw new UsageError(`beckon does not know the settings of ${name}; write ${NAMES.join(', ')}.`);
  return { name, agent };
}

/** Only Codex's terminal stands still while its hook waits, and asks after that. */
function readSeconds(wait: string | undefined, agent: string): number | undefined {
  if (wait === undefined) return undefined;
  if (agent !== 'codex') throw new UsageError('--wait is for codex alone: only its terminal cannot answer meanwhile.');
  if (!/^[1-9]\d{0,4}$/.test(wait) || Number(wait) > 86_400)
    throw new UsageError('--wait takes seconds, from 1 to 86400.');
  return Number(wait);
}

async function remove(agent: Agent, { yes = false, revoke }: Flags, terminal: Terminal): Promise<number> {
  const key = await keyIn(agent);
  const agreement = await agreed(agent, undefined, yes, terminal);
  if (agreement === 'nothing') {
    // A copy of a connected file, as earlier versions made it, may lie beside.
    for (const part of agent.parts) await write(part, undefined);
    if (!revoke) return EXIT.ok;
    throw new UsageError('No key stands there any more to be revoked; "beckon source remove NAME" revokes one.');
  }
  if (!agreement) return EXIT.usage;
  for (const part of agent.parts) await write(part, undefined);
  terminal.out.write(`${agent.label} is no longer connected.\n`);
  await revokeKey(key, revoke ?? (yes ? false : 'ask'), terminal);
  return EXIT.ok;
}

type Flags = { yes?: boolean | undefined; revoke?: boolean | undefined };

/** Revokes the key of an agent where the hub's data is on this machine, or says how. */
async function revokeKey(key: string | undefined, revoke: boolean | 'ask', terminal: Terminal): Promise<void> {
  const others = Object.values(listAgents(terminal.env));
  const using = await Promise.all(others.map(async (one) => ((await keyIn(one)) === key ? one.label : undefined)));
  const still = using.filter((label) => label !== undefined);
  if (key !== undefined && still.length > 0)
    return void terminal.out.write(
      `Its key was not revoked: ${still.join(' and ')} use${still.length > 1 ? '' : 's'} it too.\n`,
    );
  const known = key !== undefined && (await hasData(readSettings(terminal.env)));
  const source = known ? await withHubData(terminal, ({ database }) => findSource(database, key)) : 'unknown';
  const question = (name: string) => `Revoke the key of "${name}" too? What it has open is withdrawn. (y/N) `;
  if (
    source !== 'unknown' &&
    (revoke === 'ask' ? process.stdin.isTTY && (await agrees(question(source.name))) : revoke)
  ) {
    await withHubData(terminal, (data) => revokeSource(data, source.id));
    terminal.out.write(`The key of "${source.name}" is revoked.\n`);
  } else terminal.out.write('Its key still works; "beckon source remove NAME", or its page, revokes it.\n');
}

/** Shows what changes, and asks whether to write it. */
async function agreed(
  agent: Agent,
  line: Line | undefined,
  yes: boolean,
  { out, err }: Terminal,
): Promise<boolean | 'nothing'> {
  const changes = await Promise.all(agent.parts.map((part) => planChange(part, line)));
  const made = changes.filter(({ before, after }) => before !== after);
  for (const change of made) out.write(`${writeDiff(change)}\n\n`);
  if (made.length === 0) {
    out.write('There is nothing to change.\n');
    return 'nothing';
  }
  if (yes) return true;
  if (!process.stdin.isTTY) {
    err.write('Nothing was written: say --yes where nobody can be asked.\n');
    return false;
  }
  if (await agrees('Write this? (y/N) ')) return true;
  err.write('Nothing was written.\n');
  return false;
}

async function agrees(question: string): Promise<boolean> {
  const said = await askLine(question, { input: process.stdin, output: process.stderr });
  return /^y(es)?$/i.test(said.trim());
}
