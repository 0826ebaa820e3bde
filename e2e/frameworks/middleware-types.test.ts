import { deepStrictEqual } from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Program } from '../hub/process.ts';
import { packagesOfExamples } from './installed.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = ['agents', 'langgraph'].map((name) => readFileSync(join(ROOT, `infra/${name}.md`), 'utf8')).join('\n');

/** What stands around the first snippet of a section of the guide, and further uses that have to compile. */
const AROUND: Record<string, [before: string, after: string]> = {
  LangChain: [
    `import { createAgent, type AgentMiddleware } from 'langchain';
declare const model: string, tools: [];`,
    `const held: AgentMiddleware = humanInTheLoop({ interruptOn: { a: { allowedDecisions: ['approve'] }, b: false } });`,
  ],
  'Deep Agents': [
    `import { createDeepAgent, type SubAgent } from 'deepagents';
declare const model: string, tools: [], subagents: SubAgent[];`,
    `const interruptOn = { b: { allowedDecisions: ['approve'] } } satisfies SubAgent['interruptOn'];
const params = withPeople({ model, tools, subagents: [{ name: 'a', description: 'b', systemPrompt: 'c', interruptOn }] }, { deadline: 60 });
export const { messages } = await createDeepAgent(params).invoke({ messages: 'd' });`,
  ],
  'OpenAI Agents': [
    `import { Agent, Runner } from '@openai/agents';
const [agent, input, id, rows] = [new Agent({ name: 'a' }), 'b', 'c', new Map<string, string>()];`,
    `export const said: string | undefined = result.finalOutput;
await runWithPeople(agent, input, { runner: new Runner(), runOptions: { maxTurns: 3 }, deadline: 60, signal: undefined });`,
  ],
  'AI SDK': [
    `import { generateText, streamText, ToolLoopAgent, tool, type LanguageModel } from 'ai';
import { z } from 'zod';
const tools = { delete_records: tool({ inputSchema: z.object({ table: z.string() }), execute: ({ table }) => table }) };
declare const model: LanguageModel, prompt: string;`,
    `streamText({ model, tools, toolApproval: toolApproval({ deadline: 60 }), prompt });
export const agent = new ToolLoopAgent({ model, tools, toolApproval: toolApproval({ tools: ['delete_records'] }) });`,
  ],
  'Your own MCP server': [
    `import { McpServer } from '@modelcontextprotocol/server';
import { McpServer as First } from '@modelcontextprotocol/sdk/server/mcp.js';
const server = new McpServer({ name: 'a', version: '1' });`,
    `export const first: First = withPeople(new First({ name: 'a', version: '1' }));`,
  ],
};
const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.asynciterable'],
};

test(
  "the guide's first lines of each middleware compile against its framework's own types",
  { timeout: 120_000 },
  async (t) => {
    const packages = join(await packagesOfExamples(), 'node_modules');
    const folder = mkdtempSync(join(tmpdir(), 'beckon-types-'));
    t.after(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'node_modules'));
    for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(folder, 'node_modules', name));
    const mcp = join(folder, 'node_modules/@modelcontextprotocol');
    rmSync(mcp);
    symlinkSync(join(ROOT, 'node_modules/@modelcontextprotocol'), mcp);
    cpSync(join(ROOT, 'server/dialects/client'), join(folder, 'client'), { recursive: true });
    const files = Object.entries(AROUND).map(([heading, [before, after]], at) => {
      const [, section = ''] = GUIDE.split(`\n## ${heading}\n`);
      const [, snippet = ''] = /```js\n(.*?)```/s.exec(section) ?? [];
      const here = snippet.replace(/'@beckon\/client\/(.*)'/, "'./client/$1.mjs'");
      deepStrictEqual([heading, here === snippet], [heading, false]);
      writeFileSync(join(folder, `${at}.mts`), `${before}\n${here}\n${after}\n`);
      return `${at}.mts`;
    });
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
    const { out } = await new Program([join(ROOT, 'node_modules/.bin/tsc'), '-p', folder], process.env).ended;
    deepStrictEqual(out, '');
  },
);
