import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, WITHOUT_KEY } from './connect.ts';
import { filled, snippetsOf } from './guide.ts';
import type { Agent, Place } from './scene.ts';

/** Codex on a terminal, with the guide's hook in its settings. */
export const codex: Agent = (place) => {
  const [hook = ''] = snippetsOf('Codex', 'toml');
  return started(place, filled(hook, place.hub));
};

/** The same, with what `beckon connect` writes. */
export const connectedCodex: Agent = (place) => {
  const { command, env } = started(place, '');
  connect(place, 'codex');
  return { command, env: { ...env, ...WITHOUT_KEY } };
};

function started({ packages, home, folder, model }: Place, hook: string) {
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(join(home, '.codex/config.toml'), settingsOf(model, folder) + hook);
  return {
    command: [process.execPath, join(packages, 'node_modules/@openai/codex/bin/codex.js'), ...FLAGS, 'Go on.'],
    env: { TERM: 'xterm-256color' },
  };
}

/** The scripted model, and nothing else on the network. */
const settingsOf = (model: string, folder: string) => `model = "scripted"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
chatgpt_base_url = "${model}"

[features]
apps = false
daemon_auto_start = false
plugins = false
remote_plugin = false

[tui]
show_tooltips = false

[analytics]
enabled = false

[model_providers.scripted]
name = "Scripted"
base_url = "${model}/v1"
wire_api = "responses"

[projects."${folder}"]
trust_level = "trusted"

`;

// Its own question whether to trust the hook is the user's; here the hook is the guide's.
const FLAGS = ['--no-alt-screen', '--dangerously-bypass-hook-trust'];
