import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, run, RunState, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { model } from '../models/openai.mjs';
import { ask } from './beckon.mjs';

setTracingDisabled(true);
const deleteRecords = tool({
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  parameters: z.object({ table: z.string() }),
  needsApproval: true,
  execute: ({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`),
});
const agent = new Agent({ name: 'Cleaner', model, tools: [deleteRecords] });
const version = '1'; // raised when its tools change

// A run that was cut off goes on here, with the key of its question.
const ROW = 'run.json'; // a row of your database
let result = existsSync(ROW) ? undefined : await run(agent, process.argv[2]);
while (!result || result.interruptions.length > 0) {
  if (result) writeFileSync(ROW, JSON.stringify({ version, key: crypto.randomUUID(), text: `${result.state}` }));
  const kept = JSON.parse(readFileSync(ROW));
  if (kept.version !== version) throw new Error(`Version ${kept.version} of this agent has to go on with this run.`);
  const state = await RunState.fromString(agent, kept.text); // throws where its schema is of another SDK
  const items = state.getInterruptions();
  const { decisions } = await ask('openai', items, { idempotencyKey: kept.key });
  for (const [at, { approve, always, message }] of decisions.entries())
    if (approve) state.approve(items[at], { alwaysApprove: always });
    else state.reject(items[at], { alwaysReject: always, message });
  result = await run(agent, state);
}
rmSync(ROW, { force: true });

console.log(`said ${result.finalOutput}`);
