import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { model } from '../models/ai-sdk.mjs';
import { toolApproval } from './client/ai-sdk.mjs';

const on = (verb, done) =>
  tool({
    description: `To ${verb} all records of a table.`,
    inputSchema: z.object({ table: z.string() }),
    execute: ({ table }) => (console.log(`ran ${table}`), `${done} ${table}.`),
  });

const result = await generateText({
  model,
  tools: { delete_records: on('delete', 'Deleted'), list_records: on('list', 'Listed') },
  toolApproval: toolApproval({ tools: ['delete_records'], agent: 'Cleaner' }),
  messages: [{ role: 'user', content: process.argv[2] }],
  stopWhen: stepCountIs(10),
});
console.log(`said ${result.text}`);
