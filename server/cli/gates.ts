import { parseOrRefuse } from '#shared/faults.ts';
import { ChangeGate, GateName } from '#shared/policies/gate.ts';
import { createCatalogue } from '../mcp/gate/catalogue.ts';
import { readGatesFile } from '../mcp/gate/config/file.ts';
import { createGateStore, listWithoutSecrets, removeGate, type ListedGate } from '../mcp/gate/config/store.ts';
import { makeGate } from '../mcp/gate/http/make.ts';
import { createLog } from '../platform/log.ts';
import { loadSealingKey, presentSealingKey } from '../platform/secrets/sealing-key.ts';
import { command } from './command/command.ts';
import { withHubData, type HubData } from './command/hub-data.ts';
import { print, printList, UsageError } from './command/terminal.ts';
import { POLICY, readPolicy } from './gating/options.ts';

const gateAdd = command({
  name: 'gate add',
  does: 'make a gate before an MCP server over HTTP',
  args: ['NAME', 'URL'],
  options: {
    header: { type: 'string', value: 'NAME=VALUE', multiple: true, means: 'what the server wants to see of the hub' },
    ...POLICY,
  },
  json: true,
  says: { 'upstream/url': 'URL', 'upstream/headers': '--header' },
  more: `Its clients are given the address that this prints. A server that cannot be reached now is said on standard error; the
gate is made all the same.`,
  examples: [
    'beckon gate add files http://127.0.0.1:8000/mcp',
    'beckon gate add crm https://crm.example.com/mcp --header "Authorization=Bearer $TOKEN" --deny "drop_*" --ask "*"',
  ],
  run: ({ values, order, args: [named, url], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const name = readName(named);
      const store = createGateStore({ ...readStored(data), sealingKey: await loadKey(data) });
      if (await store.find(name))
        throw new UsageError(`There is a gate "${name}" already; choose another name or remove it.`);
      const upstream = { url, ...(values.header ? { headers: readHeaders(values.header) } : {}) };
      const change = parseOrRefuse(ChangeGate, { ...readPolicy({ values, order }), upstream });
      const catalogue = createCatalogue({ log: createLog('silent') });
      const { owner, database, publicUrl } = data;
      const by = { personId: owner.id };
      const { unreachable } = await makeGate({ database, store, catalogue }, { name, change, by });
      const address = `${publicUrl}/mcp/gate/${name}`;
      print(terminal, json, { name, url: address, unreachable }, address);
      if (unreachable !== undefined) terminal.err.write(`${unreachable}\n`);
    }),
});

type Listed = Omit<ListedGate, 'changedAt'>;

const gateList = command({
  name: 'gate list',
  does: 'list the gates before MCP servers over HTTP',
  json: true,
  examples: ['beckon gate list'],
  run: ({ json }, terminal) =>
    withHubData(terminal, async (data) => {
      const columns = {
        NAME: (one: Listed) => one.name,
        UPSTREAM: (one: Listed) => one.upstream.url,
        FROM: (one: Listed) => one.from,
        RULES: (one: Listed) => String(one.rules.length),
        OTHERWISE: (one: Listed) => one.otherwise,
      };
      const { DATA_DIR, SEALING_KEY } = data.settings;
      // The hub makes the key when it starts: one that is made here may not be the hub's.
      const gates = await listWithoutSecrets(readStored(data), presentSealingKey(DATA_DIR, SEALING_KEY));
      const items = gates.map(({ changedAt: _at, ...gate }) => gate);
      printList(terminal.out, items, { json, columns });
    }),
});

const gateRemove = command({
  name: 'gate remove',
  does: 'remove a gate; what it asked stays answerable',
  args: ['NAME'],
  json: true,
  more: 'A gate of GATES_FILE is removed there.',
  examples: ['beckon gate remove files'],
  run: ({ args: [name = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      await removeGate(readStored(data), name);
      print(terminal, json, { removed: name }, `The gate "${name}" is removed.`);
    }),
});

const readStored = ({ database, settings }: HubData) => ({
  database,
  fromFile: readGatesFile(settings.GATES_FILE, database.clock.now()),
});

// A key that is made here would not be the hub's, which could then not start.
async function loadKey({ database, settings: { DATA_DIR: dataDir, SEALING_KEY: setting } }: HubData): Promise<Buffer> {
  if (presentSealingKey(dataDir, setting)) return loadSealingKey({ dataDir, setting, database });
  throw new UsageError('There is no sealing key here; set SEALING_KEY to that of the hub, or start the hub once.');
}

function readName(named: string | undefined): string {
  const read = GateName.safeParse(named);
  if (read.success) return read.data;
  throw new UsageError(`NAME ${read.error.issues[0]?.message}.`);
}

function readHeaders(given: string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf('=');
      if (at < 1) throw new UsageError('--header must be NAME=VALUE, e.g. --header "Authorization=Bearer $TOKEN".');
      return [one.slice(0, at), one.slice(at + 1)];
    }),
  );
}

export const gateCommands = [gateAdd, gateList, gateRemove];
