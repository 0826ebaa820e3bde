import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { claudeCode } from './claude.ts';
import { driven, UNDECIDED, type Outcome } from './outcomes.ts';
import { openPeople, type People } from './scene.ts';

// The model's first call waits for its tools.
const shop = { alwaysLoad: true, command: process.execPath, args: [fileURLToPath(import.meta.resolve('./shop.ts'))] };
const agent = claudeCode({
  args: ['--mcp-config', JSON.stringify({ mcpServers: { shop } }), '--allowedTools', 'mcp__shop__send'],
});
const calls = [{ name: 'mcp__shop__send', input: {} }];
const { expiry = {}, withdrawal = {}, 'hub down': down = {} } = UNDECIDED;

/** What happens to the form, and what its server is told. */
const OUTCOMES: Record<string, [Outcome, object]> = {
  answered: [
    { does: async (run) => run.answer(await run.asked(), { values: { form: { city: 'Bern' } } }) },
    { action: 'accept', content: { city: 'Bern' } },
  ],
  declined: [{ does: async (run) => run.answer(await run.asked(), { outcome: 'declined' }) }, { action: 'decline' }],
  expiry: [expiry, { action: 'cancel' }],
  withdrawal: [withdrawal, { action: 'cancel' }],
  'hub down': [down, { action: 'cancel' }],
};

describe(
  'Claude Code with the hooks of the guide, and an MCP server that asks',
  { timeout: 600_000, concurrency: 2 },
  () => {
    let people: People;
    before(async () => (people = await openPeople()));
    after(() => people?.hub.remove());

    for (const [name, [outcome, reply]] of Object.entries(OUTCOMES))
      test(`[DIA1] a form of an MCP server: ${name}`, async (t) => {
        const { told } = await driven(t, people, { agent, calls, outcome });
        deepStrictEqual(JSON.parse(told), [{ type: 'text', text: JSON.stringify(reply) }]);
      });
  },
);
