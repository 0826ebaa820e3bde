import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { model } from '../models/ai-sdk.mjs';
import { ask } from './beckon.mjs';

const tools = {
  delete_records: tool({
    description: 'Deletes all records of a table.',
    inputSchema: z.object({ table: z.string() }),
    execute: ({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`),
  }),
  ask_user: tool({ description: 'Asks the user.', inputSchema: z.object({ question: z.string() }) }),
};
const toolApproval = { delete_records: 'user-approval' };

const messages = [{ role: 'user', content: process.argv[2] }];
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort());

const step = () => generateText({ model, tools, toolApproval, messages, stopWhen: stepCountIs(10) });
let result = await step();
while (result.finishReason === 'tool-calls') {
  const answered = await ask('ai-sdk', result.content, { deadline: 3600, signal: stop.signal });
  messages.push(...result.responseMessages, answered);
  result = await step();
}

console.log(`said ${result.text}`);
