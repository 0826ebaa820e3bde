import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { addSource } from '../hub/people.ts';
import { claudeCode } from './claude.ts';
import { connectedCodex } from './codex.ts';
import { gemini } from './gemini.ts';
import { openPeople, start, type Agent, type People, type Place } from './scene.ts';
import { startOnTerminal } from './terminal.ts';

const GUIDE = readFileSync(new URL('../../infra/connect-your-agent.md', import.meta.url), 'utf8');
const [, SECTION = ''] = GUIDE.split('\n## What to tell the model\n');
const [WHEN = '', HOW = '', THEN = ''] = [...SECTION.matchAll(/^```text\n(.*?)\n```$/gms)].map(([, text]) => text);
const FRAGMENTS = { when: WHEN, how: HOW, then: THEN };

/** A program in whose own instructions, in this file of its user's, the guide's fragments stand. */
function instructed(agent: Agent, file: string): Agent {
  return (place: Place) => {
    const path = join(place.home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Object.values(FRAGMENTS).join('\n\n'));
    const { command, env } = agent(place);
    return { command, ...(env ? { env } : {}) };
  };
}

// That the words arrive is all that is shown: what a model makes of them is not, for there is no model here.
describe('what the guide has for the model reaches it, by the real programs', { timeout: 300_000 }, () => {
  let people: People;
  let words: Record<string, string>;

  before(async () => {
    people = await openPeople();
    const { key } = await addSource(people.hub, people.owner, 'Reader');
    const client = new Client({ name: 'reader', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${people.hub.url}/mcp`), { requestInit }));
    const { tools } = await client.listTools();
    const description = tools.find(({ name }) => name === 'send_inquiry')?.description ?? '';
    words = { ...FRAGMENTS, instructions: client.getInstructions() ?? '', description };
    await client.close();
    for (const [name, text] of Object.entries(words)) ok(text.length > 100, name);
  });
  after(() => people?.hub.remove());

  /** Which of the words stand in what the model was sent, whole. */
  const arrived = (sent: string) =>
    Object.entries(words).flatMap(([name, text]) => (plain(sent).includes(plain(text)) ? [name] : []));

  test('Claude Code', async (t) => {
    const agent = instructed(claudeCode({ connected: true }), '.claude/CLAUDE.md');
    const run = await start(t, people, agent, { calls: [] });
    await run.program.ended;
    deepStrictEqual(arrived(run.sent()), ['when', 'how', 'then', 'instructions', 'description']);
  });

  test('Gemini CLI', async (t) => {
    const run = await start(t, people, instructed(gemini('connected'), '.gemini/GEMINI.md'), { calls: [] });
    await run.program.ended;
    deepStrictEqual(arrived(run.sent()), ['when', 'how', 'then', 'instructions', 'description']);
  });

  test('Codex', async (t) => {
    const run = await startOnTerminal(t, people, instructed(connectedCodex, '.codex/AGENTS.md'), { calls: [] });
    await run.shows('Done.');
    deepStrictEqual(arrived(run.sent()), ['when', 'how', 'then', 'instructions', 'description']);
  });
});

/** Programs indent and wrap in their own ways. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
