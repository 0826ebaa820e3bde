import { readGatesFile } from '../gate/config/file.ts';
import { listWithoutSecrets, removeGate, type ListedGate } from '../gate/config/store.ts';
import { presentSealingKey } from '../platform/secrets/sealing-key.ts';
import { command } from './command/command.ts';
import { withHubData, type HubData } from './command/hub-data.ts';
import { EXIT, printList } from './command/terminal.ts';

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
      const gates = await listWithoutSecrets(storedOf(data), presentSealingKey(DATA_DIR, SEALING_KEY));
      const items = gates.map(({ changedAt: _at, ...gate }) => gate);
      printList(terminal.out, items, { json, columns });
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
      await removeGate(storedOf(data), name);
      terminal.out.write(json ? `${JSON.stringify({ removed: name })}\n` : `The gate "${name}" is removed.\n`);
      return EXIT.ok;
    }),
});

const storedOf = ({ database, settings }: HubData) => ({
  database,
  fromFile: readGatesFile(settings.GATES_FILE, database.clock.now()),
});

export const gateCommands = [gateList, gateRemove];
