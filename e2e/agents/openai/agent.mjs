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

let result = await run(agent, process.argv[2]);
while (result.interruptions.length > 0) {
  const { decisions } = await ask('openai', result.interruptions);
  // The state is text that a database can keep until people have decided.
  const state = await RunState.fromString(agent, result.state.toString());
  state.getInterruptions().forEach((item, at) => {
    const { approve, always, message } = decisions[at];
    if (approve) state.approve(item, { alwaysApprove: always });
    else state.reject(item, { alwaysReject: always, message });
  });
  result = await run(agent, state);
}

console.log(`said ${result.finalOutput}`);
