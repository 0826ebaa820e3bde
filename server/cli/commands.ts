import { listGroups } from '../people/groups.ts';
import { listPeople } from '../people/store.ts';
import { listSources } from '../sources/store.ts';
import { acp } from './acp.ts';
import { ask } from './ask.ts';
import { auditCommands } from './audit.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { connect } from './connect.ts';
import { deviceCommands } from './device.ts';
import { gate } from './gate.ts';
import { gateCommands } from './gates.ts';
import { inquiryCommands } from './inquiry.ts';
import { command, type Command } from './command/command.ts';
import { writeCompletion, SHELLS } from './command/completion.ts';
import { ALL, withHubData, type HubData } from './command/hub-data.ts';
import { UsageError } from './command/terminal.ts';
import { personCommands } from './person.ts';
import { mcp } from './relay/mcp.ts';
import { serve } from './serve.ts';
import { sourceCommands } from './source.ts';
import { verify } from './verify.ts';
import { webhookCommands } from './webhook.ts';

/** What names there are, one a line. */
const NAMES: Record<string, (data: HubData) => Promise<string[]>> = {
  sources: async ({ database }) => (await listSources(database.read, '', ALL)).items.map(({ name }) => name),
  people: async ({ database }) => [
    ...(await listPeople(database.read, '', ALL)).items.map(({ handle }) => handle),
    ...(await listGroups(database.read, '', ALL)).items.map(({ handle }) => handle),
  ],
};

const completion = command({
  name: 'completion',
  does: 'print what completes commands, options and names in a shell',
  args: [[...SHELLS, ...Object.keys(NAMES)].join('|')],
  more: "sources and people print the names that the shells complete with, where the hub's data is on this machine.",
  examples: [
    'eval "$(beckon completion bash)"     # in ~/.bashrc; zsh alike, in ~/.zshrc',
    'beckon completion fish > ~/.config/fish/completions/beckon.fish',
  ],
  async run({ args: [named = ''] }, terminal) {
    const { out } = terminal;
    const names = Object.hasOwn(NAMES, named) ? NAMES[named] : undefined;
    if (names) {
      const found = await withHubData(terminal, names);
      return void out.write(found.map((one) => `${one}\n`).join(''));
    }
    const shell = SHELLS.find((one) => one === named);
    if (!shell)
      throw new UsageError(
        `There is no completion for ${named}; write ${[...SHELLS, ...Object.keys(NAMES)].join(', ')}.`,
      );
    out.write(writeCompletion(COMMANDS, shell));
  },
});

/** Every command: help, refusals and completion are made of this list. */
export const COMMANDS: Command[] = [
  serve,
  ask,
  ...inquiryCommands,
  ...sourceCommands,
  ...webhookCommands,
  ...personCommands,
  ...deviceCommands,
  gate,
  ...gateCommands,
  acp,
  mcp,
  connect,
  backup,
  check,
  verify,
  ...auditCommands,
  completion,
];
