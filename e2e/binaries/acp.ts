import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE } from '../bundle.ts';
import { claudeEnv } from './claude.ts';
import { geminiEnv, QUIET } from './gemini.ts';
import { snippetsOf } from './guide.ts';
import type { Agent, Place } from './scene.ts';

/** A coding agent that speaks ACP, behind `beckon acp`. */
export type Coding = (place: Place) => { command: string[]; env: Record<string, string> };

const NPX = ['npx', '-y', '@agentclientprotocol/claude-agent-acp'];

/** What the guide's settings for Zed start, with this agent in place of the guide's. */
function behind(agent: string[]): string[] {
  const [settings = ''] = snippetsOf('Zed', 'json');
  const { agent_servers: servers } = JSON.parse(settings) as { agent_servers: Record<string, { args: string[] }> };
  const args = Object.values(servers)[0]?.args ?? [];
  if (!args.join(' ').endsWith(NPX.join(' '))) throw new Error('infra/editors.md names no agent under Zed');
  return [process.execPath, BUNDLE.command, ...args.slice(0, -NPX.length), ...agent];
}

/** Claude Code, which asks before it writes. */
export const claudeAcp: Coding = (place) => {
  writeJson(place.home, '.claude', { permissions: { defaultMode: 'default' } });
  const program = join(place.packages, 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js');
  return { command: behind([process.execPath, program]), env: claudeEnv(place) };
};

export const geminiAcp: Coding = (place) => {
  writeJson(place.home, '.gemini', QUIET);
  const program = join(place.packages, 'node_modules/@google/gemini-cli/bundle/gemini.js');
  return { command: behind([process.execPath, program, '--acp']), env: geminiEnv(place) };
};

/** The official SDK's client; `answer`: the kind of the option that it takes, "cancel" or "never". */
export function editor(coding: Coding, answer = 'never', version: 1 | 2 = 1): Agent {
  return (place) => {
    const { command, env } = coding(place);
    const program = join(import.meta.dirname, 'editor.mjs');
    return { command: [process.execPath, program, place.packages, String(version), answer, ...command], env };
  };
}

/** On a terminal; it keeps its prompt, whatever it is told. */
export function acpx(coding: Coding): Agent {
  return (place) => {
    const { command, env } = coding(place);
    const program = join(place.packages, 'node_modules/acpx/dist/cli.js');
    const agent = command.map((word) => `'${word}'`).join(' ');
    return { command: [process.execPath, program, '--agent', agent, 'exec', 'Go on.'], env };
  };
}

function writeJson(home: string, folder: string, settings: object): void {
  mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, folder, 'settings.json'), JSON.stringify(settings));
}
