import { IN_A_CLONE } from '../devices/opens-elsewhere.ts';

/** The guides in `infra/` that hold what is shown. */
export const GUIDES = ['agents', 'connect-your-agent', 'claude-code', 'langgraph', 'editors', 'keycloak'] as const;

/** A block of code of a guide: the `block`-th under the heading `under`. */
export type Place = { guide: (typeof GUIDES)[number]; under: string; block: number };

/**
 * One way to connect the same thing; `file`: where its settings stand, `client`: which block of "The client" it needs,
 * `agent`: what `beckon connect` calls it; `keyless`: it needs no key of the hub.
 */
export type Way = Place & { id: string; file?: string; client?: number; agent?: string; keyless?: true };

/** Something that asks people; `name`: what its source is called, where that is clear. */
export type Choice = { id: string; label: string; name?: string; ways: [Way, ...Way[]] };

const asks = (
  id: string,
  under: string,
  block: number,
  more: Partial<Pick<Way, 'guide' | 'file' | 'client'>> = {},
): Way => ({
  id,
  guide: 'agents',
  under,
  block,
  ...more,
});
// Behind the middleware of a package, which is no single file.
const js = (under: string) => asks('JavaScript', under, 1, { client: 0 });
const python = (under: string, block = 2) => asks('Python', under, block, { client: 1 });
const settings = (under: string, file?: string, guide: Way['guide'] = 'connect-your-agent'): Way => ({
  id: under,
  guide,
  under,
  block: 0,
  ...(file === undefined ? {} : { file }),
});

/** On the agent's own machine; it writes what the other ways show, and asks the hub's owner for its key. */
const command = (agent: string): Way => ({
  id: 'one-command',
  guide: 'connect-your-agent',
  under: 'One command',
  block: 1,
  agent,
});

/** The same on the machine of the hub, where the command makes the key itself. */
export const COMMAND_HERE: Place = { guide: 'connect-your-agent', under: 'One command', block: 0 };

const CLAUDE = '~/.claude/settings.json';
const CODEX = '~/.codex/config.toml';
const GEMINI = '~/.gemini/settings.json';
const PLAIN = 'Others, over the plain API';

/** What a source of it is called unless a person writes a name; empty where that is not clear. */
export const suggestedName = ({ id, name }: Choice, way: Way): string =>
  name ?? (id === 'mcp' || id === 'acp' ? way.id : '');

type Filling = { origin: string; commandLine: string; agent: string | undefined; apiKey: string | undefined };

/** A block of a guide with this hub's address and command, the agent that is connected, and its key once there is one. */
export function fill(text: string, { origin, commandLine, agent, apiKey }: Filling): string {
  const here = text.replaceAll('https://beckon.example.com', origin).replaceAll(IN_A_CLONE, commandLine);
  const named = agent === undefined ? here : here.replace('connect claude', `connect ${agent}`).replace(/ +#.*/, '');
  return apiKey === undefined ? named : named.replace(/\$\{(?:env:)?BECKON_KEY\}|\$BECKON_KEY|bks_…/g, apiKey);
}

/** What can be connected, in the order in which it is offered. */
export const CHOICES: [Choice, ...Choice[]] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    name: 'Claude Code',
    ways: [
      command('claude'),
      asks('where-it-asks', 'Hooks', 0, { guide: 'claude-code', file: CLAUDE }),
      asks('every-call', 'Hooks', 3, { guide: 'claude-code', file: CLAUDE }),
    ],
  },
  {
    id: 'langgraph',
    label: 'LangChain, LangGraph, Deep Agents',
    name: 'LangGraph',
    ways: [
      asks('JavaScript', 'LangGraph', 0, { guide: 'langgraph', client: 0 }),
      asks('Python', 'LangGraph', 1, { guide: 'langgraph', client: 1 }),
    ],
  },
  {
    id: 'openai',
    label: 'OpenAI Agents',
    name: 'OpenAI Agents',
    ways: [js('OpenAI Agents'), python('OpenAI Agents')],
  },
  { id: 'ai-sdk', label: 'AI SDK', name: 'AI SDK', ways: [js('AI SDK')] },
  {
    id: 'claude',
    label: 'Claude Agent SDK',
    name: 'Claude Agent SDK',
    ways: [js('Claude Agent SDK'), python('Claude Agent SDK')],
  },
  {
    id: 'codex',
    label: 'Codex',
    name: 'Codex',
    ways: [command('codex'), asks('away', 'Codex', 0, { file: CODEX }), asks('before-it', 'Codex', 1, { file: CODEX })],
  },
  {
    id: 'gemini',
    label: 'Gemini CLI',
    name: 'Gemini CLI',
    ways: [command('gemini'), asks('Gemini CLI', 'Gemini CLI', 0, { file: GEMINI })],
  },
  { id: 'pydantic-ai', label: 'Pydantic AI', name: 'Pydantic AI', ways: [python('Pydantic AI', 0)] },
  {
    id: 'mcp',
    label: 'MCP',
    ways: [
      { id: 'Claude Code', guide: 'claude-code', under: 'Its MCP server', block: 0 },
      settings('Codex', CODEX),
      settings('Cursor', '~/.cursor/mcp.json'),
      settings('VS Code', '.vscode/mcp.json'),
      settings('Gemini CLI', GEMINI),
    ],
  },
  {
    id: 'acp',
    label: 'Zed, JetBrains, Neovim (ACP)',
    ways: [
      settings('Zed', '~/.config/zed/settings.json', 'editors'),
      settings('JetBrains', '~/.jetbrains/acp.json', 'editors'),
      settings('Neovim', '~/.config/nvim/init.lua', 'editors'),
    ],
  },
  {
    id: 'keycloak',
    label: 'Keycloak',
    ways: [{ id: 'Keycloak', guide: 'keycloak', under: 'Set up', block: 1, keyless: true }],
  },
  {
    id: 'aap',
    label: 'Agent Approval Protocol',
    ways: [asks('Claude Code', 'By the Agent Approval Protocol', 0, { guide: 'claude-code' })],
  },
  { id: 'own', label: 'HTTP', ways: [asks('curl', PLAIN, 0), asks('JavaScript', PLAIN, 1), asks('Python', PLAIN, 2)] },
];
