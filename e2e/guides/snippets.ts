import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
export const GUIDES = ['README.md', ...globSync('infra/**/*.md', { cwd: ROOT }).toSorted()];

/** A block of code of a guide; `name` is its guide, its heading, its language and its place among those under it. */
export type Snippet = { name: string; language: string; code: string };

/** Every block of code that README and the guides show, in their order. */
export const SNIPPETS: Snippet[] = GUIDES.flatMap((guide) => {
  const count: Record<string, number> = {};
  const parts = readFileSync(join(ROOT, guide), 'utf8').matchAll(/^#+ (.+)$|^```(\w*)\n([^]*?)^```$/gm);
  let heading = '';
  return [...parts].flatMap(([, title, language = '', code = '']): Snippet[] => {
    if (title !== undefined) {
      heading = title;
      return [];
    }
    const place = `${guide} > ${heading} > ${language || 'other'}`;
    count[place] = (count[place] ?? -1) + 1;
    return [{ name: `${place} ${count[place]}`, language, code }];
  });
});

/** The code of one of them. */
export function snippet(name: string): string {
  const found = SNIPPETS.find((one) => one.name === name);
  if (!found) throw new Error(`no guide shows "${name}"`);
  return found.code;
}

/**
 * What becomes of each: `run` by a test, in a `whole` file that a test runs (with the name that both have), or only
 * `parsed`, with the reason why no test runs it.
 */
export const CHECKS: [name: string, how: 'run' | 'whole' | 'parsed', what: string][] = `
README.md > Beckon > sh 0 | parsed | starts a hub for good, and writes the settings of the user's own Claude Code
README.md > Ask > sh 0 | run | e2e/guides.test.ts
README.md > Ask > sh 1 | run | e2e/guides.test.ts
README.md > Connect a framework > js 0 | whole | e2e/agents/langchain/agent.mjs: while (result.__interrupt__)
infra/README.md > On one machine > sh 0 | parsed | starts a hub for good
infra/README.md > On one machine > other 0 | parsed | the file of a proxy that is not installed here
infra/README.md > On one machine > sh 1 | parsed | installs for the whole machine; e2e/tarball.test.ts installs and runs the same file
infra/README.md > On one machine > sh 2 | parsed | needs a container engine
infra/README.md > On one machine > sh 3 | parsed | needs a service or a container
infra/two-nodes.md > Two nodes > sh 0 | parsed | needs a container engine
infra/README.md > As a service > sh 0 | run | e2e/tarball.test.ts
infra/README.md > Signing people in by your own provider > sh 0 | parsed | names a provider that the reader has
infra/keycloak.md > Set up > sh 0 | parsed | names a realm that the reader has; e2e/keycloak.test.ts ties a user of another provider
infra/keycloak.md > Set up > sh 1 | parsed | starts a server that is not installed here
infra/keycloak.md > Set up > sh 2 | parsed | asks a realm that the reader has
infra/protocols.md > A sign-in that is confirmed > sh 0 | parsed | starts a server that is not installed here; e2e/keycloak.test.ts runs another provider
infra/README.md > After a lost phone > sh 0 | run | e2e/guides.test.ts
infra/README.md > Upgrading > sh 0 | parsed | changes the clone that it stands in
infra/README.md > Backing up > sh 0 | run | e2e/guides.test.ts
infra/README.md > Backing up > sh 1 | parsed | needs the hub's own Postgres; e2e/operations.test.ts backs one up
infra/README.md > Backing up > sql 0 | run | e2e/guides.test.ts
infra/README.md > Restoring > sh 0 | parsed | starts a hub for good; e2e/operations.test.ts restores
infra/README.md > Restoring > sh 1 | parsed | needs a container engine
infra/kubernetes/README.md > Two nodes on Kubernetes > sh 0 | parsed | needs a cluster
infra/protocols.md > MCP Events > js 0 | whole | e2e/mcp/events-client/agent.mjs: await client.experimental_events.subscribe({
infra/agents.md > The client > sh 0 | run | e2e/guides.test.ts
infra/agents.md > The client > sh 1 | run | e2e/guides.test.ts
infra/agents.md > asyncio > python 0 | run | e2e/stopping.test.ts
infra/agents.md > Stopping a process that asks > js 0 | run | e2e/stopping.test.ts
infra/agents.md > Stopping a process that asks > python 0 | run | e2e/stopping.test.ts
infra/langgraph.md > LangChain > js 0 | whole | e2e/agents/langchain-middleware/agent.mjs: humanInTheLoop({ interruptOn: { delete_records: true
infra/langgraph.md > Deep Agents > js 0 | whole | e2e/agents/deepagents-middleware/agent.mjs: interruptOn: { delete_records: true }
infra/agents.md > Middleware in Python > python 0 | run | e2e/frameworks/python.test.ts
infra/agents.md > Middleware in Python > python 1 | run | e2e/frameworks/python.test.ts
infra/agents.md > Middleware in Python > python 2 | run | e2e/frameworks/python.test.ts
infra/langgraph.md > LangGraph > js 0 | whole | e2e/agents/langgraph/agent.mjs: await ask('langgraph', result.__interrupt__
infra/langgraph.md > LangGraph > python 0 | run | e2e/frameworks/python.test.ts
infra/langgraph.md > LangGraph Server > js 0 | run | e2e/binaries/langgraph.ts
infra/agents.md > OpenAI Agents > js 0 | whole | e2e/agents/openai-middleware/agent.mjs: await runWithPeople(agent,
infra/agents.md > OpenAI Agents > js 1 | whole | e2e/agents/openai/agent.mjs: const { decisions } = await ask('openai', items, { deadline: 3600, signal: stop.signal });
infra/agents.md > OpenAI Agents > python 0 | run | e2e/frameworks/python.test.ts
infra/agents.md > A hosted MCP server > js 0 | whole | e2e/agents/openai-hosted/agent.mjs: requireApproval: 'always'
infra/agents.md > Realtime > js 0 | whole | e2e/agents/openai-realtime/agent.mjs: session.on('tool_approval_requested', async (_context, _agent, { approvalItem: item }) => {
infra/agents.md > AI SDK > js 0 | whole | e2e/agents/ai-sdk-middleware/agent.mjs: toolApproval({ tools: ['delete_records']
infra/agents.md > AI SDK > js 1 | whole | e2e/agents/ai-sdk/agent.mjs: await ask('ai-sdk', result.content, { deadline: 3600, signal: stop.signal })
infra/agents.md > Claude Agent SDK > js 0 | run | e2e/binaries/sdk.ts
infra/agents.md > Claude Agent SDK > js 1 | run | e2e/binaries/sdk.ts
infra/agents.md > Claude Agent SDK > python 0 | run | server/dialects/client/guide.test.ts
infra/claude-code.md > Hooks > json 0 | run | e2e/binaries/claude.ts
infra/claude-code.md > Hooks > json 1 | run | e2e/binaries/claude.ts
infra/claude-code.md > Hooks > json 2 | run | e2e/binaries/claude.ts
infra/claude-code.md > Hooks > json 3 | run | e2e/binaries/claude.ts
infra/agents.md > Codex > toml 0 | run | e2e/binaries/codex.ts
infra/agents.md > Codex > toml 1 | parsed | the first one with a shorter wait
infra/agents.md > Gemini CLI > json 0 | run | e2e/binaries/gemini.ts
infra/agents.md > Pydantic AI > python 0 | parsed | its packages are not installed here; the dialect has recorded bodies
infra/agents.md > Your own MCP server > js 0 | whole | e2e/frameworks/mcp-middleware.test.ts: withPeople(server,
infra/agents.md > Questions in a platform's own stream > js 0 | parsed | four words of a program that the reader has
infra/agents.md > Others, over the plain API > sh 0 | run | e2e/guides.test.ts
infra/agents.md > Others, over the plain API > js 0 | run | e2e/guides.test.ts
infra/agents.md > Others, over the plain API > python 0 | run | e2e/guides.test.ts
infra/connect-your-agent.md > One command > sh 0 | parsed | asks before it writes; e2e/connect.test.ts runs it with --yes
infra/connect-your-agent.md > One command > sh 1 | parsed | waits for a person; e2e/device-grant.test.ts runs it
infra/connect-your-agent.md > One command > sh 2 | parsed | the same, elsewhere
infra/protocols.md > A key by a person's yes > sh 0 | parsed | waits for a person; e2e/device-grant.test.ts does the same with openid-client
infra/claude-code.md > By the Agent Approval Protocol > sh 0 | parsed | needs a program that no registry here has; server/protocols/aap and e2e/aap.test.ts speak as it does
infra/protocols.md > Agent Approval Protocol > sh 0 | run | e2e/guides.test.ts
infra/protocols.md > Agent Approval Protocol > sh 1 | run | e2e/guides.test.ts
infra/protocols.md > Agent Approval Protocol > sh 2 | run | e2e/guides.test.ts
infra/claude-code.md > Its MCP server > sh 0 | parsed | writes the settings of the user's own Claude Code
infra/claude-code.md > Its MCP server > json 0 | parsed | settings of a program that no test runs on them
infra/connect-your-agent.md > Codex > toml 0 | parsed | what beckon connect writes, which e2e/binaries/connect.test.ts runs
infra/connect-your-agent.md > Cursor > json 0 | parsed | settings of a program that cannot be installed here
infra/connect-your-agent.md > VS Code > json 0 | parsed | settings of a program that cannot be installed here
infra/connect-your-agent.md > Gemini CLI > json 0 | parsed | what beckon connect writes, which e2e/binaries/connect.test.ts runs
infra/connect-your-agent.md > opencode, Windsurf and Copilot CLI > json 0 | parsed | settings of a program that no test runs
infra/connect-your-agent.md > opencode, Windsurf and Copilot CLI > json 1 | parsed | settings of a program that cannot be installed here
infra/connect-your-agent.md > opencode, Windsurf and Copilot CLI > json 2 | parsed | settings of a program that no test runs
infra/connect-your-agent.md > LangChain > js 0 | parsed | its adapter is not installed by the tests
infra/connect-your-agent.md > LangChain > python 0 | parsed | its packages are not installed here
infra/connect-your-agent.md > OpenAI Agents > js 0 | run | e2e/frameworks/guide.test.ts
infra/connect-your-agent.md > OpenAI Agents > python 0 | parsed | its packages are not installed here
infra/connect-your-agent.md > Over stdio > json 0 | parsed | settings; e2e/mcp/clients-stdio.test.ts starts the same command
infra/connect-your-agent.md > Plain HTTP > sh 0 | run | e2e/plain-http.test.ts
infra/connect-your-agent.md > Plain HTTP > python 0 | run | e2e/plain-http.test.ts
infra/connect-your-agent.md > What to tell the model > text 0 | run | e2e/binaries/model-texts.test.ts
infra/connect-your-agent.md > What to tell the model > text 1 | run | e2e/binaries/model-texts.test.ts
infra/connect-your-agent.md > What to tell the model > text 2 | run | e2e/binaries/model-texts.test.ts
infra/connect-your-agent.md > What to tell the model > text 3 | parsed | the first three in Chinese
infra/connect-your-agent.md > What to tell the model > text 4 | parsed | the first three in Chinese
infra/connect-your-agent.md > What to tell the model > text 5 | parsed | the first three in Chinese
infra/connect-your-agent.md > What the agent is told > sh 0 | run | e2e/plain-http.test.ts
infra/connect-your-agent.md > How long an approval holds > sh 0 | run | e2e/guides.test.ts
infra/connect-your-agent.md > Several people > sh 0 | run | e2e/guides.test.ts
infra/connect-your-agent.md > When nobody answers > sh 0 | run | e2e/guides.test.ts
infra/editors.md > Zed > json 0 | run | e2e/binaries/acp.ts
infra/editors.md > JetBrains > json 0 | parsed | the command of Zed in another editor's settings
infra/editors.md > Neovim > lua 0 | parsed | the command of Zed in another editor's settings
infra/protocols.md > In an editor > sh 0 | parsed | the command of Zed, which e2e/binaries/acp.test.ts starts
infra/gates.md > Approve an MCP server's calls > sh 0 | parsed | writes the settings of the user's own Claude Code
infra/gates.md > Setting it up > sh 0 | run | e2e/plain-http.test.ts
infra/gates.md > Setting it up > json 0 | run | e2e/guides.test.ts
infra/gates.md > Setting it up > json 1 | parsed | settings; e2e/gate/cli-server.test.ts starts the same command
infra/gates.md > Rules > json 0 | run | e2e/guides.test.ts
infra/connect-your-agent.md > Anything that can post > sh 0 | run | e2e/recipes.test.ts
infra/deciders.md > Let a model or a tool of yours decide > sh 0 | run | e2e/guides.test.ts
infra/receipts.md > Receipts > sh 0 | run | e2e/guides.test.ts
infra/receipts.md > Receipts > sh 1 | run | e2e/guides.test.ts
infra/receipts.md > In JavaScript > js 0 | run | server/receipts/vectors.test.ts
infra/receipts.md > In Python > python 0 | run | server/receipts/vectors.test.ts
infra/receipts.md > In a shell > sh 0 | run | server/receipts/vectors.test.ts
infra/recipes.md > What all have in common > json 0 | run | e2e/recipes.test.ts
infra/recipes.md > What all have in common > js 0 | run | e2e/recipes.test.ts
infra/recipes.md > What all have in common > python 0 | run | e2e/recipes.test.ts
infra/recipes.md > n8n > json 0 | run | e2e/recipes.test.ts
infra/recipes.md > n8n over an inbound address > json 0 | run | e2e/recipes.test.ts
infra/recipes.md > n8n over an inbound address > json 1 | run | e2e/recipes.test.ts
infra/recipes.md > Trigger.dev > js 0 | run | e2e/recipes.test.ts
infra/recipes.md > Inngest > js 0 | run | e2e/recipes.test.ts
infra/recipes.md > Temporal > js 0 | run | e2e/recipes.test.ts
infra/recipes.md > Temporal > js 1 | run | e2e/recipes.test.ts
infra/recipes.md > Mastra > js 0 | run | e2e/recipes.test.ts
infra/recipes.md > CrewAI > python 0 | run | e2e/recipes.test.ts
infra/recipes.md > Google ADK > python 0 | run | e2e/recipes.test.ts
infra/upgrading.md > As a service > sh 0 | run | e2e/tarball.test.ts
infra/upgrading.md > As a container > sh 0 | parsed | needs a container engine
infra/webhooks.md > What is posted > json 0 | run | e2e/webhooks.test.ts
infra/webhooks.md > What is posted > json 1 | run | e2e/webhooks.test.ts
infra/webhooks.md > What is posted > json 2 | run | e2e/webhooks.test.ts
infra/webhooks.md > A receiver that verifies > js 0 | run | e2e/webhooks.test.ts
infra/webhooks.md > A receiver that verifies > python 0 | run | e2e/webhooks.test.ts
infra/webhooks.md > A receiver that verifies > sh 0 | run | e2e/webhooks.test.ts
infra/webhooks.md > With the public key > js 0 | run | e2e/webhooks.test.ts
infra/webhooks.md > With the public key > python 0 | run | e2e/webhooks.test.ts
infra/webhooks.md > With the public key > sh 0 | run | e2e/webhooks.test.ts
`
  .trim()
  .split('\n')
  .map((line) => line.split(' | ') as [string, 'run' | 'whole' | 'parsed', string]);
