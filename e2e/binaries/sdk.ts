import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeEnv } from './claude.ts';
import { snippetsOf } from './guide.ts';
import type { Agent } from './scene.ts';

const CLIENT = join(import.meta.dirname, '../../server/dialects/client');

/** An agent on the Agent SDK with `canUseTool` of the guide, by the client's middleware or by itself; a program is around it. */
export function sdkAgent(form: 'middleware' | 'by itself', giveUpMs = 300_000): Agent {
  return (place) => {
    const [middleware = '', itself = ''] = snippetsOf('Claude Agent SDK', 'js');
    const snippet = form === 'middleware' ? middleware : itself;
    const DEADLINE = 'deadline: 3600';
    const deadline = `deadline: ${JSON.stringify(place.hub.deadline)}, giveUpMs: ${giveUpMs}`;
    if (!snippet.includes(DEADLINE)) throw new Error('the guide names no deadline');
    symlinkSync(join(place.packages, 'node_modules'), join(place.home, 'node_modules'));
    for (const name of ['beckon.mjs', 'claude-agent-sdk.mjs']) copyFileSync(join(CLIENT, name), join(place.home, name));
    const file = join(place.home, 'agent.mjs');
    const program = (form === 'middleware' ? WITH_MIDDLEWARE : BY_ITSELF).replace('SNIPPET', () => snippet);
    const here = program
      .replace('@beckon/client/claude-agent-sdk', './claude-agent-sdk.mjs')
      .replace("permissionMode: 'default'", "permissionMode: 'default', settingSources: [], abortController: stop")
      .replace(DEADLINE, deadline);
    writeFileSync(file, here);
    return { command: [process.execPath, file], env: claudeEnv(place) };
  };
}

const BY_ITSELF = `SNIPPET
import { query } from '@anthropic-ai/claude-agent-sdk';

const options = { canUseTool, permissionMode: 'default' };
for await (const { type, subtype } of query({ prompt: 'Go on.', options })) if (type === 'result') console.log(subtype);
`;

const WITH_MIDDLEWARE = `
import { query } from '@anthropic-ai/claude-agent-sdk';

const stop = new AbortController();
process.once('SIGUSR2', () => stop.abort());
const prompt = 'Go on.';
SNIPPET
try {
  for await (const { type, subtype } of asking) if (type === 'result') console.log(subtype);
} catch (error) {
  console.error(error); // and takes its question back, which a process that ends here would not
}
`;
