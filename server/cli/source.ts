import { parseOrRefuse } from '#shared/faults.ts';
import { AppError } from '#shared/problem.ts';
import { NewSource, type Source } from '#shared/wire.ts';
import { withdrawRevoked } from '../inquiries/withdraw.ts';
import { loadSealingKey, presentSealingKey } from '../platform/secrets/sealing-key.ts';
import { webhookKey } from '../platform/secrets/webhook-key.ts';
import { createSource } from '../sources/create.ts';
import { listSources, removeSource } from '../sources/store.ts';
import { command } from './command/command.ts';
import { ALL, withHubData, withNewHubData, type HubData } from './command/hub-data.ts';
import { list, print, printList, UsageError } from './command/terminal.ts';
import { closingBeside } from './removal.ts';

const sourceAdd = command({
  name: 'source add',
  does: 'make a key for an agent; the last line of the output is the key',
  args: ['NAME'],
  options: {
    'may-ask': {
      type: 'string',
      value: 'HANDLE,HANDLE',
      means: 'the people and groups it may ask; by default the owner',
    },
    webhook: { type: 'string', value: 'URL', means: 'where answers are sent to, signed' },
    locale: { type: 'string', value: 'en|zh', means: 'the language of what its agent is told' },
  },
  json: true,
  says: { webhookUrl: '--webhook' },
  more: 'The key and the secret that its webhooks are signed with are shown this once. A name that is taken is refused.',
  examples: [
    'beckon source add "Release train"',
    'export BECKON_KEY=$(beckon source add CI --may-ask anna,ops | tail -n 1)',
    'beckon source add CI --webhook https://ci.example.com/beckon --json',
  ],
  async run({ values, args: [name], json }, terminal) {
    const asked = parseOrRefuse(NewSource, {
      name,
      mayAsk: list(values['may-ask']),
      webhookUrl: values.webhook,
      locale: values.locale,
    });
    return withNewHubData(terminal, async ({ database, owner }) => {
      const made = await createSource(database, owner.id, asked, { newName: true });
      const said = `The source "${made.source.name}" may ask ${made.source.mayAsk.join(', ') || 'nobody'}.
The secret that its webhooks are signed with, shown this once:\n${made.webhookSecret}\nIts key, shown this once:\n${made.key}`;
      print(terminal, json, made, said);
    });
  },
});

const sourceList = command({
  name: 'source list',
  does: 'list the sources, oldest first',
  json: true,
  more: 'With --json it prints the public key of the webhooks of each, where the sealing key of the hub is here.',
  examples: ['beckon source list', "beckon source list --json | jq -r '.items[].name'"],
  run: ({ json }, terminal) =>
    withHubData(terminal, async (data) => {
      const { items } = await listSources(data.database.read, '', ALL);
      const columns = {
        ID: (one: Source) => one.id,
        NAME: (one: Source) => one.name,
        'MAY ASK': (one: Source) => one.mayAsk.join(','),
        USED: (one: Source) => one.usedAt ?? 'never',
      };
      printList(terminal.out, json ? await withKeys(data, items) : items, { json, columns });
    }),
});

async function withKeys({ database, settings }: HubData, sources: Source[]): Promise<Source[]> {
  const { DATA_DIR: dataDir, SEALING_KEY: setting } = settings;
  if (!presentSealingKey(dataDir, setting)) return sources;
  const sealingKey = await loadSealingKey({ dataDir, setting, database });
  return sources.map((one) => ({ ...one, webhookKey: webhookKey(sealingKey, one.id) }));
}

const sourceRemove = command({
  name: 'source remove',
  does: 'revoke the key of a source; what it has open is withdrawn',
  args: ['NAME_OR_ID'],
  json: true,
  more: 'A key that was revoked does not come back. A call that still waits with it is refused within 15 seconds.',
  examples: ['beckon source remove "Release train"', 'beckon source remove src_01KY3H7CZ2V5J8XQ4M6N0PWTRB'],
  run: ({ args: [named = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      const source = await sourceNamed(data, named);
      await revokeSource(data, source.id);
      print(terminal, json, { removed: source.id }, `The source "${source.name}" is removed.`);
    }),
});

/** Revokes the key of a source and withdraws what it has open. */
export async function revokeSource(data: HubData, id: string): Promise<void> {
  await removeSource(data.database, id);
  await withdrawRevoked(closingBeside(data), id);
}

/** The source with this name or id; a refusal where there is none, or several have the name. */
export async function sourceNamed({ database }: HubData, named: string): Promise<Source> {
  const { items } = await listSources(database.read, '', ALL);
  const found = items.filter(({ id, name }) => id === named || name === named);
  if (found.length > 1)
    throw new UsageError(
      `Several sources are called "${named}"; write the id: ${found.map(({ id }) => id).join(', ')}.`,
    );
  if (found[0]) return found[0];
  throw new AppError(404, 'source.unknown', `There is no source "${named}" here; "beckon source list" lists them.`);
}

export const sourceCommands = [sourceAdd, sourceList, sourceRemove];
