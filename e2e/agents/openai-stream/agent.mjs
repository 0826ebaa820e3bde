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
const agent = new Agent({ name: 'Cleaner', model, tools: [deleteRecords] });

let input = process.argv[2];
while (input) {
  const stream = await run(agent, input, { stream: true });
  for await (const text of stream.toTextStream()) console.log(`said ${text}`);
  await stream.completed;
  const items = stream.interruptions;
  const { decisions } = items.length > 0 ? await ask('openai', items) : { decisions: [] };
  decisions.forEach(({ approve, always, message }, at) => {
    if (approve) stream.state.approve(items[at], { alwaysApprove: always });
    else stream.state.reject(items[at], { alwaysReject: always, message });
  });
  input = items.length > 0 ? stream.state : undefined;
}
