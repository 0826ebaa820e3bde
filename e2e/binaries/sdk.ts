import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeEnv } from './claude.ts';
import { snippetsOf } from './guide.ts';
import type { Agent } from './scene.ts';

/** An agent on the Agent SDK: the guide's `canUseTool`, and a program around it. */
export function sdkAgent(client: string): Agent {
  return (place) => {
    const [snippet = ''] = snippetsOf('Claude Agent SDK', 'js');
    const [DEADLINE, deadline] = ['deadline: 3600', `deadline: ${JSON.stringify(place.hub.deadline)}`];
    if (!snippet.includes(DEADLINE)) throw new Error('the guide names no deadline');
    symlinkSync(join(place.packages, 'node_modules'), join(place.home, 'node_modules'));
    writeFileSync(join(place.home, 'beckon.mjs'), client);
    const file = join(place.home, 'agent.mjs');
    writeFileSync(file, snippet.replace(DEADLINE, deadline) + PROGRAM);
    return { command: [process.execPath, file], env: claudeEnv(place) };
  };
}

const PROGRAM = `
import { query } from '@anthropic-ai/claude-agent-sdk';

const options = { canUseTool, permissionMode: 'default', settingSources: [] };
for await (const { type, subtype } of query({ prompt: 'Go on.', options })) if (type === 'result') console.log(subtype);
`;
