import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { model } from '../models/langchain.mjs';
import { ask } from './beckon.mjs';

const deleteRecords = tool(({ table }) => (console.log(`ran ${table}`), `Deleted ${table}.`), {
  name: 'delete_records',
  description: 'Deletes all records of a table.',
  schema: z.object({ table: z.string() }),
});
const agent = createAgent({
  model,
  tools: [deleteRecords],
  checkpointer: new MemorySaver(),
  middleware: [humanInTheLoopMiddleware({ interruptOn: { delete_records: true } })],
});

const config = { configurable: { thread_id: '1' }, streamMode: ['updates', 'messages'] };
let input = { messages: process.argv[2] };
while (input) {
  const interrupts = [];
  for await (const [mode, chunk] of await agent.stream(input, config)) {
    if (mode === 'updates') interrupts.push(...(chunk.__interrupt__ ?? []));
    else if (chunk[0].type === 'ai' && chunk[0].text) console.log(`said ${chunk[0].text}`);
  }
  input = interrupts.length > 0 ? new Command(await ask('langgraph', interrupts)) : undefined;
}
