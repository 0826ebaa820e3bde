import { readGatesFile } from '../gate/config/file.ts';
import { createGateStore, type GateConfig, type GateStore } from '../gate/config/store.ts';
import { loadSealingKey } from '../platform/secrets/sealing-key.ts';
import { command } from './command/command.ts';
import { withHubData, type HubData } from './command/hub-data.ts';
import { EXIT, printList } from './command/terminal.ts';

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
      const gates = await (await storeOf(data)).list();
      printList(terminal.out, gates.map(withoutSecrets), { json, columns });
      return EXIT.ok;
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
      await (await storeOf(data)).remove(name);
      terminal.out.write(json ? `${JSON.stringify({ removed: name })}\n` : `The gate "${name}" is removed.\n`);
      return EXIT.ok;
    }),
});

type Listed = ReturnType<typeof withoutSecrets>;

function withoutSecrets({ upstream, changedAt: _at, ...gate }: GateConfig) {
  return { ...gate, upstream: { url: upstream.url, headerNames: Object.keys(upstream.headers) } };
}

async function storeOf({ database, settings }: HubData): Promise<GateStore> {
  return createGateStore({
    database,
    sealingKey: await loadSealingKey({ dataDir: settings.DATA_DIR, setting: settings.SEALING_KEY, database }),
    fromFile: readGatesFile(settings.GATES_FILE, database.clock.now()),
  });
}

export const gateCommands = [gateList, gateRemove];
