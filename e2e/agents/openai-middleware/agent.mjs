import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, setTracingDisabled, tool } from '@openai/agents';
import { z } from 'zod';
import { model } from '../models/openai.mjs';
import { runWithPeople } from './client/openai-agents.mjs';

setTracingDisabled(true);
const deleteRecords = tool({
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  parameters: z.object({ table: z.string() }),
  needsApproval: true,
  execute({ table }) {
    console.log(`ran ${table}`);
    if (table === 'crash') process.kill(process.pid, 'SIGKILL');
    return `Deleted ${table}.`;
  },
});
const agent = new Agent({ name: 'Cleaner', model, tools: [deleteRecords] });

const ROW = 'run.json'; // a row of your database
const result = await runWithPeople(agent, process.argv[2], {
  load: () => existsSync(ROW) && readFileSync(ROW, 'utf8'),
  save: (kept) => writeFileSync(ROW, kept),
});
console.log(`said ${result.finalOutput}`);
