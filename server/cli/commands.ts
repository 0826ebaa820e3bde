import { ask } from './ask.ts';
import { backup } from './backup.ts';
import { connect } from './connect.ts';
import { deviceCommands } from './device.ts';
import { gate } from './gate.ts';
import { gateCommands } from './gates.ts';
import { command, type Command } from './command/command.ts';
import { writeCompletion, SHELLS } from './command/completion.ts';
import { UsageError } from './command/terminal.ts';
import { personCommands } from './person.ts';
import { mcp } from './relay/mcp.ts';
import { serve } from './serve.ts';
import { sourceCommands } from './source.ts';
import { webhookCommands } from './webhook.ts';

const completion = command({
  name: 'completion',
  does: 'print what completes commands and options in a shell',
  args: [SHELLS.join('|')],
  examples: [
    'eval "$(beckon completion bash)"     # in ~/.bashrc; zsh alike, in ~/.zshrc',
    'beckon completion fish > ~/.config/fish/completions/beckon.fish',
  ],
  async run({ args: [named] }, { out }) {
    const shell = SHELLS.find((one) => one === named);
    if (!shell) throw new UsageError(`There is no completion for ${named}; write ${SHELLS.join(', ')}.`);
    out.write(writeCompletion(COMMANDS, shell));
  },
});

/** Every command: help, refusals and completion are made of this list. */
export const COMMANDS: Command[] = [
  serve,
  ask,
  ...sourceCommands,
  ...webhookCommands,
  ...personCommands,
  ...deviceCommands,
  gate,
  ...gateCommands,
  mcp,
  connect,
  backup,
  completion,
];
