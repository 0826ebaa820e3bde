import { deepStrictEqual, match } from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { snippet } from '../guides/snippets.ts';
import { environment, startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice } from '../hub/people.ts';
import { Program } from '../hub/process.ts';
import { packagesOfExamples } from './installed.ts';

describe('what the guide has for frameworks by MCP', { timeout: 120_000 }, () => {
  let hub: Hub;
  let key: string;
  const folder = mkdtempSync(join(tmpdir(), 'beckon-by-mcp-'));
  before(async () => {
    symlinkSync(join(await packagesOfExamples(), 'node_modules'), join(folder, 'node_modules'));
    hub = await startHub();
    ({ key } = await addSource(hub, await ownerDevice(hub), 'By MCP'));
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test('OpenAI Agents: its agent has the tools of the hub', async () => {
    const block = snippet('infra/connect-your-agent.md > OpenAI Agents > js 0');
    const last = `const tools = await agent.mcpServers[0].listTools();
console.log(tools.map(({ name }) => name).join());
await beckon.close();`;
    const file = join(folder, 'agent.mjs');
    writeFileSync(file, `${block.replaceAll('https://beckon.example.com', hub.url)}${last}`);
    const { out, err } = await new Program([process.execPath, file], environment({ BECKON_KEY: key })).ended;
    deepStrictEqual([out, err], ['send_inquiry,get_answer,withdraw_inquiry,send_notice\n', '']);
  });

  // That they arrive is all that is shown: there is no model here.
  test('OpenAI Agents: what the guide has for the model reaches it as instructions, with what the tool is for', async () => {
    cpSync(join(import.meta.dirname, '../agents/models/cloud.mjs'), join(folder, 'cloud.mjs'));
    const fragments = [0, 1, 2].map((at) =>
      snippet(`infra/connect-your-agent.md > What to tell the model > text ${at}`),
    );
    const block = snippet('infra/connect-your-agent.md > OpenAI Agents > js 0')
      .replaceAll('https://beckon.example.com', hub.url)
      .replace("instructions: '…'", `instructions: ${JSON.stringify(fragments.join(''))}`);
    const last = `import { OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents';
import { startCloud } from './cloud.mjs';
setTracingDisabled(true);
const { url: baseURL } = await startCloud([]);
await new Runner({ modelProvider: new OpenAIProvider({ apiKey: 'none', baseURL }) }).run(agent, 'Go on.');
await beckon.close();`;
    const file = join(folder, 'told.mjs');
    writeFileSync(file, `${block}${last}`);
    const env = environment({ BECKON_KEY: key, HEARS: 'yes' });
    const { out, err } = await new Program([process.execPath, file], env).ended;
    const { instructions, tools } = JSON.parse(out) as { instructions: string; tools: Record<string, string>[] };
    deepStrictEqual([instructions, err], [fragments.join(''), '']);
    match(tools.find(({ name }) => name === 'send_inquiry')?.['description'] ?? '', /^Ask the person you work for/);
  });
});
