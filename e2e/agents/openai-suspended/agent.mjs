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
const VERSION = '1'; // of this agent: raised when its tools change

// A run that was cut off goes on here, with the key of its question.
const ROW = 'run.json'; // a row of your database
let kept = existsSync(ROW) ? JSON.parse(readFileSync(ROW)) : undefined;
let result = kept ? undefined : await run(agent, process.argv[2]);
while (!result || result.interruptions.length > 0) {
  if (result) kept = { version: VERSION, key: crypto.randomUUID(), state: result.state.toString() };
  writeFileSync(ROW, JSON.stringify(kept));
  if (kept.version !== VERSION) throw new Error(`Version ${kept.version} of this agent has to go on with this run.`);
  const state = await RunState.fromString(agent, kept.state); // throws where its schema is of another SDK
  const items = state.getInterruptions();
  const { decisions } = await ask('openai', items, { idempotencyKey: kept.key });
  decisions.forEach(({ approve, always, message }, at) => {
    if (approve) state.approve(items[at], { alwaysApprove: always });
    else state.reject(items[at], { alwaysReject: always, message });
  });
  result = await run(agent, state);
}
rmSync(ROW, { force: true });

console.log(`said ${result.finalOutput}`);
