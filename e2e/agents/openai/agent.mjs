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

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => stop.abort());

let result = await run(agent, process.argv[2], { signal: stop.signal });
while (result.interruptions.length > 0) {
  const items = result.interruptions;
  const { decisions } = await ask('openai', items, { deadline: 3600, signal: stop.signal });
  decisions.forEach(({ approve, always, message }, at) =>
    approve
      ? result.state.approve(items[at], { alwaysApprove: always })
      : result.state.reject(items[at], { alwaysReject: always, message }),
  );
  result = await run(agent, result.state, { signal: stop.signal });
}

console.log(`said ${result.finalOutput}`);
