/** A block of code of a guide in `infra/`: the `block`-th under the heading `under`. */
export type Place = { guide: 'agents' | 'connect-your-agent'; under: string; block: number };

/**
 * One way to connect the same thing; `file`: where its settings stand, `client`: which block of "The client" it needs,
 * `agent`: what `beckon connect` calls it.
 */
export type Way = Place & { id: string; file?: string; client?: number; agent?: string };

/** Something that asks people; `name`: what its source is called, where that is clear. */
export type Choice = { id: string; label: string; name?: string; ways: [Way, ...Way[]] };

const asks = (id: string, under: string, block: number, more: Pick<Way, 'file' | 'client'> = {}): Way => ({
  id,
  guide: 'agents',
  under,
  block,
  ...more,
});
const js = (under: string) => asks('JavaScript', under, 0, { client: 0 });
const python = (under: string, block = 1) => asks('Python', under, block, { client: 1 });
const mcp = (under: string, file?: string): Way => ({
  id: under,
  guide: 'connect-your-agent',
  under,
  block: 0,
  ...(file === undefined ? {} : { file }),
});

/** On the agent's own machine; it writes what the other ways show. */
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
export const suggestedName = ({ id, name }: Choice, way: Way): string => name ?? (id === 'mcp' ? way.id : '');

/** What can be connected, in the order in which it is offered. */
export const CHOICES: [Choice, ...Choice[]] = [
  {
    id: 'claude-code',
    label: 'Claude Code',
    name: 'Claude Code',
    ways: [
      command('claude'),
      asks('where-it-asks', 'Claude Code', 0, { file: CLAUDE }),
      asks('every-call', 'Claude Code', 3, { file: CLAUDE }),
    ],
  },
  {
    id: 'langgraph',
    label: 'LangChain, LangGraph, Deep Agents',
    name: 'LangGraph',
    ways: [js('LangGraph'), python('LangGraph')],
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
      mcp('Claude Code'),
      mcp('Codex', CODEX),
      mcp('Cursor', '~/.cursor/mcp.json'),
      mcp('VS Code', '.vscode/mcp.json'),
      mcp('Gemini CLI', GEMINI),
    ],
  },
  { id: 'own', label: 'HTTP', ways: [asks('curl', PLAIN, 0), asks('JavaScript', PLAIN, 1), asks('Python', PLAIN, 2)] },
];
