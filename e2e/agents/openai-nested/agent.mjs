import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
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
const cleaner = new Agent({ name: 'Cleaner', model, tools: [deleteRecords] });
const clean = cleaner.asTool({ toolName: 'clean', toolDescription: 'Cleans tables.', needsApproval: true });
const agent = new Agent({ name: 'Manager', model, tools: [clean] });

let result = await run(agent, process.argv[2]);
while (result.interruptions.length > 0) {
  const { interruptions: items, state } = result;
  const { decisions } = await ask('openai', items);
  decisions.forEach(({ approve, always, message }, at) => {
    if (approve) state.approve(items[at], { alwaysApprove: always });
    else state.reject(items[at], { alwaysReject: always, message });
  });
  result = await run(agent, state);
}

console.log(`said ${result.finalOutput}`);
