import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, WITHOUT_KEY } from './connect.ts';
import { filled, snippetsOf } from './guide.ts';
import type { Agent, Place } from './scene.ts';

/** Gemini CLI without a terminal, which runs every tool without a question of its own; the guide's hook in its settings. */
export function gemini(hook: ((settings: string) => string) | 'connected' = (settings) => settings): Agent {
  return (place) => {
    const { packages, home, folder, hub } = place;
    const [snippet = ''] = snippetsOf('Gemini CLI', 'json');
    mkdirSync(join(home, '.gemini'), { recursive: true });
    if (hook === 'connected') connect(place, 'gemini');
    else writeFileSync(join(home, '.gemini/settings.json'), hook(filled(snippet, hub)));
    const program = join(packages, 'node_modules/@google/gemini-cli/bundle/gemini.js');
    // The guide's file is the user's; these are the folder's.
    mkdirSync(join(folder, '.gemini'));
    writeFileSync(join(folder, '.gemini/settings.json'), JSON.stringify(QUIET));
    return {
      command: [process.execPath, program, '--yolo', '--prompt', 'Go on.'],
      env: { ...(hook === 'connected' && WITHOUT_KEY), ...geminiEnv(place) },
    };
  };
}

/** Its model is the scripted one. */
export function geminiEnv({ model }: Place): Record<string, string> {
  return {
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: 'true',
  };
}

/** Nothing is sent anywhere but to the model. */
export const QUIET = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType: 'gemini-api-key' } },
  tools: { useRipgrep: false },
};
