import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { claudeCode, claudeServers } from './claude.ts';
import { connectedCodex } from './codex.ts';
import { gemini } from './gemini.ts';
import { decide, DECIDED, driven, WRITES } from './outcomes.ts';
import { openPeople, start, type People } from './scene.ts';
import { startOnTerminal } from './terminal.ts';

const { approve = {}, edit = {} } = DECIDED;

describe('programs whose settings "beckon connect" wrote', { timeout: 600_000, concurrency: 2 }, () => {
  let people: People;
  before(async () => (people = await openPeople()));
  after(() => people?.hub.remove());

  test('[DIA1] Claude Code asks before it runs a tool', async (t) => {
    const calls = [{ name: 'Bash', input: { command: WRITES, description: 'Writes a file' } }];
    const { ran } = await driven(t, people, { agent: claudeCode({ connected: true }), calls, outcome: edit });
    deepStrictEqual(ran, 'edited');
  });

  test('Claude Code has the hub as an MCP server', async (t) => {
    const run = await start(t, people, claudeServers, { calls: [] });
    match((await run.program.ended).out, /^beckon: http:.* \(HTTP\) - .*Connected$/m);
  });

  test('[DIA1] Gemini CLI asks before it runs a tool', async (t) => {
    const calls = [{ name: 'run_shell_command', input: { command: WRITES, description: 'Writes a file' } }];
    const { ran } = await driven(t, people, { agent: gemini('connected'), calls, outcome: edit });
    deepStrictEqual(ran, 'edited');
  });

  test('[DIA1] Codex asks before it runs a tool', async (t) => {
    const escalated = { sandbox_permissions: 'require_escalated', justification: 'To try.' };
    const calls = [{ name: 'exec_command', input: { cmd: WRITES, ...escalated } }];
    const run = await startOnTerminal(t, people, connectedCodex, { calls });
    await decide(run, 'approve');
    await run.shows('Done.');
    deepStrictEqual([run.ran(), approve.ran], ['asked', 'asked']);
  });
});
