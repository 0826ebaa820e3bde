import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, WITHOUT_KEY } from './connect.ts';
import { filled, snippetsOf } from './guide.ts';
import type { Agent, Place } from './scene.ts';

type Mode = 'default' | 'acceptEdits' | 'bypassPermissions';
type Options = {
  /** `beckon connect` writes the settings, in place of the guide. */
  connected?: boolean;
  mode?: Mode;
  /** The event that asks; the guide offers both. */
  event?: 'PermissionRequest' | 'PreToolUse';
  change?: (settings: string) => string;
  args?: string[];
};

/** Claude Code without a terminal, with the guide's hooks in its settings. */
export function claudeCode({ args = [], connected = false, ...options }: Options = {}): Agent {
  return (place) => {
    if (connected) connect(place, 'claude');
    else writeSettings(place, options);
    return {
      command: [binaryIn(place.packages), '-p', 'Go on.', '--permission-mode', options.mode ?? 'default', ...args],
      env: { ...claudeEnv(place), ...(connected && WITHOUT_KEY) },
    };
  };
}

/** Claude Code, listing the MCP servers that `beckon connect` left it, each with a try. */
export const claudeServers: Agent = (place) => {
  connect(place, 'claude');
  return { command: [binaryIn(place.packages), 'mcp', 'list'], env: { ...claudeEnv(place), ...WITHOUT_KEY } };
};

/** Claude Code on a terminal, in a folder that its user trusts. */
export function claudeOnTerminal(prompt = 'Go on.'): Agent {
  return (place) => {
    writeSettings(place, {});
    const state = { hasCompletedOnboarding: true, projects: { [place.folder]: { hasTrustDialogAccepted: true } } };
    writeFileSync(join(place.home, '.claude.json'), JSON.stringify(state));
    return {
      command: [binaryIn(place.packages), '--permission-mode', 'default', prompt],
      env: { ...claudeEnv(place), TERM: 'xterm-256color' },
    };
  };
}

/** The binary that the Agent SDK brings for this machine. */
function binaryIn(packages: string): string {
  const [found] = globSync('node_modules/@anthropic-ai/claude-agent-sdk-*/claude', { cwd: packages });
  if (!found) throw new Error('the Agent SDK has no Claude Code for this machine');
  return join(packages, found);
}

/** Its model is the scripted one; nothing else is called. */
export function claudeEnv({ model }: Place): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_AUTH_TOKEN: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Root may not bypass permissions outside of a container.
    IS_SANDBOX: '1',
  };
}

function writeSettings({ home, hub }: Place, { event = 'PermissionRequest', change = (hook) => hook }: Options): void {
  const [hooks = '', asks = '', tells = '', everyCall = ''] = snippetsOf('Hooks', 'json');
  const settings = event === 'PreToolUse' ? everyCall : hooks.replaceAll('"ASKS"', asks).replaceAll('"TELLS"', tells);
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude/settings.json'), change(filled(settings, hub)));
}
